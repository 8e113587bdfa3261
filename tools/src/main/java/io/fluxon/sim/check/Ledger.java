package io.fluxon.sim.check;

import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * The books of all puts and gets that workers have made, kept from what the workload tells; it tells the checkers.
 */
final class Ledger implements ClientObserver
{
    private final List<PutAttempt> puts = new ArrayList<>();
    private final VirtualCluster cluster;
    private final List<Checker> checkers;

    Ledger(final VirtualCluster cluster, final List<Checker> checkers)
    {
        this.cluster = cluster;
        this.checkers = checkers;
    }

    /** Put that an attempt belongs to, or null when there never was such an attempt. */
    PutAttempt putOf(final long attempt)
    {
        return attempt >= 0 && attempt < puts.size() ? puts.get((int)attempt) : null;
    }

    @Override
    public PutAttempt onPutAsked(final VirtualWorker worker, final PutPlan plan, final PutRequest request)
    {
        final PutAttempt put = new PutAttempt(worker, plan, request, puts.size());
        for (int i = 0; i < put.count(); i++)
        {
            puts.add(put);
        }
        checkers.forEach((checker) -> checker.onPutAsked(put));
        return put;
    }

    @Override
    public void onPutStarted(final PutAttempt put)
    {
        put.stage = PutAttempt.Stage.WRITING;
        for (int i = 0; i < put.count(); i++)
        {
            put.addresses[i] = put.plan.valueAddress(i);
        }
        checkers.forEach((checker) -> checker.onPutStarted(put));
    }

    @Override
    public void onCommitCalled(final PutAttempt put)
    {
        put.stage = PutAttempt.Stage.COMMITTED;
        put.committedNs = nowNs();
        checkers.forEach((checker) -> checker.onWritten(put));
    }

    @Override
    public void onCommitRefused(final PutAttempt put)
    {
        put.committedNs = PutAttempt.NEVER;
        onPutStarted(put);
    }

    @Override
    public void onAbortCalled(final PutAttempt put)
    {
        put.stage = PutAttempt.Stage.ABORTED;
        checkers.forEach((checker) -> checker.onWritten(put));
    }

    @Override
    public void onLocalReady(final PutAttempt put)
    {
        put.isLocalReady = true;
    }

    @Override
    public void onPutDone(final PutAttempt put)
    {
        put.isLocalReady = true;
        put.stage = PutAttempt.Stage.ENDED;
        checkers.forEach((checker) -> checker.onPutDone(put));
    }

    @Override
    public void onPutFailed(final PutAttempt put)
    {
        put.stage = PutAttempt.Stage.WRITING == put.stage ? PutAttempt.Stage.ABANDONED : PutAttempt.Stage.ENDED;
        checkers.forEach((checker) -> checker.onPutFailed(put));
    }

    @Override
    public ReadAttempt onGetAsked(
        final VirtualWorker worker,
        final GetHandle get,
        final boolean isBestEffort,
        final int[] groups,
        final String... names)
    {
        final ReadAttempt attempt = new ReadAttempt(worker, get, isBestEffort, groups, names, nowNs());
        checkers.forEach((checker) -> checker.onGetAsked(attempt));
        return attempt;
    }

    @Override
    public void onGetStarted(final ReadAttempt get)
    {
        checkers.forEach((checker) -> checker.onGetStarted(get));
    }

    @Override
    public void onReadable(final ReadAttempt get)
    {
        get.isReadable = true;
        checkers.forEach((checker) -> checker.onReadable(get));
    }

    @Override
    public void onPage(final ReadAttempt get, final int index, final DirectBuffer page)
    {
        checkers.forEach((checker) -> checker.onPage(get, index, page));
    }

    @Override
    public void onReleaseCalled(final ReadAttempt get)
    {
        get.isReadable = false;
        checkers.forEach((checker) -> checker.onViewsGone(get));
    }

    @Override
    public void onGetFailed(final ReadAttempt get)
    {
        if (get.isReadable)
        {
            onReleaseCalled(get);
        }
        checkers.forEach((checker) -> checker.onGetFailed(get));
    }

    private long nowNs()
    {
        return cluster.clock().nanoTime();
    }
}
