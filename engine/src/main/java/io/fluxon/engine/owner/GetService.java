package io.fluxon.engine.owner;

import io.fluxon.codecs.control.DeleteRequestDecoder;
import io.fluxon.codecs.control.ExistsRequestDecoder;
import io.fluxon.codecs.control.GetCancelRequestDecoder;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.GetTransferRequestDecoder;
import io.fluxon.codecs.control.InspectRequestDecoder;
import io.fluxon.codecs.control.ReleaseHoldingsDecoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;

/**
 * The reads of all sessions: requests, releases, and answers that are asked for again.
 */
final class GetService
{
    private static final int WHOLE_PREFIX = -1;
    private static final long NO_HANDLE = 0;
    private static final String UNKNOWN_HANDLE = "handle is not that of an unused read of this session";
    private static final String AS_BEFORE = "as before";

    private final OwnerCore core;
    private final Pool<ReadPlan> plans;
    private final Pool<RepeatJob> repeats;
    private final Pool<ExistsJob> existsJobs;
    private final Pool<DeleteJob> deleteJobs;
    private final Pool<InspectJob> inspectJobs;

    GetService(final OwnerCore core)
    {
        this.core = core;
        plans = new Pool<>(() -> new ReadPlan(core));
        repeats = new Pool<>(() -> new RepeatJob(core));
        existsJobs = new Pool<>(() -> new ExistsJob(core));
        deleteJobs = new Pool<>(() -> new DeleteJob(core));
        inspectJobs = new Pool<>(() -> new InspectJob(core));
    }

    /** A worker wants to read. */
    void onStart(final WorkerSession session, final GetStartRequestDecoder request, final DirectBuffer message)
    {
        final long requestId = request.correlationId();
        final long timeoutNs = Limits.timeoutNs(request.timeoutNs());
        final boolean isBestEffort = 0 != request.prefixBestEffort();
        final ReadPlan plan = plans.take();
        final boolean hasGroups = plan.items().read(message);
        final int count = plan.items().count();
        final String error;
        if (!hasGroups)
        {
            error = "atomicGroups: lengths must be positive and add up to the keys";
        }
        else if (count < 1 || count > core.settings.maxKeysPerBatch())
        {
            error = "keys: " + count + " is not within 1 to " + core.settings.maxKeysPerBatch();
        }
        else
        {
            error = null;
        }

        final boolean isFull = session.readPlans.size() >= core.settings.maxPlansPerSession() ||
            session.holdings.size() + session.keysOfReads > core.settings.maxHoldingsPerSession() - count;
        if (null != error || isFull)
        {
            plan.items().reset();
            free(plan);
            refuseStart(session, requestId, null != error ? ErrorCode.INVALID_ARGUMENT : ErrorCode.BACK_PRESSURED,
                null != error ? error : "too many reads or holdings of the session");
            return;
        }

        plan.start(session, requestId, timeoutNs, isBestEffort);
        core.jobs.start(plan, core.nowNs());
    }

    /** A worker wants the values of a handle. */
    void onTransfer(
        final WorkerSession session, final GetTransferRequestDecoder request, final RequestLog.Entry entry)
    {
        final ReadPlan plan = session.readPlans.get(request.handle());
        if (null == plan || ReadPlan.State.STARTED != plan.state())
        {
            refuseTransfer(session, entry, NO_HANDLE, UNKNOWN_HANDLE);
            return;
        }

        final int wanted = request.consumePrefixLen();
        final int prefixLen = WHOLE_PREFIX == wanted ? plan.transferableLen() : wanted;
        if (!plan.isConsumable(prefixLen))
        {
            refuseTransfer(session, entry, request.handle(), "consumePrefixLen: " + wanted +
                " is not the end of an atomic group within 1 to " + plan.transferableLen());
            return;
        }

        plan.consume(
            prefixLen, request.correlationId(), Limits.timeoutNs(request.timeoutNs()), core.nowNs());
    }

    /** A worker gives a handle up. */
    void onCancel(final WorkerSession session, final GetCancelRequestDecoder request, final RequestLog.Entry entry)
    {
        final ReadPlan plan = session.readPlans.get(request.handle());
        final boolean isKnown = null != plan && ReadPlan.State.STARTED == plan.state();
        entry.isAnswered = true;
        entry.status = isKnown ? ErrorCode.OK : ErrorCode.INVALID_ARGUMENT;
        session.outstanding--;
        if (isKnown)
        {
            plan.cancel("cancelled", core.nowNs());
        }
        core.workers.status(session, request.correlationId(), entry.status, isKnown ? "" : UNKNOWN_HANDLE);
    }

    /**
     * A worker no longer uses some holdings; ids that are not known are passed over, so a repeated release does nothing
     * but be acknowledged again (contract GET-2). A message with more ids than one step should touch is refused whole.
     */
    void onRelease(final WorkerSession session, final ReleaseHoldingsDecoder request)
    {
        final ReleaseHoldingsDecoder.HoldingsDecoder holdings = request.holdings();
        if (holdings.count() > Limits.MAX_RELEASES_PER_MESSAGE)
        {
            core.workers.status(session, request.correlationId(), ErrorCode.INVALID_ARGUMENT,
                "holdings: more than " + Limits.MAX_RELEASES_PER_MESSAGE);
            return;
        }

        core.budget.charge(holdings.count());
        while (holdings.hasNext())
        {
            final int slotId = session.removeHolding(holdings.next().holdingId());
            if (SlotTable.NONE != slotId)
            {
                core.pool.holderRelease(slotId);
                core.counters.closed(OwnerCounter.HOLDINGS, OwnerCounter.HOLDINGS_CLOSED);
            }
        }
        core.workers.status(session, request.correlationId(), ErrorCode.OK, "");
    }

    /** A worker asks which keys exist. */
    void onExists(final WorkerSession session, final ExistsRequestDecoder request, final DirectBuffer message)
    {
        final ExistsJob job = existsJobs.take();
        job.start(session, request.correlationId(), Limits.timeoutNs(request.timeoutNs()), message);
        core.jobs.start(job, core.nowNs());
    }

    /** A worker wants values to be gone. */
    void onDelete(final WorkerSession session, final DeleteRequestDecoder request, final DirectBuffer message)
    {
        final DeleteJob job = deleteJobs.take();
        job.start(session, request.correlationId(), Limits.timeoutNs(request.timeoutNs()), message);
        core.jobs.start(job, core.nowNs());
    }

    /** A tool wants to see what is here. */
    void onInspect(final WorkerSession session, final InspectRequestDecoder request, final DirectBuffer message)
    {
        final InspectJob job = inspectJobs.take();
        job.start(session, request.correlationId(), Limits.timeoutNs(request.timeoutNs()), message);
        core.jobs.start(job, core.nowNs());
    }

    /** The outcome of a delete, as it is recorded. */
    void answerDelete(final WorkerSession session, final RequestLog.Entry entry)
    {
        switch (entry.status)
        {
            case ErrorCode.OK -> core.workers.deleted(session, entry);
            case ErrorCode.INVALID_ARGUMENT, ErrorCode.UNKNOWN -> core.workers.status(
                session, entry.requestId, entry.status, AS_BEFORE);
            default -> core.workers.deleteFailed(session, entry.requestId, entry.status, Stage.get((short)entry.stage),
                "the master did not confirm it, so it is not known which keys are gone");
        }
    }

    /** A start came again: its recorded outcome. */
    void repeatStart(final WorkerSession session, final RequestLog.Entry entry)
    {
        if (ErrorCode.OK != entry.status)
        {
            core.workers.getStartFailed(
                session, entry.requestId, entry.status, Stage.get((short)entry.stage), AS_BEFORE);
            return;
        }

        if (!entry.isBeingRepeated)
        {
            repeats.take().repeatStart(session, entry);
        }
    }

    /** A transfer came again: its recorded outcome. */
    void repeatTransfer(final WorkerSession session, final RequestLog.Entry entry)
    {
        if (ErrorCode.OK != entry.status)
        {
            core.workers.getTransferFailed(
                session, entry.requestId, entry.objectId, entry.status, Stage.get((short)entry.stage), AS_BEFORE);
            return;
        }

        if (!entry.isBeingRepeated)
        {
            repeats.take().repeatTransfer(session, entry);
        }
    }

    void free(final ReadPlan plan)
    {
        plans.giveBack(plan);
    }

    void free(final RepeatJob job)
    {
        repeats.giveBack(job);
    }

    void free(final ExistsJob job)
    {
        existsJobs.giveBack(job);
    }

    void free(final DeleteJob job)
    {
        deleteJobs.giveBack(job);
    }

    void free(final InspectJob job)
    {
        inspectJobs.giveBack(job);
    }

    private void refuseStart(
        final WorkerSession session, final long requestId, final int status, final String message)
    {
        final RequestLog.Entry entry = session.requests.entryOf(requestId);
        entry.isAnswered = true;
        entry.status = status;
        session.outstanding--;
        core.workers.getStartFailed(session, requestId, status, Stage.NONE, message);
    }

    private void refuseTransfer(
        final WorkerSession session, final RequestLog.Entry entry, final long handle, final String message)
    {
        entry.isAnswered = true;
        entry.status = ErrorCode.INVALID_ARGUMENT;
        entry.objectId = handle;
        session.outstanding--;
        core.workers.getTransferFailed(
            session, entry.requestId, handle, ErrorCode.INVALID_ARGUMENT, Stage.NONE, message);
    }
}
