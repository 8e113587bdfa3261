package io.fluxon.tools.demo;

/**
 * What is killed in the middle of a run.
 */
public enum ChaosTarget
{
    /** Nothing. */
    NONE,
    /** A worker, which is started again. */
    WORKER,
    /** An owner that serves workers, which is started again under its name. */
    OWNER,
    /** The master, which is started again after a while. */
    MASTER,
    /** Nothing, but a worker is stopped (SIGSTOP) for longer than every liveness timeout. */
    STOP_WORKER,
    /** Nothing, but an owner that serves workers is stopped. */
    STOP_OWNER,
    /** Nothing, but the master is stopped. */
    STOP_MASTER,
    /** Nothing, but the link of an owner's host is down for longer than every liveness timeout. */
    CUT_OWNER,
    /** Nothing, but the link of the master's host is down. */
    CUT_MASTER;

    /**
     * Is it the same process that comes back, or the one whose state is nowhere but with the others?
     *
     * @return true if it is.
     */
    public boolean isReturn()
    {
        return NONE != this && WORKER != this && OWNER != this;
    }

    /**
     * Is the process a worker?
     *
     * @return true if it is.
     */
    public boolean isWorker()
    {
        return WORKER == this || STOP_WORKER == this;
    }

    /**
     * Is the process an owner?
     *
     * @return true if it is.
     */
    public boolean isOwner()
    {
        return OWNER == this || STOP_OWNER == this || CUT_OWNER == this;
    }

    /**
     * Is it the link of a host that is gone for a while?
     *
     * @return true if it is.
     */
    public boolean isCut()
    {
        return CUT_OWNER == this || CUT_MASTER == this;
    }
}
