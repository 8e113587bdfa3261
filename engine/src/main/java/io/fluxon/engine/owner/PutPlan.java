package io.fluxon.engine.owner;

import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PutStartResponseEncoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.engine.memory.Claim;
import io.fluxon.engine.memory.ClaimKind;
import io.fluxon.engine.memory.ClaimListener;
import io.fluxon.engine.memory.ClaimQueue;
import io.fluxon.engine.memory.InvariantViolation;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.KeyWalk;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.ipc.ErrorCode;
import org.agrona.ExpandableArrayBuffer;

/**
 * A put from its request to its commit or abort (contract 2): all its keys are checked before anything is reserved, its
 * slots are claimed all or nothing, and until the commit they belong to the plan and die with its session. The commit
 * hands everything to a {@link PublishJob}.
 */
final class PutPlan extends Job implements ClaimListener
{
    /**
     * Life of a put plan.
     */
    enum State
    {
        /** In the pool. */
        FREE,
        /** Its keys are checked. */
        VALIDATING,
        /** Waits for slots. */
        CLAIMING,
        /** Its slots are taken and get their keys. */
        FILLING,
        /** The worker's kernel writes. */
        STARTED,
        /** Committed: the values become local-visible. */
        COMMITTING,
        /** Gives its slots back: aborted, failed, or its session has ended. */
        ABORTING,
        /** Its session is hung: its slots are put aside. */
        QUARANTINING,
        /** Waits for its worker to come back, or the end of its process. */
        QUARANTINED,
        /** Its worker is back and still uses it: its slots are what they were (contract API-10). */
        RESTORING
    }

    private final OwnerCore core;
    private final DuplicateCheck duplicates = new DuplicateCheck();
    private final Claim claim = new Claim(this);
    private final ExpandableArrayBuffer response = new ExpandableArrayBuffer(512);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final PutStartResponseEncoder responseEncoder = new PutStartResponseEncoder();
    private State state = State.FREE;
    private WorkerSession session;
    private PutBatch batch;
    private PublishJob publish;
    private MasterOperation reserve;
    private long planId;
    private long requestId;
    private long timeoutNs;
    private long commitRequestId;
    private long seenPuts;
    private long seenValues;
    private int cursor;
    private int group;
    private int slotsHeld;
    private int conflict;
    private int failCode;
    private Stage failStage;
    private String failMessage;
    private String reason;
    private boolean isWaitingForTurn;

    PutPlan(final OwnerCore core)
    {
        this.core = core;
    }

    /** Takes a request over; the first step is to follow. */
    void start(
        final WorkerSession ofSession, final PutBatch ofBatch, final long ofRequestId, final long timeout)
    {
        session = ofSession;
        batch = ofBatch;
        requestId = ofRequestId;
        timeoutNs = timeout > 0 ? timeout : Long.MAX_VALUE;
        planId = core.nextId();
        conflict = ErrorCode.OK;
        failCode = ErrorCode.OK;
        slotsHeld = 0;
        reserve = null;
        seenPuts = core.inflightPuts.additions();
        seenValues = core.values.additions();
        duplicates.start(batch.count);
        session.putPlans.put(planId, this);
        core.counters.opened(OwnerCounter.PUT_PLANS, OwnerCounter.PUT_PLANS_OPENED);
        state(State.VALIDATING, "request");
    }

    State state()
    {
        return state;
    }

    long planId()
    {
        return planId;
    }

    PutBatch batch()
    {
        return batch;
    }

    /** The plan as it is now, for inspection. */
    OwnerView.PutPicture picture()
    {
        return new OwnerView.PutPicture(
            planId,
            session.sessionId,
            requestId,
            OwnerView.PutState.valueOf(state.name()),
            batch.count,
            OwnerView.ClaimPicture.of(claim));
    }

    /** Holders that the plan has, for audits. */
    int slotsHeld()
    {
        return slotsHeld;
    }

    /** {@inheritDoc} */
    @Override
    boolean step(final long nowNs)
    {
        if (State.FREE == state)
        {
            return false;
        }

        final boolean isSmall = batch.count <= core.settings.planSliceKeys();
        boolean isRunnable;
        State before;
        do
        {
            before = state;
            isRunnable = switch (state)
            {
                case VALIDATING -> validate(nowNs);
                case FILLING -> fill();
                case COMMITTING -> commit(nowNs);
                case ABORTING -> abort();
                case QUARANTINING -> quarantine();
                case RESTORING -> restore();
                case FREE, CLAIMING, STARTED, QUARANTINED -> false;
            };
        }
        while (isRunnable && before != state && isSmall);

        return isRunnable;
    }

    /** The worker commits: from here the outcome no longer depends on its life. */
    void commit(final long ofRequestId, final long nowNs)
    {
        commitRequestId = ofRequestId;
        publish = core.publishes.open(session, batch, planId, ofRequestId);
        state(State.COMMITTING, "commit");
        core.jobs.start(this, nowNs);
    }

    /** The worker aborts. */
    void abort(final long nowNs)
    {
        state(State.ABORTING, "abort");
        core.jobs.start(this, nowNs);
    }

    boolean isWaitingForTurn()
    {
        return isWaitingForTurn;
    }

    void isWaitingForTurn(final boolean isWaiting)
    {
        isWaitingForTurn = isWaiting;
    }

    /** The session is silent too long: what the worker may write to is put aside. */
    void onSessionHung()
    {
        if (State.STARTED == state)
        {
            state(State.QUARANTINING, "session hung");
            core.resume(this);
        }
    }

    /** The worker is back and still uses the plan (contract API-10). */
    void onSessionResumed()
    {
        if (State.QUARANTINING == state || State.QUARANTINED == state)
        {
            state(State.RESTORING, "session resumed");
            core.resume(this);
        }
    }

    /** The worker is back and does not use the plan: it is given back, unless it is committed (contract API-10). */
    void onSessionResumedWithout()
    {
        switch (state)
        {
            case STARTED, QUARANTINING, QUARANTINED, RESTORING ->
            {
                state(State.ABORTING, "not named at resume");
                core.resume(this);
            }
            case VALIDATING, CLAIMING, FILLING ->
            {
                core.claims.cancel(claim);
                fail(ErrorCode.TRANSPORT, Stage.NONE, "the session was resumed without it");
                core.resume(this);
            }
            case FREE, COMMITTING, ABORTING ->
            {
            }
        }
    }

    long requestId()
    {
        return requestId;
    }

    /** The session has ended: what is not committed is given back. */
    void onSessionEnded()
    {
        if (State.COMMITTING != state && State.ABORTING != state)
        {
            core.claims.cancel(claim);
            state(State.ABORTING, "session ended");
            core.resume(this);
        }
    }

    /** {@inheritDoc} */
    @Override
    public void onClaimGranted(final Claim granted, final long nowNs)
    {
        if (State.CLAIMING == state)
        {
            state(State.FILLING, "claim granted");
            core.jobs.start(this, nowNs);
        }
    }

    /** {@inheritDoc} */
    @Override
    public void onClaimFailed(final Claim failed, final int errorCode, final Stage stage, final long nowNs)
    {
        if (State.CLAIMING == state)
        {
            fail(errorCode, stage,
                core.claims.describe(failed, nowNs) + core.evictions.describe(failed.classIndex()));
            core.resume(this);
        }
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        if (State.VALIDATING != state && State.FILLING != state)
        {
            throw new InvariantViolation("put plan broke while " + state + " after " + reason + ": " + cause);
        }

        fail(ErrorCode.UNKNOWN, Stage.NONE, "internal error");
        core.resume(this);
    }

    /** Answers a start again. */
    void repeatStart()
    {
        if (State.STARTED == state)
        {
            respond();
        }
    }

    private boolean validate(final long nowNs)
    {
        final KeyWalk keys = batch.keys;
        final int from = cursor;
        final int to = keys.walk(core.settings.planSliceKeys());
        core.budget.charge(to - from);
        for (int i = from; i < to; i++)
        {
            final int offset = keys.keyOffset(i);
            final int length = keys.keyLength(i);
            if (!keys.isKeyValid(i))
            {
                return invalid("key " + i + " is not 1 to " + Limits.MAX_KEY_BYTES + " bytes of UTF-8");
            }

            core.digest.compute(keys.buffer(), offset, length);
            batch.digestLow[i] = core.digest.low();
            batch.digestHigh[i] = core.digest.high();
            final int equal = duplicates.add(i, keys, batch.digestLow, batch.digestHigh);
            if (equal >= 0)
            {
                return invalid("keys " + equal + " and " + i + " are equal");
            }

            if (ErrorCode.OK == conflict)
            {
                conflict = core.puts.conflict(batch, i);
            }
        }
        cursor = to;

        return !keys.isDone() || conclude(nowNs);
    }

    private boolean conclude(final long nowNs)
    {
        final String wishError = core.puts.checkWishes(batch);
        if (null != wishError)
        {
            return invalid(wishError);
        }

        if (ErrorCode.OK != conflict)
        {
            return fail(conflict, Stage.NONE, conflictText(conflict));
        }

        final int result = core.claims.submit(
            claim, ClaimKind.PUT, batch.valueLength, batch.count, timeoutNs, nowNs);
        if (ErrorCode.OK == result)
        {
            return state(State.FILLING, "slots at once");
        }

        if (ClaimQueue.WAITING == result)
        {
            state(State.CLAIMING, "slots awaited");
            return false;
        }

        return fail(result, Stage.NONE, core.claims.describe(claim, nowNs));
    }

    private boolean fill()
    {
        if (0 == cursor)
        {
            group = 0;
            batch.firstSequence = core.puts.nextSequences(batch.count);
            reserve = core.puts.beginReserve(batch);
        }

        final boolean isChanged =
            seenPuts != core.inflightPuts.additions() || seenValues != core.values.additions();
        final int end = core.sliceEnd(cursor, batch.count);
        for (int i = cursor; i < end; i++)
        {
            final int code = isChanged ? core.puts.conflict(batch, i) : ErrorCode.OK;
            if (ErrorCode.OK != code)
            {
                cursor = i;
                return fail(code, Stage.NONE, conflictText(code));
            }
            fill(i);
        }
        cursor = end;
        seenPuts = core.inflightPuts.additions();
        seenValues = core.values.additions();

        return end < batch.count || started();
    }

    private void fill(final int index)
    {
        final int slotId = core.claims.take(claim);
        final KeyWalk keys = batch.keys;
        batch.slots[index] = slotId;
        slotsHeld++;
        core.table.key(
            slotId,
            batch.digestLow[index],
            batch.digestHigh[index],
            keys.buffer(),
            keys.keyOffset(index),
            keys.keyLength(index));
        core.table.valueLength(slotId, batch.valueLength);
        core.table.putId(
            slotId, core.context.ownerId(), core.context.generation(), batch.firstSequence + index);
        while (index >= batch.groupEnds[group])
        {
            group++;
        }
        core.table.group(
            slotId, batch.firstSequence + batch.groupStart(group), batch.groupLength(group));
        core.table.cohort(slotId, batch.cohortId, batch.cohortRank, batch.cohortSize);
        core.table.sessionId(slotId, session.sessionId);
        core.table.jobId(slotId, planId);
        core.inflightPuts.add(slotId);
        if (null != reserve)
        {
            core.puts.addReserved(batch, index, reserve);
        }
    }

    private boolean started()
    {
        if (null != reserve)
        {
            core.puts.sendReserve(reserve);
            reserve = null;
        }
        state(State.STARTED, "slots filled");
        final RequestLog.Entry entry = session.requests.entryOf(requestId);
        if (null != entry)
        {
            entry.isAnswered = true;
            entry.objectId = planId;
        }
        session.outstanding--;
        respond();
        if (WorkerSession.State.HUNG == session.state)
        {
            onSessionHung();
        }

        return false;
    }

    private void respond()
    {
        final PutStartResponseEncoder.SlotsEncoder slots = responseEncoder
            .wrapAndApplyHeader(response, 0, header)
            .generation(core.context.generation())
            .sessionId(session.sessionId)
            .correlationId(requestId)
            .status(ErrorCode.OK)
            .stage(Stage.NONE)
            .planId(planId)
            .slotsCount(batch.count);
        for (int i = 0; i < batch.count; i++)
        {
            slots.next().offset(core.pool.offset(batch.slots[i]));
        }
        responseEncoder.message("");
        session.outbound.send(response, 0, MessageHeaderEncoder.ENCODED_LENGTH + responseEncoder.encodedLength());
    }

    /** Commits whole groups; only one longer than a slice is committed in several steps. */
    private boolean commit(final long nowNs)
    {
        if (0 == cursor)
        {
            group = 0;
        }

        final int limit = core.sliceEnd(cursor, batch.count);
        boolean isStepOver = false;
        while (cursor < limit && !isStepOver)
        {
            final boolean isLong = batch.groupLength(group) > core.settings.planSliceKeys();
            if (!core.publishes.commitTurn().enter(this, batch, group, isLong))
            {
                return false;
            }

            isStepOver = batch.groupEnds[group] > limit && !isLong;
            if (!isStepOver)
            {
                commitGroup(Math.min(limit, batch.groupEnds[group]));
            }
        }
        if (cursor < batch.count)
        {
            return true;
        }

        committed(nowNs);

        return false;
    }

    private void commitGroup(final int end)
    {
        while (cursor < end)
        {
            core.publishes.makeVisible(publish, cursor++);
            slotsHeld--;
        }

        if (end == batch.groupEnds[group])
        {
            core.publishes.commitTurn().leave(this);
            publish.onGroup(group);
            group++;
        }
    }

    private void committed(final long nowNs)
    {
        final RequestLog.Entry entry = session.requests.entryOf(commitRequestId);
        if (null != entry)
        {
            entry.isAnswered = true;
            entry.objectId = planId;
        }
        session.outstanding--;
        if (session.isReachable())
        {
            core.workers.putCommitLocal(session, commitRequestId, planId, ErrorCode.OK, "");
        }

        final PublishJob job = publish;
        publish = null;
        free();
        job.start(nowNs);
    }

    private boolean abort()
    {
        core.claims.cancel(claim);
        final int end = core.sliceEnd(cursor, batch.count);
        for (int i = cursor; i < end; i++)
        {
            final int slotId = batch.slots[i];
            if (SlotTable.NONE != slotId)
            {
                batch.slots[i] = SlotTable.NONE;
                core.inflightPuts.remove(slotId);
                core.pool.holderRelease(slotId);
                slotsHeld--;
            }
        }
        cursor = end;
        if (end < batch.count)
        {
            return true;
        }

        core.puts.unreserve(batch, reserve);
        if (ErrorCode.OK != failCode)
        {
            answerFailed();
        }
        core.puts.free(batch);
        free();

        return false;
    }

    private boolean quarantine()
    {
        final int end = core.sliceEnd(cursor, batch.count);
        for (int i = cursor; i < end; i++)
        {
            if (SlotState.PREPARED == core.table.state(batch.slots[i]))
            {
                core.pool.quarantine(batch.slots[i]);
            }
        }
        cursor = end;

        return end < batch.count || !state(State.QUARANTINED, "slots put aside");
    }

    private boolean restore()
    {
        final int end = Math.min(batch.count, cursor + core.settings.planSliceKeys());
        for (int i = cursor; i < end; i++)
        {
            if (SlotState.QUARANTINED == core.table.state(batch.slots[i]))
            {
                core.pool.liftQuarantine(batch.slots[i]);
            }
        }
        cursor = end;

        return end < batch.count || !state(State.STARTED, "quarantine lifted");
    }

    private boolean invalid(final String message)
    {
        return fail(ErrorCode.INVALID_ARGUMENT, Stage.NONE, message);
    }

    /** Gives everything back, then answers: nothing of a failed start stays (contract API-3). */
    private boolean fail(final int errorCode, final Stage stage, final String message)
    {
        failCode = errorCode;
        failStage = stage;
        failMessage = message;

        return state(State.ABORTING, message);
    }

    private void answerFailed()
    {
        final RequestLog.Entry entry = session.requests.entryOf(requestId);
        if (null != entry)
        {
            entry.isAnswered = true;
            entry.status = failCode;
            entry.stage = failStage.value();
        }
        session.outstanding--;
        if (session.isReachable())
        {
            core.workers.putStartFailed(session, requestId, failCode, failStage, failMessage);
        }
        failMessage = null;
    }

    private void free()
    {
        session.putPlans.remove(planId);
        core.counters.closed(OwnerCounter.PUT_PLANS, OwnerCounter.PUT_PLANS_CLOSED);
        session = null;
        batch = null;
        reserve = null;
        state(State.FREE, "done");
        core.puts.free(this);
    }

    private boolean state(final State next, final String why)
    {
        state = next;
        reason = why;
        cursor = 0;

        return true;
    }

    private static String conflictText(final int code)
    {
        return ErrorCode.KEY_ALREADY_EXISTS == code ? "a key has a value already" : "another put of a key is running";
    }
}
