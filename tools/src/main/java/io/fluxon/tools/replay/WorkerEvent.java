package io.fluxon.tools.replay;

import io.fluxon.tools.report.Operation;
import io.fluxon.tools.report.PageCounts;

/**
 * What a worker process tells its coordinator; one line of text each, see {@link WorkerWire}.
 */
public sealed interface WorkerEvent
{
    /**
     * The worker is attached to its owner and takes requests.
     *
     * @param generation of the owner.
     */
    record Ready(long generation) implements WorkerEvent
    {
    }

    /**
     * The worker has lost its owner, or did not find it, and takes no requests until it is told to attach.
     *
     * @param message for the user.
     */
    record Detached(String message) implements WorkerEvent
    {
    }

    /**
     * The worker has done its own part of a request and takes the next one; the commit may still be under way.
     *
     * @param request index of the request.
     */
    record Next(int request) implements WorkerEvent
    {
    }

    /**
     * A request has ended; what it counted until then is valid also if it failed.
     *
     * @param request index of the request.
     * @param code    0, or the error code.
     * @param stage   of an error that is the end of a wait.
     * @param pages   that the request counted.
     * @param message of the error, for the user.
     */
    record Done(int request, int code, String stage, PageCounts pages, String message) implements WorkerEvent
    {
    }

    /** Every commit of the worker has its result, and everything is released. */
    record Quiet() implements WorkerEvent
    {
    }

    /**
     * Durations of one operation.
     *
     * @param operation that took them.
     * @param histogram as text.
     */
    record Latency(Operation operation, String histogram) implements WorkerEvent
    {
    }

    /**
     * A round of wholly local work was done.
     *
     * @param operations      puts and gets, together.
     * @param durationNs      of all of them.
     * @param putStartNs      median.
     * @param putCommitNs     median until local-read-ready.
     * @param getStartNs      median.
     */
    record Round(long operations, long durationNs, long putStartNs, long putCommitNs, long getStartNs)
        implements WorkerEvent
    {
    }

    /**
     * The process has ended; made by the coordinator.
     *
     * @param exitCode of the process.
     */
    record Ended(int exitCode) implements WorkerEvent
    {
    }
}
