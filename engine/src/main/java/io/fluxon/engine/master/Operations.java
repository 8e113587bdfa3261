package io.fluxon.engine.master;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetDoneResponseEncoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseEncoder;
import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.EvictSourceResponseEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.PublishResponseEncoder;
import io.fluxon.codecs.control.ReplicaGiveUpRequestDecoder;
import io.fluxon.codecs.control.ReplicaStartRequestDecoder;
import io.fluxon.codecs.control.ReplicaStartResponseEncoder;
import io.fluxon.codecs.control.ReportRequestDecoder;
import io.fluxon.codecs.control.ReportResponseEncoder;
import io.fluxon.codecs.control.ReserveRequestDecoder;
import io.fluxon.codecs.control.ReserveResponseEncoder;
import io.fluxon.codecs.control.RouteDeleteRequestDecoder;
import io.fluxon.codecs.control.RouteDeleteResponseEncoder;
import io.fluxon.codecs.control.RouteExistsRequestDecoder;
import io.fluxon.codecs.control.RouteExistsResponseEncoder;
import io.fluxon.codecs.control.UnreserveRequestDecoder;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import static io.fluxon.engine.master.MasterCounter.EVICTIONS_BUSY;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_MALFORMED;
import static io.fluxon.engine.master.MasterCounter.OPERATIONS_ACKNOWLEDGED;
import static io.fluxon.engine.master.MasterCounter.OPERATIONS_REPEATED;

/**
 * Takes the owners' operations and executes them: each owner's in their order, each in slices of bounded work, so that
 * a long batch of one owner does not hold up another (contract G10). The outcome is recorded before it is sent; a
 * repeated operation id gets the record (contract T1).
 */
final class Operations
{
    private static final int CHECKS_PER_KEY = 4;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ReserveResponseEncoder reserveResponse = new ReserveResponseEncoder();
    private final PublishResponseEncoder publishResponse = new PublishResponseEncoder();
    private final BatchGetStartResponseEncoder getStartResponse = new BatchGetStartResponseEncoder();
    private final BatchGetDoneResponseEncoder getDoneResponse = new BatchGetDoneResponseEncoder();
    private final RouteExistsResponseEncoder routeExistsResponse = new RouteExistsResponseEncoder();
    private final ReportResponseEncoder reportResponse = new ReportResponseEncoder();
    private final EvictSourceResponseEncoder evictResponse = new EvictSourceResponseEncoder();
    private final ReplicaStartResponseEncoder replicaResponse = new ReplicaStartResponseEncoder();
    private final RouteDeleteResponseEncoder deleteResponse = new RouteDeleteResponseEncoder();
    private final UnsafeBuffer recorded = new UnsafeBuffer(0, 0);
    private final MasterContext context;
    private final MasterState state;
    private final MasterCounters counters;
    private final MasterPublisher publisher;
    private final OperationCheck check;
    private final PutOperations puts;
    private final GetOperations gets;
    private final ReportOperations reports;
    private final EvictOperations evictions;
    private final ReplicaTasks replicaTasks;
    private final ReplicaOperations replicas;
    private final Removals removals;
    private Operation free;
    private int firstOwner;
    private int queued;

    Operations(final MasterContext context, final MasterState state, final MasterPublisher publisher)
    {
        this.context = context;
        this.state = state;
        this.publisher = publisher;
        counters = context.counters();
        check = new OperationCheck(context);
        final CopyNotices notices = new CopyNotices(context, state, counters, publisher);
        puts = new PutOperations(this, state, counters, publisher, notices);
        replicaTasks = new ReplicaTasks(context, state, counters, publisher);
        replicas = new ReplicaOperations(context, state, replicaTasks);
        gets = new GetOperations(context, state, counters, puts, publisher, replicaTasks, notices);
        reports = new ReportOperations(state, counters, puts);
        removals = new Removals(context, state, this, publisher);
        evictions = new EvictOperations(state, counters, removals, notices);
    }

    /** What owners have been asked to give up. */
    Removals removals()
    {
        return removals;
    }

    EvictOperations evictions()
    {
        return evictions;
    }

    /** Copies that targets are making. */
    ReplicaTasks replicaTasks()
    {
        return replicaTasks;
    }

    /** Operations that wait for their turn or are being executed. */
    int queued()
    {
        return queued;
    }

    /**
     * An operation has arrived in a session that is known.
     *
     * @param message    in a buffer of exact bounds.
     * @param templateId of the message.
     */
    void onOperation(final OwnerSession owner, final DirectBuffer message, final int templateId)
    {
        final long operationId = Entries.correlationId(message);
        final long watermark = Entries.getLong(
            message, MessageHeaderEncoder.ENCODED_LENGTH + PublishRequestDecoder.ackedWatermarkEncodingOffset());
        if (watermark < 0 || watermark >= operationId)
        {
            malformed(owner, operationId);
            return;
        }

        final OutcomeLog outcomes = owner.outcomes();
        outcomes.acknowledge(watermark);

        switch (outcomes.known(operationId))
        {
            case NO -> take(owner, message, templateId, operationId, true);
            case RECORDED -> onRepeated(owner, message, templateId, operationId);
            case PENDING -> counters.increment(OPERATIONS_REPEATED);
            case ACKNOWLEDGED -> counters.increment(OPERATIONS_ACKNOWLEDGED);
            case BEYOND -> publisher.refused(owner, operationId, ErrorCode.BACK_PRESSURED);
        }
    }

    /** A part of an owner's report has arrived: parts are carried out one after the other, each once. */
    void onReport(final OwnerSession owner, final DirectBuffer message)
    {
        final long part = Entries.correlationId(message);
        if (part == owner.partsReported() && owner.lastReportLength() > 0)
        {
            counters.increment(OPERATIONS_REPEATED);
            publisher.lastReport(owner);
        }
        else if (!owner.isReconciled() && part == owner.partsReported() + 1 && 0 == owner.partPending() &&
            take(owner, message, ReportRequestDecoder.TEMPLATE_ID, part, false))
        {
            owner.partPending(part);
        }
    }

    /** A question has arrived whose answer is not recorded. */
    void onQuestion(final OwnerSession owner, final DirectBuffer message, final int templateId)
    {
        take(owner, message, templateId, Entries.correlationId(message), false);
    }

    /** Works on what waits; returns the number of keys that were dealt with. */
    int doWork()
    {
        final int parked = removals.doWork(context.sliceKeys());

        return 0 == queued ? parked : parked + work();
    }

    private int work()
    {

        final int slice = context.sliceKeys();
        int budget = 2 * slice;
        final Operation holder = puts.turnHolder();
        if (null != holder)
        {
            budget -= stepOwner(holder.owner, slice);
        }

        final OwnerRegistry owners = state.owners;
        final int size = owners.size();
        firstOwner = firstOwner + 1 < size ? firstOwner + 1 : 0;
        for (int i = 0; i < size && budget > 0; i++)
        {
            final int index = firstOwner + i;
            final OwnerSession owner = owners.get(index < size ? index : index - size);
            if (null != owner.head())
            {
                budget -= stepOwner(owner, Math.min(slice, budget));
            }
        }

        return 2 * slice - budget;
    }

    /** Drops what an owner has asked for and did not get yet; nothing of it is recorded. */
    void drop(final OwnerSession owner)
    {
        while (null != owner.head())
        {
            final Operation operation = owner.head();
            operation.refuse(ErrorCode.OK);
            finish(owner, operation);
        }
        removals.drop(owner);
    }

    /** Ends an operation that was parked. */
    void unpark(final Operation operation)
    {
        end(operation.owner, operation);
    }

    private int stepOwner(final OwnerSession owner, final int slice)
    {
        int used = 0;
        while (used < slice && null != owner.head())
        {
            final Operation operation = owner.head();
            final int keys = step(operation, slice - used);
            if (operation.isFinished())
            {
                finish(owner, operation);
            }
            else if (Operation.Stage.PARKED == operation.stage)
            {
                owner.dequeue();
                queued--;
                state.lookAhead.forget();
            }
            else if (0 == keys)
            {
                break;
            }
            used += Math.max(1, keys);
        }

        return used;
    }

    private int step(final Operation operation, final int budget)
    {
        int used = 0;
        if (Operation.Stage.CHECK == operation.stage)
        {
            used = (check.step(operation, budget * CHECKS_PER_KEY) + CHECKS_PER_KEY - 1) / CHECKS_PER_KEY;
            if (Operation.Stage.CHECK == operation.stage || used >= budget)
            {
                return used;
            }
        }

        if (Operation.Stage.EXECUTE == operation.stage)
        {
            used += execute(operation, budget - used);
        }

        return used;
    }

    private int execute(final Operation operation, final int budget)
    {
        return switch (operation.templateId)
        {
            case ReserveRequestDecoder.TEMPLATE_ID -> puts.reserve(operation, budget);
            case UnreserveRequestDecoder.TEMPLATE_ID -> puts.unreserve(operation);
            case PublishRequestDecoder.TEMPLATE_ID -> puts.publish(operation, budget);
            case BatchGetStartRequestDecoder.TEMPLATE_ID -> gets.start(operation, budget);
            case BatchGetDoneRequestDecoder.TEMPLATE_ID -> gets.done(operation, budget);
            case BatchGetRevokeRequestDecoder.TEMPLATE_ID -> gets.revoke(operation, budget);
            case ReportRequestDecoder.TEMPLATE_ID -> reports.report(operation, budget);
            case EvictSourceRequestDecoder.TEMPLATE_ID -> evictions.evict(operation, budget);
            case ReplicaStartRequestDecoder.TEMPLATE_ID -> replicas.start(operation, budget, state.clockNs());
            case ReplicaGiveUpRequestDecoder.TEMPLATE_ID -> replicas.giveUp(operation);
            case RouteDeleteRequestDecoder.TEMPLATE_ID -> removals.take(operation);
            default -> gets.exists(operation, budget);
        };
    }

    private void onRepeated(
        final OwnerSession owner, final DirectBuffer message, final int templateId, final long operationId)
    {
        if (forgetOutlived(owner, operationId))
        {
            take(owner, message, templateId, operationId, true);
        }
        else
        {
            counters.increment(OPERATIONS_REPEATED);
            owner.outcomes().wrapAnswer(operationId, recorded);
            publisher.answer(owner, recorded);
        }
    }

    /**
     * Forgets a recorded outcome of an earlier tenure that speaks of replicas or leases. These ended with the tenure,
     * so an owner that came back and still asks has neither taken them over nor reported them: the operation is
     * executed anew when it comes. All other outcomes stay (contract T1).
     *
     * @return was it one of these?
     */
    boolean forgetOutlived(final OwnerSession owner, final long operationId)
    {
        final OutcomeLog outcomes = owner.outcomes();
        outcomes.wrapAnswer(operationId, recorded);
        final boolean isForgotten =
            outcomes.isOutlived(operationId) && isOfTenure(Entries.templateId(recorded));
        if (isForgotten)
        {
            outcomes.forget(operationId);
        }

        return isForgotten;
    }

    private static boolean isOfTenure(final int answerTemplateId)
    {
        return PublishResponseEncoder.TEMPLATE_ID == answerTemplateId ||
            BatchGetStartResponseEncoder.TEMPLATE_ID == answerTemplateId ||
            BatchGetDoneResponseEncoder.TEMPLATE_ID == answerTemplateId ||
            ReplicaStartResponseEncoder.TEMPLATE_ID == answerTemplateId ||
            EvictSourceResponseEncoder.TEMPLATE_ID == answerTemplateId;
    }

    private boolean take(
        final OwnerSession owner,
        final DirectBuffer message,
        final int templateId,
        final long operationId,
        final boolean isRecorded)
    {
        final Operation operation = obtain();
        operation.begin(owner, templateId, operationId);
        operation.isRecorded = isRecorded;
        if (!check.locate(operation, message))
        {
            giveBack(operation);
            malformed(owner, operationId);
            return false;
        }

        final int refusal = admit(operation, message);
        if (ErrorCode.OK != refusal)
        {
            giveBack(operation);
            publisher.refused(owner, operationId, refusal);
            return false;
        }

        beginAnswer(operation);
        operation.rewind();
        owner.enqueue(operation);
        queued++;

        return true;
    }

    private int admit(final Operation operation, final DirectBuffer message)
    {
        if (operation.count > context.maxKeysPerBatch())
        {
            return ErrorCode.INVALID_ARGUMENT;
        }

        if (operation.owner.queued() >= context.maxQueuedOperations())
        {
            return ErrorCode.BACK_PRESSURED;
        }

        final int length = message.capacity();
        operation.messageAddress = state.operationPool.allocate(length);
        if (BytePool.NONE == operation.messageAddress)
        {
            return ErrorCode.BACK_PRESSURED;
        }
        operation.message.wrap(operation.messageAddress, length);
        operation.message.putBytes(0, message, 0, length);

        final int answerLength = answerLength(operation);
        operation.answerAddress = operation.isRecorded ?
            operation.owner.outcomes().begin(operation.operationId, answerLength) :
            state.operationPool.allocate(answerLength);
        if (BytePool.NONE == operation.answerAddress)
        {
            freeMessage(operation);
            return ErrorCode.BACK_PRESSURED;
        }
        operation.answer.wrap(operation.answerAddress, answerLength);

        if (BatchGetStartRequestDecoder.TEMPLATE_ID == operation.templateId && !state.gets.setAside(operation.count))
        {
            operation.owner.outcomes().discard(operation.operationId, operation.answerAddress);
            freeMessage(operation);
            return ErrorCode.BACK_PRESSURED;
        }

        return ErrorCode.OK;
    }

    /**
     * Takes an operation back that waits behind the one that is being executed: nothing of it is executed or recorded.
     */
    void withdraw(final OwnerSession owner, final long operationId)
    {
        final Operation operation = owner.removeWaiting(operationId);
        if (null != operation)
        {
            operation.refuse(ErrorCode.OK);
            queued--;
            end(owner, operation);
        }
    }

    private void finish(final OwnerSession owner, final Operation operation)
    {
        owner.dequeue();
        queued--;
        end(owner, operation);
    }

    private void end(final OwnerSession owner, final Operation operation)
    {
        state.lookAhead.forget();
        puts.ended(operation);
        gets.ended(operation);
        reports.ended(operation);
        replicas.ended(operation);
        if (Operation.Stage.DONE == operation.stage)
        {
            sendAnswer(owner, operation);
        }
        else if (Operation.Stage.BUSY == operation.stage)
        {
            endBusy(owner, operation);
        }
        else
        {
            discardAnswer(owner, operation);
        }
        freeMessage(operation);
        giveBack(operation);
    }

    private void sendAnswer(final OwnerSession owner, final Operation operation)
    {
        final OutcomeLog outcomes = owner.outcomes();
        if (operation.isRecorded)
        {
            outcomes.record(operation.answerAddress);
            publisher.answer(owner, operation.answer);
            outcomes.settle(operation.answerAddress);
        }
        else
        {
            publisher.answer(owner, operation.answer);
            state.operationPool.free(operation.answerAddress, operation.answer.capacity());
        }
    }

    /**
     * BUSY is no outcome and is not recorded (contract EVICT-2). But the owner shows the members again when it hears of
     * it, so a copy of the message that comes later must not remove them: the id gets a tombstone, as after a revoke.
     */
    private void endBusy(final OwnerSession owner, final Operation operation)
    {
        owner.outcomes().discard(operation.operationId, operation.answerAddress);
        if (puts.leaveTombstone(owner, operation.operationId, ErrorCode.STALE_GET_PLAN))
        {
            counters.increment(EVICTIONS_BUSY);
            publisher.evictBusy(owner, operation.operationId);
        }
        else
        {
            publisher.refused(owner, operation.operationId, ErrorCode.BACK_PRESSURED);
        }
    }

    private void discardAnswer(final OwnerSession owner, final Operation operation)
    {
        if (operation.isRecorded)
        {
            owner.outcomes().discard(operation.operationId, operation.answerAddress);
        }
        else
        {
            state.operationPool.free(operation.answerAddress, operation.answer.capacity());
        }

        if (ErrorCode.PROTOCOL == operation.refusal)
        {
            malformed(owner, operation.operationId);
        }
        else if (ErrorCode.OK != operation.refusal)
        {
            publisher.refused(owner, operation.operationId, operation.refusal);
        }
    }

    private void malformed(final OwnerSession owner, final long operationId)
    {
        counters.increment(MESSAGES_MALFORMED);
        publisher.refused(owner, operationId, ErrorCode.PROTOCOL);
    }

    private static int answerLength(final Operation operation)
    {
        final int count = operation.count;
        return switch (operation.templateId)
        {
            case ReserveRequestDecoder.TEMPLATE_ID -> Answers.RESERVE_ITEMS +
                count * ReserveResponseEncoder.ResultsEncoder.sbeBlockLength();
            case PublishRequestDecoder.TEMPLATE_ID -> Answers.PUBLISH_ITEMS +
                count * PublishResponseEncoder.ResultsEncoder.sbeBlockLength();
            case BatchGetStartRequestDecoder.TEMPLATE_ID -> Answers.GET_START_ITEMS +
                count * BatchGetStartResponseEncoder.ItemsEncoder.sbeBlockLength();
            case BatchGetDoneRequestDecoder.TEMPLATE_ID -> Answers.GET_DONE_ITEMS +
                count * BatchGetDoneResponseEncoder.ItemsEncoder.sbeBlockLength();
            case RouteExistsRequestDecoder.TEMPLATE_ID -> Answers.ROUTE_EXISTS_ITEMS +
                count * RouteExistsResponseEncoder.FlagsEncoder.sbeBlockLength();
            case ReportRequestDecoder.TEMPLATE_ID -> Answers.REPORT_ITEMS +
                count * ReportResponseEncoder.ResultsEncoder.sbeBlockLength();
            case EvictSourceRequestDecoder.TEMPLATE_ID -> Answers.EVICT_ITEMS +
                count * EvictSourceResponseEncoder.MembersEncoder.sbeBlockLength();
            case ReplicaStartRequestDecoder.TEMPLATE_ID -> Answers.REPLICA_START_LENGTH;
            case RouteDeleteRequestDecoder.TEMPLATE_ID -> Answers.DELETE_ITEMS +
                count * RouteDeleteResponseEncoder.ResultsEncoder.sbeBlockLength();
            default -> MasterPublisher.ACK_LENGTH;
        };
    }

    private void beginAnswer(final Operation operation)
    {
        final UnsafeBuffer answer = operation.answer;
        final long epoch = context.epoch();
        final long id = operation.operationId;
        final int count = operation.count;
        answer.setMemory(0, answer.capacity(), (byte)0);
        switch (operation.templateId)
        {
            case ReserveRequestDecoder.TEMPLATE_ID -> reserveResponse.wrapAndApplyHeader(answer, 0, header)
                .generation(epoch).correlationId(id).resultsCount(count);
            case PublishRequestDecoder.TEMPLATE_ID -> publishResponse.wrapAndApplyHeader(answer, 0, header)
                .generation(epoch).correlationId(id).resultsCount(count);
            case BatchGetStartRequestDecoder.TEMPLATE_ID -> getStartResponse.wrapAndApplyHeader(answer, 0, header)
                .generation(epoch).correlationId(id).itemsCount(count);
            case BatchGetDoneRequestDecoder.TEMPLATE_ID -> getDoneResponse.wrapAndApplyHeader(answer, 0, header)
                .generation(epoch).correlationId(id).itemsCount(count);
            case RouteExistsRequestDecoder.TEMPLATE_ID -> routeExistsResponse.wrapAndApplyHeader(answer, 0, header)
                .generation(epoch).correlationId(id).flagsCount(count);
            case ReportRequestDecoder.TEMPLATE_ID -> reportResponse.wrapAndApplyHeader(answer, 0, header)
                .generation(epoch).correlationId(id).resultsCount(count);
            case EvictSourceRequestDecoder.TEMPLATE_ID -> evictResponse.wrapAndApplyHeader(answer, 0, header)
                .generation(epoch).correlationId(id).membersCount(count);
            case ReplicaStartRequestDecoder.TEMPLATE_ID -> replicaResponse.wrapAndApplyHeader(answer, 0, header)
                .generation(epoch).correlationId(id);
            case RouteDeleteRequestDecoder.TEMPLATE_ID -> deleteResponse.wrapAndApplyHeader(answer, 0, header)
                .generation(epoch).correlationId(id).resultsCount(count);
            default -> publisher.encodeAck(answer, id, ErrorCode.OK);
        }
    }

    private void freeMessage(final Operation operation)
    {
        state.operationPool.free(operation.messageAddress, operation.message.capacity());
    }

    private Operation obtain()
    {
        final Operation operation = free;
        if (null == operation)
        {
            return new Operation();
        }
        free = operation.next;

        return operation;
    }

    private void giveBack(final Operation operation)
    {
        operation.reset();
        operation.next = free;
        free = operation;
    }
}
