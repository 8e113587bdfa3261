package io.fluxon.engine.boundary;

/**
 * Proves that worker processes are gone (contract SLOT-7, API-9). Never blocks. Not thread-safe: it belongs to the
 * owner agent.
 */
public interface ProcessWatch
{
    /**
     * Begins to watch the process of a session. Whether it can be watched at all is the first report. Only a process
     * that was seen alive under its own start time can be proven gone: one that is not found may as well be hidden.
     *
     * @param sessionId that a report names.
     * @param processId of the worker.
     * @param startTime of the process in clock ticks since boot, as the kernel counts it: tells the process from
     *                  another one with the same id. With 0 = unknown it cannot be watched.
     * @return false when the watch takes no more: nothing was taken, try again in a later duty cycle.
     */
    boolean watch(long sessionId, long processId, long startTime);

    /**
     * Ends the watch for a session. A report that is on its way already may still arrive.
     *
     * @param sessionId of the session.
     * @return false when the watch takes no more: nothing was taken, try again in a later duty cycle.
     */
    boolean unwatch(long sessionId);

    /**
     * Polls for reports.
     *
     * @param listener called for each report, within this call.
     * @param limit    of reports for this call.
     * @return number of reports handed over.
     */
    int poll(ProcessListener listener, int limit);
}
