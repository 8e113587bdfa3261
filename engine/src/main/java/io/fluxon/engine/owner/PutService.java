package io.fluxon.engine.owner;

import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PutAbortRequestDecoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import io.fluxon.codecs.control.PutCommitResultEncoder;
import io.fluxon.codecs.control.ReserveRequestEncoder;
import io.fluxon.codecs.control.ReserveResponseDecoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.codecs.control.UnreserveRequestEncoder;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.engine.protocol.OperationIds;
import io.fluxon.engine.protocol.PutOptionBits;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.MessageCheck;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The puts of all sessions up to their commit: requests, conflicts that the owner can see itself, and reservations at
 * the master, which are asked for and never waited for (contract PUT-1).
 */
final class PutService
{
    private static final int MIN_IDS_TO_RESERVE = Limits.MAX_OPEN_OPERATIONS / 2;

    private final OwnerCore core;
    private final Pool<PutPlan> plans;
    private final Pool<PutBatch> batches = new Pool<>(PutBatch::new);
    private final Pool<MasterOperation> operations;
    private final ReserveListener reserveListener = new ReserveListener();
    private final UnreserveListener unreserveListener = new UnreserveListener();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final UnreserveRequestEncoder unreserveRequest = new UnreserveRequestEncoder();
    private final ExpandableArrayBuffer resultBuffer = new ExpandableArrayBuffer(512);
    private final PutCommitResultEncoder commitResult = new PutCommitResultEncoder();
    private final ReserveRequestEncoder reserveRequest = new ReserveRequestEncoder();
    private long lastSequence;

    PutService(final OwnerCore core)
    {
        this.core = core;
        plans = new Pool<>(() -> new PutPlan(core));
        operations = new Pool<>(() -> new MasterOperation(core.master));
    }

    /** A worker wants to put. */
    void onStart(final WorkerSession session, final long requestId, final long timeoutNs, final DirectBuffer message)
    {
        final PutBatch batch = batches.take();
        final boolean hasGroups = batch.read(message, message.capacity());
        final String error = hasGroups ? check(batch) : "atomicGroups: lengths must be positive and add up to the keys";
        final int status;
        if (null != error)
        {
            status = ErrorCode.INVALID_ARGUMENT;
        }
        else if (core.publishes.isFull(batch.count) || session.putPlans.size() >= core.settings.maxPlansPerSession())
        {
            status = ErrorCode.BACK_PRESSURED;
        }
        else
        {
            status = ErrorCode.OK;
        }

        if (ErrorCode.OK != status)
        {
            free(batch);
            final RequestLog.Entry entry = session.requests.entryOf(requestId);
            entry.isAnswered = true;
            entry.status = status;
            session.outstanding--;
            core.workers.putStartFailed(session, requestId, status, Stage.NONE,
                null != error ? error : "too many put plans or unpublished keys");
            return;
        }

        final PutPlan plan = plans.take();
        plan.start(session, batch, requestId, timeoutNs);
        core.jobs.start(plan, core.nowNs());
    }

    /** A worker has written and commits. */
    void onCommit(final WorkerSession session, final PutCommitRequestDecoder request, final RequestLog.Entry entry)
    {
        final PutPlan plan = session.putPlans.get(request.planId());
        if (null != plan && PutPlan.State.STARTED == plan.state())
        {
            plan.commit(request.correlationId(), core.nowNs());
            return;
        }

        entry.isAnswered = true;
        entry.status = ErrorCode.INVALID_ARGUMENT;
        entry.objectId = request.planId();
        session.outstanding--;
        core.workers.putCommitLocal(session, request.correlationId(), request.planId(),
            ErrorCode.INVALID_ARGUMENT, "planId is not that of a started put of this session");
    }

    /** A worker gives a plan up. */
    void onAbort(final WorkerSession session, final PutAbortRequestDecoder request, final RequestLog.Entry entry)
    {
        final PutPlan plan = session.putPlans.get(request.planId());
        final boolean isKnown = null != plan && PutPlan.State.STARTED == plan.state();
        entry.isAnswered = true;
        entry.status = isKnown ? ErrorCode.OK : ErrorCode.INVALID_ARGUMENT;
        session.outstanding--;
        if (isKnown)
        {
            plan.abort(core.nowNs());
        }
        core.workers.status(session, request.correlationId(), entry.status,
            isKnown ? "" : "planId is not that of a started put of this session");
    }

    /** A start came again: its recorded outcome. */
    void repeatStart(final WorkerSession session, final RequestLog.Entry entry)
    {
        if (ErrorCode.OK != entry.status)
        {
            core.workers.putStartFailed(
                session, entry.requestId, entry.status, Stage.get((short)entry.stage), "as before");
            return;
        }

        final PutPlan plan = session.putPlans.get(entry.objectId);
        if (null != plan)
        {
            plan.repeatStart();
        }
    }

    /** A commit came again: its recorded outcome, as far as it is known. */
    void repeatCommit(final WorkerSession session, final RequestLog.Entry entry)
    {
        core.workers.putCommitLocal(session, entry.requestId, entry.objectId, entry.status,
            ErrorCode.OK == entry.status ? "" : "as before");
        if (entry.isResultKnown)
        {
            sendResult(
                null,
                session,
                entry.requestId,
                entry.objectId,
                entry.areAllResultsOk ? null : entry.results,
                entry.resultCount);
        }
    }

    /**
     * Sends the results of a commit.
     *
     * @param job   that waits when the worker's queue does not take them now; null = then they are not sent.
     * @param codes of the keys; null = all are 0.
     * @return false when the worker's queue does not take them now.
     */
    boolean sendResult(
        final Job job,
        final WorkerSession session,
        final long requestId,
        final long planId,
        final int[] codes,
        final int count)
    {
        final PutCommitResultEncoder.ResultsEncoder results = commitResult
            .wrapAndApplyHeader(resultBuffer, 0, header)
            .generation(core.context.generation())
            .sessionId(session.sessionId)
            .correlationId(requestId)
            .planId(planId)
            .resultsCount(count);
        for (int i = 0; i < count; i++)
        {
            results.next().code(null == codes ? ErrorCode.OK : codes[i]);
        }

        final int length = MessageHeaderEncoder.ENCODED_LENGTH + commitResult.encodedLength();

        return null == job ?
            session.outbound.send(resultBuffer, 0, length) : session.sendOrPark(job, resultBuffer, length);
    }

    /**
     * Why a put of the key cannot be, as far as the owner sees it itself (contract PUT-1).
     *
     * @return 0, or the error code.
     */
    int conflict(final PutBatch batch, final int index)
    {
        final boolean rejectsExisting = batch.isSet(PutOptionBits.REJECT_IF_EXISTS);
        final boolean rejectsInflight = batch.isSet(PutOptionBits.REJECT_IF_INFLIGHT);
        if (!rejectsExisting && !rejectsInflight)
        {
            return ErrorCode.OK;
        }

        final long low = batch.digestLow[index];
        final long high = batch.digestHigh[index];
        final DirectBuffer buffer = batch.keys.buffer();
        final int offset = batch.keys.keyOffset(index);
        final int length = batch.keys.keyLength(index);
        if (rejectsExisting && LocalValues.NONE != core.values.find(low, high, buffer, offset, length))
        {
            return ErrorCode.KEY_ALREADY_EXISTS;
        }

        if (rejectsInflight &&
            (core.inflightPuts.contains(low, high, buffer, offset, length) ||
            LocalValues.NONE != core.values.findPending(low, high, buffer, offset, length)))
        {
            return ErrorCode.KEY_BEING_WRITTEN;
        }

        return ErrorCode.OK;
    }

    /**
     * What is wrong with the wishes for replicas and the hint's key, known once all keys are walked; null = nothing.
     */
    String checkWishes(final PutBatch batch)
    {
        for (int group = 0; group < batch.groupCount; group++)
        {
            final int start = batch.groupStart(group);
            final boolean isWished = batch.isReplicaWished(start);
            for (int i = start + 1; i < batch.groupEnds[group]; i++)
            {
                if (isWished != batch.isReplicaWished(i))
                {
                    return "replicaWish: differs within atomic group " + group;
                }
            }
        }

        final int parentKey = batch.keys.limit();
        final int length = batch.request.getShort(parentKey, LITTLE_ENDIAN) & 0xFFFF;

        return 0 == length ||
            MessageCheck.isKey(batch.request, parentKey + Short.BYTES, length, Limits.MAX_KEY_BYTES) ?
            null : "parentKey: is not 1 to " + Limits.MAX_KEY_BYTES + " bytes of UTF-8";
    }

    /** First of a run of put sequences. */
    long nextSequences(final int count)
    {
        final long first = lastSequence + 1;
        lastSequence += count;

        return first;
    }

    /** Begins a reservation; null when the master is away or the ids are scarce: a publish needs none. */
    MasterOperation beginReserve(final PutBatch batch)
    {
        if (!core.master.isAvailable() || core.master.availableIds() < MIN_IDS_TO_RESERVE)
        {
            return null;
        }

        final MasterOperation operation = operations.take();
        operation.listener = reserveListener;
        operation.sent = OwnerCounter.RESERVES;
        operation.hasWatermark = true;
        operation.length = 0;
        batch.reserveOperationId = core.master.open(operation);
        reserveRequest.wrapAndApplyHeader(operation.buffer, 0, header)
            .generation(core.context.generation())
            .correlationId(operation.operationId);
        operation.buffer.putShort(
            MasterOperation.BLOCK_OFFSET + ReserveRequestEncoder.optionsEncodingOffset(),
            (short)batch.options,
            LITTLE_ENDIAN);
        reserveRequest.keysCount(batch.count);
        operation.length = reserveRequest.limit();

        return operation;
    }

    /** Adds a key to a reservation that has begun. */
    void addReserved(final PutBatch batch, final int index, final MasterOperation operation)
    {
        final int keyLength = batch.keys.keyLength(index);
        int position = operation.length;
        operation.buffer.putLong(position, batch.firstSequence + index, LITTLE_ENDIAN);
        position += Long.BYTES;
        operation.buffer.putShort(position, (short)keyLength, LITTLE_ENDIAN);
        position += Short.BYTES;
        operation.buffer.putBytes(position, batch.keys.buffer(), batch.keys.keyOffset(index), keyLength);
        operation.length = position + keyLength;
    }

    void sendReserve(final MasterOperation operation)
    {
        core.counters.increment(OwnerCounter.RESERVATIONS);
        core.master.send(operation, Long.MAX_VALUE);
    }

    /**
     * Takes a reservation back.
     *
     * @param unsent operation of a reservation that was begun and not sent, or null.
     */
    void unreserve(final PutBatch batch, final MasterOperation unsent)
    {
        if (null != unsent)
        {
            core.master.close(unsent);
            operations.giveBack(unsent);
        }
        else if (0 != batch.reserveOperationId)
        {
            final MasterOperation operation = operations.take();
            operation.listener = unreserveListener;
            operation.sent = OwnerCounter.UNRESERVES;
            operation.hasWatermark = true;
            if (OperationIds.NONE == core.master.open(operation))
            {
                operations.giveBack(operation);
                onReservationOver(batch.reserveOperationId);
                return;
            }

            unreserveRequest.wrapAndApplyHeader(operation.buffer, 0, header)
                .generation(core.context.generation())
                .correlationId(operation.operationId)
                .reserveOperationId(batch.reserveOperationId);
            operation.length = MessageHeaderEncoder.ENCODED_LENGTH + unreserveRequest.encodedLength();
            core.master.send(operation, Long.MAX_VALUE);
        }
        batch.reserveOperationId = 0;
    }

    /** A reservation was consumed by a publish, or taken back. */
    void onReservationOver(final long reserveOperationId)
    {
        if (0 != reserveOperationId)
        {
            core.counters.add(OwnerCounter.RESERVATIONS, -1);
            core.master.close(reserveOperationId);
        }
    }

    void free(final PutPlan plan)
    {
        plans.giveBack(plan);
    }

    void free(final PutBatch batch)
    {
        batch.keys.reset();
        batches.giveBack(batch);
    }

    private String check(final PutBatch batch)
    {
        if (batch.count < 1 || batch.count > core.settings.maxKeysPerBatch())
        {
            return "keys: " + batch.count + " is not within 1 to " + core.settings.maxKeysPerBatch();
        }

        final long maxValueLength = core.pool.plan().maxValueLength();
        if (batch.valueLength < 1 || batch.valueLength > maxValueLength)
        {
            return "valueLength: " + batch.valueLength + " is not within 1 to " + maxValueLength;
        }

        if (0 != (batch.options & ~PutOptionBits.ALL))
        {
            return "options: unknown bits " + batch.options;
        }

        if (batch.isSet(PutOptionBits.WRITE_THROUGH))
        {
            return "writeThrough: not supported";
        }

        if (batch.isSet(PutOptionBits.HAS_COHORT) &&
            (batch.cohortSize < 1 || batch.cohortRank < 0 || batch.cohortRank >= batch.cohortSize))
        {
            return "cohort: rank " + batch.cohortRank + " is not within its size " + batch.cohortSize;
        }

        return batch.isSet(PutOptionBits.HAS_COHORT) ? checkCohort(batch) : null;
    }

    /** What goes in one message, the groups of all ranks, is bounded by what a message holds (contract EVICT-1). */
    private String checkCohort(final PutBatch batch)
    {
        for (int group = 0; group < batch.groupCount; group++)
        {
            if ((long)batch.groupLength(group) * batch.cohortSize > core.settings.maxKeysPerBatch())
            {
                return "cohort: " + batch.cohortSize + " ranks of an atomic group of " + batch.groupLength(group) +
                    " keys are more than " + core.settings.maxKeysPerBatch();
            }
        }

        return null;
    }

    private final class ReserveListener implements OperationListener
    {
        /** {@inheritDoc} */
        @Override
        public void onAnswer(final MasterOperation operation, final int templateId, final DirectBuffer message)
        {
            if (ReserveResponseDecoder.TEMPLATE_ID == templateId ||
                MasterLink.NOT_AN_ANSWER != core.master.ackStatus(templateId, message))
            {
                core.master.close(operation);
                operations.giveBack(operation);
            }
        }

        /** {@inheritDoc} */
        @Override
        public void onGivenUp(final MasterOperation operation)
        {
            operations.giveBack(operation);
        }
    }

    private final class UnreserveListener implements OperationListener
    {
        /** {@inheritDoc} */
        @Override
        public void onAnswer(final MasterOperation operation, final int templateId, final DirectBuffer message)
        {
            if (MasterLink.NOT_AN_ANSWER != core.master.ackStatus(templateId, message))
            {
                final long reserveOperationId = operation.buffer.getLong(
                    MasterOperation.BLOCK_OFFSET + UnreserveRequestEncoder.reserveOperationIdEncodingOffset(),
                    LITTLE_ENDIAN);
                core.master.close(operation);
                operations.giveBack(operation);
                onReservationOver(reserveOperationId);
            }
        }

        /** {@inheritDoc} */
        @Override
        public void onGivenUp(final MasterOperation operation)
        {
            operations.giveBack(operation);
        }
    }
}
