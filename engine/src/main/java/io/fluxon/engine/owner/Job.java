package io.fluxon.engine.owner;

/**
 * Work of several steps, each bounded (contract G10). A job is stepped by the {@link JobQueue} as long as it says that
 * it can go on; when it waits for something else, that something resumes it.
 */
abstract class Job
{
    private boolean isQueued;

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

    final boolean isQueued()
    {
        return isQueued;
    }

    final void isQueued(final boolean isQueued)
    {
        this.isQueued = isQueued;
    }
}
