package io.fluxon.engine.watch;

/**
 * Looks a process up in the operating system.
 */
public interface ProcessProbe
{
    /** No process has the id: its last one is gone for good. */
    long GONE = -1;

    /** The system did not tell; nothing is proven. */
    long UNKNOWN = -2;

    /**
     * When did the process with an id start?
     *
     * @param processId to look up.
     * @return start time in clock ticks since boot, as the kernel counts it, or {@link #GONE} or {@link #UNKNOWN}.
     */
    long startTime(long processId);
}
