package io.fluxon.sim.check;

import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.StringJoiner;
import org.agrona.DirectBuffer;

/**
 * Notes what clients do, and passes it on.
 */
public final class ClientNotes implements ClientObserver
{
    private final ClientObserver next;
    private final VirtualCluster cluster;

    /**
     * Notes for a cluster.
     *
     * @param next    that hears everything, too.
     * @param cluster that takes the notes.
     */
    public ClientNotes(final ClientObserver next, final VirtualCluster cluster)
    {
        this.next = next;
        this.cluster = cluster;
    }

    @Override
    public PutAttempt onPutAsked(final VirtualWorker worker, final PutPlan plan, final PutRequest request)
    {
        final PutAttempt put = next.onPutAsked(worker, plan, request);
        note(put, "is asked for");
        return put;
    }

    @Override
    public void onPutStarted(final PutAttempt put)
    {
        note(put, "has its slots");
        next.onPutStarted(put);
    }

    @Override
    public void onCommitCalled(final PutAttempt put)
    {
        note(put, "is committed");
        next.onCommitCalled(put);
    }

    @Override
    public void onCommitRefused(final PutAttempt put)
    {
        note(put, "cannot be committed now");
        next.onCommitRefused(put);
    }

    @Override
    public void onAbortCalled(final PutAttempt put)
    {
        note(put, "is given up");
        next.onAbortCalled(put);
    }

    @Override
    public void onLocalReady(final PutAttempt put)
    {
        note(put, "is readable here");
        next.onLocalReady(put);
    }

    @Override
    public void onPutDone(final PutAttempt put)
    {
        final StringJoiner results = new StringJoiner(",", "is done: ", "");
        for (int i = 0; i < put.count(); i++)
        {
            results.add(Integer.toString(put.plan.result(i)));
        }
        note(put, results.toString());
        next.onPutDone(put);
    }

    @Override
    public void onPutFailed(final PutAttempt put)
    {
        note(put, "ends " + put.plan.state() + " with code " + put.plan.errorCode() + " " + put.plan.errorMessage());
        next.onPutFailed(put);
    }

    @Override
    public ReadAttempt onGetAsked(
        final VirtualWorker worker,
        final GetHandle get,
        final boolean isBestEffort,
        final int[] groups,
        final String... names)
    {
        final ReadAttempt attempt = next.onGetAsked(worker, get, isBestEffort, groups, names);
        note(attempt, "is asked for");
        return attempt;
    }

    @Override
    public void onGetStarted(final ReadAttempt get)
    {
        note(get, "can bring " + get.get.transferableLen() + " keys, " + get.get.remoteHits() + " from elsewhere");
        next.onGetStarted(get);
    }

    @Override
    public void onReadable(final ReadAttempt get)
    {
        note(get, "has " + get.get.count() + " pages to read");
        next.onReadable(get);
    }

    @Override
    public void onPage(final ReadAttempt get, final int index, final DirectBuffer page)
    {
        next.onPage(get, index, page);
    }

    @Override
    public void onReleaseCalled(final ReadAttempt get)
    {
        note(get, "gives its pages back");
        next.onReleaseCalled(get);
    }

    @Override
    public void onGetFailed(final ReadAttempt get)
    {
        note(get, "ends " + get.get.state() + " with code " + get.get.errorCode() + " " + get.get.errorMessage());
        next.onGetFailed(get);
    }

    private void note(final Object what, final String happens)
    {
        cluster.note(() -> what + " " + happens);
    }
}
