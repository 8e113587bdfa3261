package io.fluxon.sim.cluster;

import io.fluxon.engine.boundary.ProcessListener;
import io.fluxon.engine.boundary.ProcessWatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The operating system's part in the life of worker processes, for one owner.
 */
public final class VirtualProcesses implements ProcessWatch
{
    /** Share of watches that are not taken now. */
    public double fullRate;

    private final List<long[]> watched = new ArrayList<>();
    private final List<Long> unreported = new ArrayList<>();
    private final Set<Long> dead = new HashSet<>();
    private final Random random;

    VirtualProcesses(final Random random)
    {
        this.random = random;
    }

    /**
     * Ends a process.
     *
     * @param processId of the process.
     */
    public void kill(final long processId)
    {
        dead.add(processId);
    }

    @Override
    public boolean watch(final long sessionId, final long processId, final long startTime)
    {
        if (random.nextDouble() < fullRate)
        {
            return false;
        }
        watched.add(new long[]{sessionId, processId});
        unreported.add(sessionId);
        return true;
    }

    @Override
    public boolean unwatch(final long sessionId)
    {
        watched.removeIf((entry) -> entry[0] == sessionId);
        unreported.remove(sessionId);
        return true;
    }

    @Override
    public int poll(final ProcessListener listener, final int limit)
    {
        int count = 0;
        while (count < limit && !unreported.isEmpty())
        {
            listener.onProcessSeen(unreported.removeFirst());
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
}
