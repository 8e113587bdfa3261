package io.fluxon.sim.check;

import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.sim.cluster.VirtualWorker;
import org.agrona.DirectBuffer;

/**
 * Hears from the workload what its clients ask for and get. A put or get that a client has accepted is begun with
 * {@link #onPutAsked} or {@link #onGetAsked}; all that follows names what these return. When a process or its session
 * ends nothing needs to be said.
 */
public interface ClientObserver
{
    /**
     * A client has accepted a put.
     *
     * @param worker  that asks.
     * @param plan    of the put.
     * @param request what is asked for.
     * @return the put; its {@link PutAttempt#write} writes the pages.
     */
    PutAttempt onPutAsked(VirtualWorker worker, PutPlan plan, PutRequest request);

    /**
     * The slots are there. Before the first byte is written.
     *
     * @param put in state STARTED.
     */
    void onPutStarted(PutAttempt put);

    /**
     * All is written, and the worker commits: right before it does.
     *
     * @param put that was started.
     */
    void onCommitCalled(PutAttempt put);

    /**
     * The client has refused the commit: the put is as it was before.
     *
     * @param put whose commit was called.
     */
    void onCommitRefused(PutAttempt put);

    /**
     * The worker gives the put up and writes no more: right before it says so.
     *
     * @param put that was started.
     */
    void onAbortCalled(PutAttempt put);

    /**
     * The values are readable on the owner.
     *
     * @param put in state LOCAL_READY, or DONE when that came first.
     */
    void onLocalReady(PutAttempt put);

    /**
     * Every key has its result.
     *
     * @param put in state DONE.
     */
    void onPutDone(PutAttempt put);

    /**
     * The put has ended without results.
     *
     * @param put in state FAILED or ABORTED.
     */
    void onPutFailed(PutAttempt put);

    /**
     * A client has accepted a get.
     *
     * @param worker       that asks.
     * @param get          handle of the get.
     * @param isBestEffort will a shorter prefix do?
     * @param groups       lengths of the atomic groups, null = one of all keys.
     * @param names        of the keys.
     * @return the get.
     */
    ReadAttempt onGetAsked(VirtualWorker worker, GetHandle get, boolean isBestEffort, int[] groups, String... names);

    /**
     * The result of a get is there.
     *
     * @param get in state STARTED, or one that follows.
     */
    void onGetStarted(ReadAttempt get);

    /**
     * The chosen prefix is readable. Before the first byte is read.
     *
     * @param get in state READABLE.
     */
    void onReadable(ReadAttempt get);

    /**
     * A page was read.
     *
     * @param get   that is readable.
     * @param index of the key.
     * @param page  copy of the whole page.
     */
    void onPage(ReadAttempt get, int index, DirectBuffer page);

    /**
     * The worker gives its views back and reads no more: right before it says so.
     *
     * @param get that is readable.
     */
    void onReleaseCalled(ReadAttempt get);

    /**
     * The get has ended otherwise: cancelled or failed.
     *
     * @param get that is in none of the states above.
     */
    void onGetFailed(ReadAttempt get);
}
