package io.fluxon.tools.replay;

/**
 * Something that happens to a run while it goes on. Called by the coordinator's thread only.
 */
public interface Disturbance
{
    /**
     * Called often, between events.
     *
     * @param nowNs time now, of a monotonic clock.
     * @param ended requests that have ended.
     * @param total requests of the run.
     */
    void step(long nowNs, int ended, int total);

    /**
     * Called for each request that has ended.
     *
     * @param worker index of the worker.
     * @param code   0, or the error code.
     */
    void onDone(int worker, int code);

    /**
     * Called when a worker process has ended before the run has.
     *
     * @param worker index of the worker.
     * @return true if it was meant to, and is to be started again.
     */
    boolean onWorkerEnded(int worker);

    /**
     * Are no requests to be handed out now?
     *
     * @return true to wait.
     */
    boolean isHolding();

    /**
     * Has everything happened?
     *
     * @return false to keep the run going after its last request.
     */
    boolean isDone();
}
