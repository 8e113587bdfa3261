package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.ConnectRequestEncoder;
import io.fluxon.codecs.control.DeleteRequestEncoder;
import io.fluxon.codecs.control.ExistsRequestEncoder;
import io.fluxon.codecs.control.GetCancelRequestEncoder;
import io.fluxon.codecs.control.GetStartRequestEncoder;
import io.fluxon.codecs.control.GetTransferRequestEncoder;
import io.fluxon.codecs.control.InspectRequestEncoder;
import io.fluxon.codecs.control.InspectSubject;
import io.fluxon.codecs.control.KeepAliveEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PutAbortRequestEncoder;
import io.fluxon.codecs.control.PutCommitRequestEncoder;
import io.fluxon.codecs.control.PutStartRequestEncoder;
import io.fluxon.codecs.control.ReleaseHoldingsEncoder;
import io.fluxon.codecs.control.SessionCloseEncoder;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.LongArrayList;

/**
 * Encodes the worker's messages. Each method returns the length of the whole message, which starts at 0.
 */
final class RequestEncoder
{
    private static final int HEADER = MessageHeaderEncoder.ENCODED_LENGTH;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ConnectRequestEncoder connect = new ConnectRequestEncoder();
    private final KeepAliveEncoder keepAlive = new KeepAliveEncoder();
    private final SessionCloseEncoder sessionClose = new SessionCloseEncoder();
    private final PutStartRequestEncoder putStart = new PutStartRequestEncoder();
    private final PutCommitRequestEncoder putCommit = new PutCommitRequestEncoder();
    private final PutAbortRequestEncoder putAbort = new PutAbortRequestEncoder();
    private final GetStartRequestEncoder getStart = new GetStartRequestEncoder();
    private final GetTransferRequestEncoder getTransfer = new GetTransferRequestEncoder();
    private final GetCancelRequestEncoder getCancel = new GetCancelRequestEncoder();
    private final ExistsRequestEncoder exists = new ExistsRequestEncoder();
    private final DeleteRequestEncoder delete = new DeleteRequestEncoder();
    private final InspectRequestEncoder inspect = new InspectRequestEncoder();
    private final ReleaseHoldingsEncoder releaseHoldings = new ReleaseHoldingsEncoder();
    private long generation;
    private long sessionId;

    void session(final long ownerGeneration, final long id)
    {
        generation = ownerGeneration;
        sessionId = id;
    }

    boolean hasSession()
    {
        return 0 != sessionId;
    }

    int connect(final MutableDirectBuffer buffer, final long correlationId, final WorkerClientContext ctx)
    {
        connect.wrapAndApplyHeader(buffer, 0, header)
            .generation(ctx.expectedGeneration())
            .sessionId(0)
            .correlationId(correlationId)
            .protocolVersion(WorkerClientContext.PROTOCOL_VERSION)
            .responseStreamId(ctx.responseStreamId())
            .processId(ctx.processId())
            .processStartTime(ctx.processStartTime())
            .role(ctx.role());
        connect.plansCount(0);
        connect.holdingsCount(0);
        connect.requestsCount(0);
        connect.clientName(ctx.clientName());
        return HEADER + connect.encodedLength();
    }

    /**
     * A request to resume this session.
     *
     * @param runs of holdings: first id and number, in turn.
     */
    int resume(
        final MutableDirectBuffer buffer,
        final long correlationId,
        final WorkerClientContext ctx,
        final int responseStreamId,
        final LongArrayList plans,
        final LongArrayList runs,
        final LongArrayList requests)
    {
        connect.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(correlationId)
            .protocolVersion(WorkerClientContext.PROTOCOL_VERSION)
            .responseStreamId(responseStreamId)
            .processId(ctx.processId())
            .processStartTime(ctx.processStartTime())
            .role(ctx.role());
        final ConnectRequestEncoder.PlansEncoder plansEncoder = connect.plansCount(plans.size());
        for (int i = 0, size = plans.size(); i < size; i++)
        {
            plansEncoder.next().planId(plans.getLong(i));
        }
        final ConnectRequestEncoder.HoldingsEncoder holdingsEncoder = connect.holdingsCount(runs.size() / 2);
        for (int i = 0, size = runs.size(); i < size; i += 2)
        {
            holdingsEncoder.next().firstHoldingId(runs.getLong(i)).holdingCount((int)runs.getLong(i + 1));
        }
        final ConnectRequestEncoder.RequestsEncoder requestsEncoder = connect.requestsCount(requests.size());
        for (int i = 0, size = requests.size(); i < size; i++)
        {
            requestsEncoder.next().requestId(requests.getLong(i));
        }
        connect.clientName(ctx.clientName());
        return HEADER + connect.encodedLength();
    }

    int keepAlive(final MutableDirectBuffer buffer, final long correlationId, final AnswerMarks marks)
    {
        keepAlive.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(correlationId)
            .answeredBelow(marks.answeredBelow())
            .resultsBelow(marks.resultsBelow());
        final LongArrayList unanswered = marks.unanswered();
        final KeepAliveEncoder.UnansweredEncoder unansweredEncoder = keepAlive.unansweredCount(unanswered.size());
        for (int i = 0, size = unanswered.size(); i < size; i++)
        {
            unansweredEncoder.next().requestId(unanswered.getLong(i));
        }
        final LongArrayList unfinished = marks.unfinished();
        final KeepAliveEncoder.UnfinishedEncoder unfinishedEncoder = keepAlive.unfinishedCount(unfinished.size());
        for (int i = 0, size = unfinished.size(); i < size; i++)
        {
            unfinishedEncoder.next().requestId(unfinished.getLong(i));
        }
        return HEADER + keepAlive.encodedLength();
    }

    int sessionClose(
        final MutableDirectBuffer buffer, final long correlationId, final WorkerClientContext ctx, final int status)
    {
        sessionClose.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(correlationId)
            .processId(ctx.processId())
            .processStartTime(ctx.processStartTime())
            .status(status);
        return HEADER + sessionClose.encodedLength();
    }

    int putStart(
        final MutableDirectBuffer buffer,
        final PendingRequest request,
        final KeyBatch keys,
        final long valueLength,
        final PutOptions options)
    {
        putStart.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(request.correlationId)
            .valueLength(valueLength)
            .cohortId(options.cohortId())
            .cohortRank(options.cohortRank())
            .cohortSize(options.cohortSize())
            .pathDepth(options.pathDepth())
            .pathTurn(options.pathTurn())
            .timeoutNs(request.timeoutNs);
        putStart.options().clear()
            .rejectIfInflightSameKey(options.rejectIfInflightSameKey())
            .rejectIfExistSameKey(options.rejectIfExistSameKey())
            .writeThrough(options.writeThrough())
            .makeReplicaTask(options.makeReplicaTask())
            .hasCohort(options.hasCohort());

        final AtomicGroups groups = options.atomicGroups();
        final int groupCount = null == groups ? 0 : groups.size();
        final PutStartRequestEncoder.AtomicGroupsEncoder groupsEncoder = putStart.atomicGroupsCount(groupCount);
        for (int i = 0; i < groupCount; i++)
        {
            groupsEncoder.next().keyCount(groups.keyCount(i));
        }
        final PutStartRequestEncoder.KeysEncoder keysEncoder = putStart.keysCount(keys.size());
        for (int i = 0; i < keys.size(); i++)
        {
            keysEncoder.next()
                .replicaWish((short)(options.replicaWish(i) ? 1 : 0))
                .putKey(keys.buffer(), keys.keyOffset(i), keys.keyLength(i));
        }
        putStart.putParentKey(options.parentKey(), 0, Math.max(options.parentKeyLength(), 0));
        return HEADER + putStart.encodedLength();
    }

    int getStart(
        final MutableDirectBuffer buffer,
        final PendingRequest request,
        final KeyBatch keys,
        final boolean prefixBestEffort,
        final AtomicGroups groups)
    {
        getStart.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(request.correlationId)
            .timeoutNs(request.timeoutNs)
            .prefixBestEffort((short)(prefixBestEffort ? 1 : 0));
        final int groupCount = null == groups ? 0 : groups.size();
        final GetStartRequestEncoder.AtomicGroupsEncoder groupsEncoder = getStart.atomicGroupsCount(groupCount);
        for (int i = 0; i < groupCount; i++)
        {
            groupsEncoder.next().keyCount(groups.keyCount(i));
        }
        final GetStartRequestEncoder.KeysEncoder keysEncoder = getStart.keysCount(keys.size());
        for (int i = 0; i < keys.size(); i++)
        {
            keysEncoder.next().putKey(keys.buffer(), keys.keyOffset(i), keys.keyLength(i));
        }
        return HEADER + getStart.encodedLength();
    }

    int exists(final MutableDirectBuffer buffer, final PendingRequest request, final KeyBatch keys)
    {
        exists.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(request.correlationId)
            .timeoutNs(request.timeoutNs);
        final ExistsRequestEncoder.KeysEncoder keysEncoder = exists.keysCount(keys.size());
        for (int i = 0; i < keys.size(); i++)
        {
            keysEncoder.next().putKey(keys.buffer(), keys.keyOffset(i), keys.keyLength(i));
        }
        return HEADER + exists.encodedLength();
    }

    int delete(final MutableDirectBuffer buffer, final PendingRequest request, final KeyBatch keys)
    {
        delete.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(request.correlationId)
            .timeoutNs(request.timeoutNs);
        final DeleteRequestEncoder.KeysEncoder keysEncoder = delete.keysCount(keys.size());
        for (int i = 0; i < keys.size(); i++)
        {
            keysEncoder.next().putKey(keys.buffer(), keys.keyOffset(i), keys.keyLength(i));
        }
        return HEADER + delete.encodedLength();
    }

    int inspect(
        final MutableDirectBuffer buffer,
        final PendingRequest request,
        final InspectSubject subject,
        final KeyBatch key,
        final int grantId,
        final int slotIndex)
    {
        inspect.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(request.correlationId)
            .timeoutNs(request.timeoutNs)
            .subject(subject)
            .grantId(grantId)
            .slotIndex(slotIndex);
        final boolean hasKey = key.size() > 0;
        inspect.putKey(key.buffer(), hasKey ? key.keyOffset(0) : 0, hasKey ? key.keyLength(0) : 0);
        return HEADER + inspect.encodedLength();
    }

    /**
     * Encodes a request without keys from its fields.
     */
    int followUp(final MutableDirectBuffer buffer, final PendingRequest request)
    {
        return switch (request.kind)
        {
            case PUT_COMMIT -> putCommit(buffer, request);
            case PUT_ABORT -> putAbort(buffer, request);
            case GET_TRANSFER -> getTransfer(buffer, request);
            case GET_CANCEL -> getCancel(buffer, request);
            default -> throw new IllegalArgumentException("request has keys: " + request.kind);
        };
    }

    int releaseHoldings(
        final MutableDirectBuffer buffer, final long correlationId, final ReleaseQueue releases, final int count)
    {
        releaseHoldings.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(correlationId);
        final ReleaseHoldingsEncoder.HoldingsEncoder holdings = releaseHoldings.holdingsCount(count);
        for (int i = 0; i < count; i++)
        {
            holdings.next().holdingId(releases.get(i));
        }
        return HEADER + releaseHoldings.encodedLength();
    }

    private int putCommit(final MutableDirectBuffer buffer, final PendingRequest request)
    {
        putCommit.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(request.correlationId)
            .planId(request.objectId);
        return HEADER + putCommit.encodedLength();
    }

    private int putAbort(final MutableDirectBuffer buffer, final PendingRequest request)
    {
        putAbort.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(request.correlationId)
            .planId(request.objectId);
        return HEADER + putAbort.encodedLength();
    }

    private int getTransfer(final MutableDirectBuffer buffer, final PendingRequest request)
    {
        getTransfer.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(request.correlationId)
            .handle(request.objectId)
            .consumePrefixLen(request.consumePrefixLen)
            .timeoutNs(request.timeoutNs);
        return HEADER + getTransfer.encodedLength();
    }

    private int getCancel(final MutableDirectBuffer buffer, final PendingRequest request)
    {
        getCancel.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation)
            .sessionId(sessionId)
            .correlationId(request.correlationId)
            .handle(request.objectId);
        return HEADER + getCancel.encodedLength();
    }
}
