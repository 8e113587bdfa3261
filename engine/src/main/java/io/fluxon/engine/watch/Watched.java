package io.fluxon.engine.watch;

/**
 * One watched process, and whether it has been seen to be gone.
 */
final class Watched
{
    private final long processId;
    private long startTime;
    private boolean isGone;

    /**
     * A process to watch.
     *
     * @param processId to look up.
     * @param startTime of the process, 0 = unknown: that of the first look counts.
     */
    Watched(final long processId, final long startTime)
    {
        this.processId = processId;
        this.startTime = startTime;
    }

    boolean isGone(final ProcessProbe probe)
    {
        if (!isGone)
        {
            final long found = probe.startTime(processId);
            if (0 == startTime && found > 0)
            {
                startTime = found;
            }
            isGone = ProcessProbe.GONE == found || (found > 0 && found != startTime);
        }
        return isGone;
    }
}
