package io.fluxon.engine.owner;

/**
 * Work of several steps, each bounded (contract G10). A job is stepped by the {@link JobQueue} as long as it says that
 * it can go on; when it waits for something else, that something resumes it.
 */
abstract class Job
{
    private boolean isQueued;
    private boolean isStalled;

    /**
     * Does one bounded step.
     *
     * @param nowNs time of this duty cycle.
     * @return true when another step can be done in the next duty cycle without waiting for anything.
     */
    abstract boolean step(long nowNs);

    /**
     * A step threw: the job gives up what it has, and tells its caller.
     *
     * @param cause of it.
     */
    abstract void onException(RuntimeException cause);

    /**
     * The step could move nothing, since a queue or all operation ids are taken. It is tried again, and is no work: an
     * owner that can do nothing else may rest.
     *
     * @return true, for the step to return.
     */
    final boolean stalled()
    {
        isStalled = true;
        return true;
    }

    final boolean isStalled()
    {
        return isStalled;
    }

    final void clearStall()
    {
        isStalled = false;
    }

    final boolean isQueued()
    {
        return isQueued;
    }

    final void isQueued(final boolean isQueued)
    {
        this.isQueued = isQueued;
    }
}
