package io.fluxon.jmh.cluster;

import io.fluxon.engine.boundary.ProcessListener;
import io.fluxon.engine.boundary.ProcessWatch;

/**
 * No process ever ends.
 */
final class ImmortalProcesses implements ProcessWatch
{
    @Override
    public boolean watch(final long sessionId, final long processId, final long startTime)
    {
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
        return 0;
    }
}
