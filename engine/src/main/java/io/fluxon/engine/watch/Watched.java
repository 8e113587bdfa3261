package io.fluxon.engine.watch;

/**
 * One watched process: not looked up yet, then seen or unseen, then gone. Only one that was seen alive under its own
 * start time can be gone: an id that names nothing, or another process, may belong to a PID namespace that cannot be
 * seen from here (contract SLOT-7).
 */
final class Watched
{
    /**
     * What is known of a process.
     */
    enum State
    {
        /** Not looked up. */
        NEW,
        /** It was found under its own start time. */
        SEEN,
        /** The first look did not find it. */
        UNSEEN,
        /** It was found once, and its id names nothing or another process now. */
        GONE
    }

    private final long processId;
    private final long startTime;
    private State state = State.NEW;
    private State reported = State.NEW;

    /**
     * A process to watch.
     *
     * @param processId to look up.
     * @param startTime of the process, as the probe counts it; 0 = unknown.
     */
    Watched(final long processId, final long startTime)
    {
        this.processId = processId;
        this.startTime = startTime;
    }

    /** Looks it up, unless its last report is still to be made. */
    State look(final ProcessProbe probe)
    {
        if (state == reported)
        {
            final long found = startTime > 0 ? probe.startTime(processId) : ProcessProbe.UNKNOWN;
            if (State.NEW == state)
            {
                state = found > 0 && found == startTime ? State.SEEN : State.UNSEEN;
            }
            else if (ProcessProbe.GONE == found || (found > 0 && found != startTime))
            {
                state = State.GONE;
            }
        }
        return state;
    }

    boolean isReported()
    {
        return state == reported;
    }

    void reported()
    {
        reported = state;
    }
}
