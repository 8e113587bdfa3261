package io.fluxon.sim.check;

import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One put of a worker as the model of values knows it: each of its keys has an attempt of its own, whose number is in
 * the bytes that are written.
 */
public final class PutAttempt
{
    /** Time of what has not happened. */
    static final long NEVER = Long.MAX_VALUE;

    /**
     * Where a put stands, from its worker's side.
     */
    enum Stage
    {
        /** No slots yet. */
        ASKED,
        /** Its pages are written. */
        WRITING,
        /** Its pages are written, although its session has ended. */
        ABANDONED,
        /** Its commit was sent. */
        COMMITTED,
        /** It was given up. */
        ABORTED,
        /** It has its results, or will never have any. */
        ENDED
    }

    final VirtualWorker worker;
    final VirtualOwner owner;
    final PutPlan plan;
    final String[] names;
    final int[] groups;
    final int length;
    final boolean rejectsExisting;
    final boolean rejectsInflight;
    final boolean[] wishes;
    final long first;
    final int[] slots;
    final long[] addresses;
    final long[] uses;
    final long[] failedNs;
    final long[] replacedNs;
    Stage stage = Stage.ASKED;
    long committedNs = NEVER;
    boolean isLocalReady;
    private final UnsafeBuffer page = new UnsafeBuffer(0, 0);

    PutAttempt(
        final VirtualWorker worker,
        final PutPlan plan,
        final PutRequest request,
        final long first)
    {
        this.worker = worker;
        this.owner = worker.owner();
        this.plan = plan;
        this.names = request.names();
        this.groups = request.groups();
        this.length = request.length();
        this.rejectsExisting = request.rejectsExisting();
        this.rejectsInflight = request.rejectsInflight();
        this.wishes = request.wishes();
        this.first = first;
        slots = new int[names.length];
        addresses = new long[names.length];
        uses = new long[names.length];
        failedNs = new long[names.length];
        replacedNs = new long[names.length];
        Arrays.fill(failedNs, NEVER);
        Arrays.fill(replacedNs, NEVER);
    }

    /**
     * Number of keys.
     *
     * @return at least 1.
     */
    public int count()
    {
        return names.length;
    }

    /**
     * Writes a part of a page of a put that has started, whatever has become of its plan meanwhile.
     *
     * @param index of the key.
     * @param part  of the page.
     */
    public void write(final int index, final PageStamp.Part part)
    {
        page.wrap(addresses[index], length);
        PageStamp.write(page, 0, length, part, PageStamp.hash(names[index]), first + index);
    }

    /**
     * Writes the whole pages of a put that has started.
     */
    public void write()
    {
        for (int i = 0; i < names.length; i++)
        {
            for (final PageStamp.Part part : PageStamp.Part.values())
            {
                write(i, part);
            }
        }
    }

    @Override
    public String toString()
    {
        return "put of " + worker + " attempts " + first + " to " + (first + names.length - 1) + " " + stage + " of " +
            String.join(",", names);
    }
}
