package io.fluxon.tools.fault;

/**
 * What happens to a process of a cluster.
 */
enum Fault
{
    /** SIGKILL of a worker, which is started again at once. */
    KILL_WORKER,
    /** SIGKILL of an owner that serves workers, which is started again at once. */
    KILL_OWNER,
    /** SIGKILL of the master, which is started again when the owners have missed it. */
    KILL_MASTER,
    /** SIGSTOP of a worker for longer than every liveness timeout, then SIGCONT. */
    STOP_WORKER,
    /** The same of an owner that serves workers. */
    STOP_OWNER,
    /** The same of the master. */
    STOP_MASTER;

    boolean isOfWorker()
    {
        return KILL_WORKER == this || STOP_WORKER == this;
    }

    boolean isOfOwner()
    {
        return KILL_OWNER == this || STOP_OWNER == this;
    }
}
