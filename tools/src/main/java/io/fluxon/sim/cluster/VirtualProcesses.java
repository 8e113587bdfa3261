package io.fluxon.sim.cluster;

import io.fluxon.engine.boundary.ProcessListener;
import io.fluxon.engine.boundary.ProcessWatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.NanoClock;

/**
 * The operating system's part in the life of worker processes, for one owner.
 */
public final class VirtualProcesses implements ProcessWatch
{
    /** Share of watches, and of their ends, that are not taken now. */
    public double fullRate;
    /** Share of watched processes that are not visible. */
    public double unseenRate;

    private final List<long[]> watched = new ArrayList<>();
    private final List<Long> unreported = new ArrayList<>();
    private final Set<Long> dead = new HashSet<>();
    private final Choices.Stream choices;
    private final Choices.Stream refusals;
    private final FaultTally tally;
    private final VirtualProcess process;
    private final NanoClock clock;

    VirtualProcesses(final VirtualCluster cluster, final VirtualProcess process)
    {
        this.process = process;
        choices = cluster.choices().stream(process.name() + ".watch");
        refusals = cluster.choices().stream(process.name() + ".watch.refusals");
        tally = cluster.faults();
        clock = cluster.clock();
    }

    /**
     * Ends a process.
     *
     * @param processId of the process.
     */
    public void kill(final long processId)
    {
        dead.add(processId);
        process.wake(clock.nanoTime());
    }

    /**
     * Has a process ended?
     *
     * @param processId of the process.
     * @return true after {@link #kill(long)}.
     */
    public boolean isGone(final long processId)
    {
        return dead.contains(processId);
    }

    @Override
    public boolean watch(final long sessionId, final long processId, final long startTime)
    {
        if (choices.chance(fullRate))
        {
            tally.count(FaultKind.WATCH_DELAYED, process);
            return false;
        }
        watched.add(new long[]{sessionId, processId});
        unreported.add(sessionId);
        return true;
    }

    @Override
    public boolean unwatch(final long sessionId)
    {
        if (refusals.chance(fullRate))
        {
            tally.count(FaultKind.WATCH_DELAYED, process);
            return false;
        }
        watched.removeIf((entry) -> entry[0] == sessionId);
        unreported.remove(sessionId);
        return true;
    }

    long earliestNs()
    {
        return unreported.isEmpty() ? Long.MAX_VALUE : clock.nanoTime();
    }

    @Override
    public int poll(final ProcessListener listener, final int limit)
    {
        int count = 0;
        while (count < limit && !unreported.isEmpty())
        {
            report(listener, unreported.removeFirst());
            count++;
        }
        for (int i = 0; i < watched.size() && count < limit; i++)
        {
            final long[] entry = watched.get(i);
            if (dead.contains(entry[1]))
            {
                watched.remove(i--);
                listener.onProcessGone(entry[0]);
                count++;
            }
        }
        return count;
    }

    /**
     * Sessions whose process is watched.
     *
     * @return their number.
     */
    public int watched()
    {
        return watched.size();
    }

    private void report(final ProcessListener listener, final long sessionId)
    {
        if (refusals.chance(unseenRate))
        {
            tally.count(FaultKind.PROCESS_UNSEEN, process);
            watched.removeIf((entry) -> entry[0] == sessionId);
            listener.onProcessUnseen(sessionId);
        }
        else
        {
            listener.onProcessSeen(sessionId);
        }
    }
}
