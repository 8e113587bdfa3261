package io.fluxon.engine.watch;

import java.time.Instant;
import java.util.Optional;

/**
 * Asks the Java runtime, for systems without a readable {@code /proc}: start times are milliseconds of the epoch.
 */
final class HandleProbe implements ProcessProbe
{
    @Override
    public long startTime(final long processId)
    {
        final Optional<ProcessHandle> handle = ProcessHandle.of(processId);
        if (handle.isEmpty() || !handle.get().isAlive())
        {
            return GONE;
        }
        return handle.get().info().startInstant().map(Instant::toEpochMilli).orElse(UNKNOWN);
    }

    @Override
    public boolean isKernelTime()
    {
        return false;
    }
}
