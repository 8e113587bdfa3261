package io.fluxon.jmh.cluster;

import io.fluxon.engine.boundary.ProcessListener;
import io.fluxon.engine.boundary.ProcessWatch;
import org.agrona.collections.LongArrayList;

/**
 * No process ever ends.
 */
final class ImmortalProcesses implements ProcessWatch
{
    private final LongArrayList looks = new LongArrayList();

    @Override
    public boolean watch(final long sessionId, final long processId, final long startTime)
    {
        looks.addLong(sessionId);
        return true;
    }

    @Override
    public boolean unwatch(final long sessionId)
    {
        return true;
    }

    @Override
    public int poll(final ProcessListener listener, final int limit)
    {
        final int count = looks.size();
        for (int i = 0; i < count; i++)
        {
            listener.onProcessSeen(looks.getLong(i));
        }
        looks.clear();
        return count;
    }
}
