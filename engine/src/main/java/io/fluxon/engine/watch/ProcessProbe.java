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
     * @return start time, comparable with others of the same probe, or {@link #GONE} or {@link #UNKNOWN}.
     */
    long startTime(long processId);

    /**
     * Are its start times those of the kernel, clock ticks since boot? Only then can they be compared with the one that
     * a worker gave.
     *
     * @return true when they are.
     */
    boolean isKernelTime();
}
