package io.fluxon.sim.cluster;

import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.ClientOperation;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WorkerClient;
import io.fluxon.ipc.client.core.WorkerClientContext;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One worker of a run: the production client, and pages whose content follows from their key, so that every page read
 * can be checked.
 */
public final class VirtualWorker extends VirtualProcess
{
    private static final int SMALL_BATCH = 32;
    private static final int MAX_KEY_BYTES = 513;

    /** What passes from this worker to its owner. */
    public final MessageTap toOwner = new MessageTap();
    /** What passes from the owner to this worker. */
    public final MessageTap fromOwner = new MessageTap();

    /** What its copies between GPU and segment do. */
    public final WorkerFaults copyFaults = new WorkerFaults();

    private final VirtualCluster cluster;
    private final VirtualOwner owner;
    private final long processId;
    private final WorkerClient client;
    private KeyBatch keys = new KeyBatch(SMALL_BATCH, SMALL_BATCH * MAX_KEY_BYTES);
    private VirtualNetwork.Inbox inbox;
    private VirtualNetwork.Link requests;
    private final VirtualCopies copies;
    private Application application = Application.NONE;

    VirtualWorker(final VirtualCluster cluster, final VirtualOwner owner, final int number)
    {
        super(cluster, "worker-" + number);
        this.cluster = cluster;
        this.owner = owner;
        processId = 10_000L + number;
        copies = new VirtualCopies(cluster, this, copyFaults);
        inbox = cluster.network().inbox(this);
        owner.listen(2_000 + number, this);
        requests = cluster.network().connect(this, owner.workerInbox(), owner.workerRequestFaults, toOwner);
        final WorkerClientContext context = new WorkerClientContext()
            .nanoClock(cluster.clock())
            .requests(requests)
            .responses(inbox)
            .segmentMapper((path, generation, mapOffset, length) -> owner.segment().addressOffset() + mapOffset)
            .clientName("worker-" + number)
            .processId(processId)
            .processStartTime(1)
            .responseStreamId(2_000 + number);
        cluster.options().workerSettings.accept(context);
        client = new WorkerClient(context.conclude());
    }

    /** Loses its connection and comes by another, as a process whose transport has closed itself does. */
    public void reconnect()
    {
        inbox.close();
        inbox = cluster.network().inbox(this);
        final int streamId = cluster.nextStreamId();
        owner.listen(streamId, this);
        requests = cluster.network().connect(this, owner.workerInbox(), owner.workerRequestFaults, toOwner);
        client.resume(requests, inbox, streamId);
    }

    /**
     * Sends a message that is not its client's.
     *
     * @param buffer with the message.
     * @param offset of its header.
     * @param length of it.
     */
    public void send(final DirectBuffer buffer, final int offset, final int length)
    {
        requests.offer(buffer, offset, length);
    }

    /**
     * Its way to the owner.
     *
     * @return the link, another after {@link #reconnect()}.
     */
    public VirtualNetwork.Link requests()
    {
        return requests;
    }

    VirtualNetwork.Link openFromOwner()
    {
        return cluster.network().connect(owner, inbox, owner.workerAnswerFaults, fromOwner);
    }

    /**
     * What the process does beside its client, before each poll of it.
     *
     * @param newApplication to run.
     */
    public void application(final Application newApplication)
    {
        application = newApplication;
        wake(cluster.clock().nanoTime());
    }

    @Override
    int doWork()
    {
        final int work = copies.poll();
        application.run();
        return work + client.poll();
    }

    @Override
    long earliestNs()
    {
        return Math.min(inbox.earliestNs(), application.nextNs());
    }

    /** Ends the worker's process at once; its owner learns of it from the process watch. */
    public void kill()
    {
        dead(true);
        inbox.close();
        owner.processes().kill(processId);
    }

    /**
     * Its copies.
     *
     * @return the copies.
     */
    public VirtualCopies copies()
    {
        return copies;
    }

    /**
     * The client.
     *
     * @return the client.
     */
    public WorkerClient client()
    {
        return client;
    }

    /**
     * Number of its process, as its owner knows it.
     *
     * @return the process id.
     */
    public long processId()
    {
        return processId;
    }

    /**
     * The owner that it is attached to.
     *
     * @return the owner.
     */
    public VirtualOwner owner()
    {
        return owner;
    }

    /**
     * Starts a put.
     *
     * @param put     to use.
     * @param length  of each value.
     * @param options of the put.
     * @param names   of the keys.
     * @return 0 or an error code.
     */
    public int putStart(final PutPlan put, final int length, final PutOptions options, final String... names)
    {
        return client.putStart(put, batch(names), length, options);
    }

    /**
     * Starts a get.
     *
     * @param get        to use.
     * @param bestEffort whether a shorter prefix will do.
     * @param groups     atomic groups, null = one.
     * @param names      of the keys.
     * @return 0 or an error code.
     */
    public int getStart(final GetHandle get, final boolean bestEffort, final AtomicGroups groups, final String... names)
    {
        return client.getStart(get, batch(names), bestEffort, groups);
    }

    /**
     * Puts names into a key batch.
     *
     * @param names of the keys.
     * @return a batch of its own.
     */
    public KeyBatch batch(final String... names)
    {
        if (names.length > SMALL_BATCH)
        {
            keys = new KeyBatch(names.length, names.length * MAX_KEY_BYTES);
        }
        keys.clear();
        for (final String name : names)
        {
            keys.add(name);
        }
        return keys;
    }

    /**
     * Runs the cluster until an operation has left a state of waiting, or a time is over.
     *
     * @param operation to wait for.
     * @param timeoutNs bound of the wait.
     */
    public void await(final ClientOperation operation, final long timeoutNs)
    {
        cluster.runUntil(() -> !operation.isPending(), timeoutNs);
    }

    /**
     * Writes the pages of a started put.
     *
     * @param put    that has started.
     * @param length of each value.
     * @param names  of its keys.
     */
    public void write(final PutPlan put, final int length, final String... names)
    {
        for (int i = 0; i < names.length; i++)
        {
            fill(new UnsafeBuffer(put.valueAddress(i), length), names[i], length);
        }
    }

    /**
     * Checks the pages of a readable get.
     *
     * @param get   that is readable.
     * @param names of the keys it was started with.
     */
    public void verify(final GetHandle get, final String... names)
    {
        for (int i = 0; i < get.count(); i++)
        {
            final int length = (int)get.valueLength(i);
            final UnsafeBuffer expected = new UnsafeBuffer(new byte[length]);
            fill(expected, names[i], length);
            if (0 != expected.compareTo(new UnsafeBuffer(get.valueAddress(i), length)))
            {
                throw new AssertionError("page " + i + " of key " + names[i] + " has other bytes than were written");
            }
        }
    }

    /**
     * Fills a page with the bytes of a key.
     *
     * @param page   to fill.
     * @param name   of the key.
     * @param length of the value.
     */
    public static void fill(final UnsafeBuffer page, final String name, final int length)
    {
        final Random content = new Random(name.hashCode() * 31L + length);
        for (int i = 0; i < length; i++)
        {
            page.putByte(i, (byte)content.nextInt());
        }
    }
}
