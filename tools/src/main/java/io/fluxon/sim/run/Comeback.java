package io.fluxon.sim.run;

import io.fluxon.engine.memory.CapacityPlan;
import io.fluxon.engine.memory.SlotClass;
import io.fluxon.engine.memory.SlotPool;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.sim.check.PageStamp;
import io.fluxon.sim.check.PutAttempt;
import io.fluxon.sim.check.PutRequest;
import io.fluxon.sim.check.ReadAttempt;
import io.fluxon.sim.check.Violation;
import io.fluxon.sim.cluster.VirtualWorker;

/**
 * After everything was healed work goes on (contract LIFE-1): a new value can be put wherever there is a free slot, and
 * be read on every owner that has one, as long as no eviction has taken its last copy (contract S3).
 */
final class Comeback
{
    private static final long SLOT_SIZE = CapacityPlan.slotSize(WorkerLoad.SMALL);
    private static final long PATIENCE_NS = 10_000_000_000L;
    private static final long RETRY_NS = 100_000_000L;

    private final RunState run;

    Comeback(final RunState run)
    {
        this.run = run;
    }

    void check()
    {
        for (int i = 0; i < run.cluster.owners().size(); i++)
        {
            final VirtualWorker writer = run.cluster.worker(i % run.cluster.workers().size());
            if (hasRoom(writer))
            {
                final String key = "probe:" + i;
                put(writer, key);
                for (final VirtualWorker reader : run.cluster.workers())
                {
                    if (reader.owner() == writer.owner() || hasRoom(reader))
                    {
                        read(reader, key);
                    }
                }
            }
        }
    }

    private boolean hasRoom(final VirtualWorker worker)
    {
        final SlotPool pool = worker.owner().pool();
        boolean hasRoom = pool.unassignedGrants() > 0 && 0 == run.cluster.options().expectedGrants;
        for (int i = 0; i < pool.classCount(); i++)
        {
            final SlotClass slotClass = pool.slotClass(i);
            hasRoom |= slotClass.isActive() && SLOT_SIZE == slotClass.slotSize() && slotClass.available() > 0;
        }
        return hasRoom;
    }

    private void put(final VirtualWorker worker, final String key)
    {
        final PutPlan plan = new PutPlan(1);
        final int code = worker.putStart(plan, WorkerLoad.SMALL, new PutOptions(), key);
        Violation.unless(0 == code, "LIFE-1", "%s cannot begin a put: %s", worker, worker.client().refusal());
        final PutAttempt put = run.clients().onPutAsked(
            worker, plan, new PutRequest(WorkerLoad.SMALL, null, false, false, null, key));
        run.cluster.runUntil(() -> PutPlan.State.STARTING != plan.state(), PATIENCE_NS);
        Violation.unless(PutPlan.State.STARTED == plan.state(), "LIFE-1",
            "%s gets no slot although one is free: %s %s", worker, plan.state(), plan.errorMessage());
        run.clients().onPutStarted(put);
        put.write();
        run.clients().onCommitCalled(put);
        worker.client().putCommit(plan);
        run.cluster.runUntil(() -> PutPlan.State.DONE == plan.state(), PATIENCE_NS);
        Violation.unless(PutPlan.State.DONE == plan.state() && 0 == plan.result(0), "LIFE-1",
            "%s cannot put: %s %s", worker, plan.state(), plan.errorMessage());
        run.clients().onLocalReady(put);
        run.clients().onPutDone(put);
    }

    /** An owner that has just heard of another may miss its values for a moment, not for long. */
    private void read(final VirtualWorker worker, final String key)
    {
        final long deadlineNs = run.nowNs() + PATIENCE_NS;
        String missed = tryToRead(worker, key);
        while (null != missed && !run.checks.isEvicted(key))
        {
            Violation.unless(run.nowNs() < deadlineNs, "LIFE-1", "%s cannot read %s: %s", worker, key, missed);
            run.cluster.runFor(RETRY_NS);
            missed = tryToRead(worker, key);
        }
    }

    /** Reads a value; returns what came instead when it did not come. */
    private String tryToRead(final VirtualWorker worker, final String key)
    {
        final GetHandle get = new GetHandle(1);
        final int code = worker.getStart(get, true, null, key);
        Violation.unless(0 == code, "LIFE-1", "%s cannot begin a get: %s", worker, worker.client().refusal());
        final ReadAttempt attempt = run.clients().onGetAsked(worker, get, true, null, key);
        run.cluster.runUntil(() -> GetHandle.State.STARTING != get.state(), PATIENCE_NS);
        if (GetHandle.State.STARTED != get.state())
        {
            run.clients().onGetFailed(attempt);
            return get.state() + " " + get.errorMessage();
        }
        run.clients().onGetStarted(attempt);
        if (0 == get.transferableLen())
        {
            return "it is a miss";
        }
        worker.client().getTransfer(get, -1);
        run.cluster.runUntil(() -> GetHandle.State.TRANSFERRING != get.state(), PATIENCE_NS);
        if (GetHandle.State.READABLE != get.state())
        {
            run.clients().onGetFailed(attempt);
            return get.state() + " " + get.errorMessage();
        }
        readPage(worker, get, attempt);
        return null;
    }

    private void readPage(final VirtualWorker worker, final GetHandle get, final ReadAttempt attempt)
    {
        run.clients().onReadable(attempt);
        final PageRead pages = new PageRead(get);
        for (final PageStamp.Part part : PageStamp.Part.values())
        {
            pages.move(part.ordinal());
        }
        pages.tell(run.clients(), attempt);
        run.clients().onReleaseCalled(attempt);
        worker.client().releaseViews(get);
        run.cluster.runFor(RETRY_NS);
    }
}
