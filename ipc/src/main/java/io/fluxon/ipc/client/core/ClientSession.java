package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.ConnectResponseDecoder;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageSource;
import io.fluxon.ipc.channel.OutboundQueue;
import io.fluxon.ipc.plan.PlanArena;
import io.fluxon.ipc.plan.PlanBlob;

import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongArrayList;

import java.util.ArrayList;

/**
 * What the operations of one session share: its identity and limits, the requests without answer, the plan arena, the
 * releases, and the bounds (contract BOUND-1).
 */
final class ClientSession
{
    private static final long LONGEST_TIMEOUT_NS = Long.MAX_VALUE / 4;
    private static final int CLOSE_ATTEMPTS = 3;
    private static final int MAX_RELEASE_BATCH = 256;
    private static final int MAX_UNACKNOWLEDGED_RELEASES = 64;

    final WorkerClientContext ctx;
    final PendingRequests requests = new PendingRequests();
    final AnswerMarks marks = new AnswerMarks(requests);
    final DeadlineQueue deadlines;
    final ReleaseQueue releases = new ReleaseQueue();
    final RequestEncoder encoder = new RequestEncoder();
    final ArgumentCheck arguments = new ArgumentCheck();
    final ExpandableArrayBuffer scratch = new ExpandableArrayBuffer();

    final Resuming resuming;
    ControlChannel channel;
    MessageSource responses;
    OutboundQueue outbound;
    int responseStreamId;

    WorkerClient.State state = WorkerClient.State.CONNECTING;
    long nowNs;
    long generation;
    long sessionId;
    long keepAliveIntervalNs;
    long sessionTimeoutNs;
    long handleTtlNs;
    long segmentAddress;
    long mappedLength;
    long maxValueBytes;
    int ownerId;
    int maxKeysPerBatch;
    int maxKeyBytes;
    String nodeId = "";
    int errorCode;
    WaitStage errorStage = WaitStage.NONE;
    String errorMessage = "";
    String refusal = "";
    long ignoredMessages;
    long protocolErrors;
    long expiredHandles;
    long lateAnswers;

    private final WorkerClient client;
    private final ArrayList<ClientOperation> live = new ArrayList<>();
    private final Long2ObjectHashMap<ClientOperation> plans = new Long2ObjectHashMap<>();
    private final PlanBlob blob = new PlanBlob();
    private PlanArena arena;
    private long mapOffset;
    private long valuesOffset;
    private long segmentLength;
    private int maxMessageBytes;
    private long connectId;
    private boolean isCloseOwed;

    ClientSession(final WorkerClient client, final WorkerClientContext ctx)
    {
        this.client = client;
        this.ctx = ctx;
        deadlines = new DeadlineQueue(ctx.maxOutstanding() * 2);
        channel = ctx.requests();
        responses = ctx.responses();
        responseStreamId = ctx.responseStreamId();
        outbound = new OutboundQueue(channel, ctx.maxQueuedBytes());
        resuming = new Resuming(this);
        maxKeysPerBatch = ctx.maxKeysPerBatch();
    }

    int refuse(final int code, final String text)
    {
        refusal = text;
        return code;
    }

    /**
     * Takes over what a connect response says; the segment is mapped at an address.
     */
    void open(final ConnectResponseDecoder response, final long address)
    {
        generation = response.generation();
        sessionId = response.sessionId();
        ownerId = response.ownerId();
        keepAliveIntervalNs = response.keepAliveIntervalNs();
        sessionTimeoutNs = response.sessionTimeoutNs();
        handleTtlNs = response.handleTtlNs();
        mapOffset = response.mapOffset();
        segmentLength = response.segmentLength();
        segmentAddress = address;
        mappedLength = segmentLength - mapOffset;
        valuesOffset = response.arenaOffset() + response.arenaLength();
        maxKeysPerBatch = Math.min(ctx.maxKeysPerBatch(), response.maxKeysPerBatch());
        maxKeyBytes = response.maxKeyBytes();
        maxValueBytes = response.maxValueBytes();
        maxMessageBytes = Math.min(ctx.maxMessageBytes(), response.maxMessageBytes());
        arena = new PlanArena(address + response.arenaOffset() - mapOffset, response.arenaLength());
        arguments.limits(maxKeysPerBatch, maxKeyBytes, maxValueBytes);
        encoder.session(generation, sessionId);
        state = WorkerClient.State.READY;
    }

    /**
     * Is an operation object free for a new operation, and is there room for one more?
     */
    int checkStart(final ClientOperation operation, final long timeoutNs)
    {
        if (!isUsable())
        {
            return refuseNotReady();
        }
        if (null == operation || !operation.isReusable() || 0 != operation.copies)
        {
            return refuse(ErrorCode.INVALID_ARGUMENT, "the operation object is null or still in use");
        }
        return timeoutNs > 0 ? ErrorCode.OK :
            refuse(ErrorCode.INVALID_ARGUMENT, "timeoutNs " + timeoutNs + " must be positive");
    }

    /**
     * Does an operation belong to this session? Its state is the caller's to check.
     */
    int checkOwn(final ClientOperation operation)
    {
        if (!isUsable())
        {
            return refuseNotReady();
        }
        return null != operation && operation.client == client ? ErrorCode.OK :
            refuse(ErrorCode.INVALID_ARGUMENT, "the plan or handle is null, was not started, or is another client's");
    }

    int checkRoom()
    {
        if (requests.awaited() >= ctx.maxOutstanding())
        {
            return refuse(ErrorCode.BACK_PRESSURED, "too many requests without an answer");
        }
        if (requests.abandoned() >= ctx.maxOutstanding())
        {
            return refuse(ErrorCode.BACK_PRESSURED, "too many answers are still awaited to be given back");
        }
        return releases.size() < ctx.maxUnsentReleases() ? ErrorCode.OK :
            refuse(ErrorCode.BACK_PRESSURED, "too many releases wait for the channel");
    }

    PendingRequest claim(final RequestKind kind, final long objectId, final long timeoutNs)
    {
        final PendingRequest request = requests.claim(kind);
        request.objectId = objectId;
        request.timeoutNs = Math.min(timeoutNs, LONGEST_TIMEOUT_NS);
        return request;
    }

    /**
     * Sends a claimed request of a call. When it is refused nothing was sent, and the request is given back.
     */
    int send(final PendingRequest request, final ClientOperation operation)
    {
        final int length = encodedLength(request);
        if (length > maxMessageBytes)
        {
            requests.free(request);
            return refuse(ErrorCode.INVALID_ARGUMENT,
                "a request of " + length + " bytes is longer than the " + maxMessageBytes + " that are allowed");
        }
        // without the owner's ear it waits for the resume
        if (WorkerClient.State.READY == state &&
            !outbound.send(request.kind.isStored ? request.message : scratch, 0, length))
        {
            requests.free(request);
            return refuse(ErrorCode.BACK_PRESSURED, "the channel to the owner is full");
        }
        nowNs = ctx.nanoClock().nanoTime();
        request.operation = operation;
        request.hasDeadline = true;
        request.deadlineNs = nowNs + request.timeoutNs + ctx.answerGraceNs();
        request.retryNs = ctx.retryNs();
        requests.add(request);
        scheduleRetry(request);
        return ErrorCode.OK;
    }

    /**
     * Sends a request that no call waits for, to give something back; when the channel is full it goes later.
     */
    void sendOwn(final RequestKind kind, final long objectId)
    {
        final PendingRequest request = claim(kind, objectId, ctx.getTimeoutNs());
        request.retryNs = ctx.retryNs();
        requests.add(request);
        if (WorkerClient.State.READY == state)
        {
            outbound.send(scratch, 0, encodedLength(request));
        }
        scheduleRetry(request);
    }

    /**
     * The interval is over without an answer: the same request goes again, under the same id.
     */
    void repeat(final PendingRequest request)
    {
        if (WorkerClient.State.READY == state && !outbound.isBackPressured())
        {
            final int length = encodedLength(request);
            outbound.send(request.kind.isStored ? request.message : scratch, 0, length);
        }
        request.retryNs = Math.min(request.retryNs * 2, ctx.maxRetryNs());
        scheduleRetry(request);
    }

    /**
     * The owner was busy: the request goes again later.
     */
    void postpone(final PendingRequest request)
    {
        deadlines.cancel(request);
        scheduleRetry(request);
    }

    /**
     * The last answer to a request is there.
     *
     * @return the operation that waited for it, or null when its call gave up.
     */
    ClientOperation answered(final PendingRequest request)
    {
        final ClientOperation operation = request.operation;
        deadlines.cancel(request);
        requests.remove(request);
        if (null == operation && request.kind.isGivenBack())
        {
            lateAnswers++;
        }
        requests.free(request);
        return operation;
    }

    void begin(final ClientOperation operation)
    {
        operation.client = client;
        operation.clearError();
        operation.liveIndex = live.size();
        live.add(operation);
    }

    /**
     * The operation holds nothing any more.
     */
    void end(final ClientOperation operation)
    {
        deadlines.cancel(operation);
        final ClientOperation last = live.remove(live.size() - 1);
        if (last != operation)
        {
            live.set(operation.liveIndex, last);
            last.liveIndex = operation.liveIndex;
        }
        operation.liveIndex = ClientOperation.NO_INDEX;
    }

    long allocatePlan(final int count)
    {
        return arena.allocate(PlanBlob.length(count));
    }

    void freePlan(final long planAddress)
    {
        plans.remove(planAddress);
        arena.free(planAddress);
    }

    /**
     * Writes a plan blob (contract PLAN-1), from now on found by its address.
     */
    void writePlan(final ClientOperation operation, final long planAddress, final long[] addresses, final int count)
    {
        blob.init(planAddress, count);
        for (int i = 0; i < count; i++)
        {
            blob.valuePtr(i, addresses[i]);
        }
        plans.put(planAddress, operation);
    }

    /** A copy that ends its plan is the only one of it. */
    int beginCopy(final ClientOperation plan, final boolean isWhole)
    {
        final long planAddress = switch (plan)
        {
            case final PutPlan put -> put.planAddress();
            case final GetHandle get -> get.planAddress();
            default -> 0;
        };
        if (0 == planAddress || plan != planAt(planAddress))
        {
            return refuse(ErrorCode.INVALID_ARGUMENT, "the plan is none that is valid now, or is another client's");
        }
        if (isWhole && 0 != plan.copies || ClientOperation.WHOLE_COPY == plan.copies)
        {
            return refuseCopied(planAddress);
        }
        plan.copies = isWhole ? ClientOperation.WHOLE_COPY : plan.copies + 1;
        return ErrorCode.OK;
    }

    void endCopy(final ClientOperation plan)
    {
        plan.copies = ClientOperation.WHOLE_COPY == plan.copies ? 0 : plan.copies - 1;
    }

    int refuseCopied(final long planAddress)
    {
        return refuse(ErrorCode.INVALID_ARGUMENT, "the plan at address " + planAddress + " is being copied already");
    }

    ClientOperation planAt(final long planAddress)
    {
        return plans.get(planAddress);
    }

    /**
     * Address of a range of values (contract GET-1).
     *
     * @return the address, or 0 when the range is not wholly within the values of the mapping.
     */
    long addressOf(final long offset, final long length)
    {
        if (offset < valuesOffset || length <= 0 || length > segmentLength - offset)
        {
            return 0;
        }
        return segmentAddress + (offset - mapOffset);
    }

    /**
     * Sends the releases that are due, in batches. A batch is repeated until the owner acknowledges it; while too many
     * are not, releases wait (contract GET-2, BOUND-1).
     */
    int sendReleases()
    {
        final int limit = Math.min(ctx.releaseBatch(), MAX_RELEASE_BATCH);
        int sent = 0;
        while (requests.releases() < MAX_UNACKNOWLEDGED_RELEASES &&
            releases.isDue(nowNs, limit, ctx.releaseIntervalNs()))
        {
            final int count = Math.min(releases.size(), limit);
            final PendingRequest request = claim(RequestKind.RELEASE, 0, ctx.getTimeoutNs());
            request.messageLength =
                encoder.releaseHoldings(request.message, request.correlationId, releases, count);
            if (!outbound.send(request.message, 0, request.messageLength))
            {
                requests.free(request);
                break;
            }
            request.retryNs = ctx.retryNs();
            requests.add(request);
            scheduleRetry(request);
            releases.remove(count, nowNs);
            sent++;
        }
        return sent;
    }

    /**
     * The owner does not hear this client, or does not act on it: the session is to be resumed (contract API-10), or
     * ends at once when that is not wanted.
     */
    void suspend(final String reason)
    {
        if (0 == ctx.resumeTimeoutNs())
        {
            close(ErrorCode.TRANSPORT, WaitStage.ANSWER, reason);
            return;
        }
        state = WorkerClient.State.RESUMING;
        resuming.begin(reason);
    }

    /**
     * The way to the owner is another from now on.
     */
    void channels(final ControlChannel newChannel, final MessageSource newResponses, final int newResponseStreamId)
    {
        outbound.close();
        channel = newChannel;
        responses = newResponses;
        responseStreamId = newResponseStreamId;
        outbound = new OutboundQueue(channel, ctx.maxQueuedBytes());
    }

    /**
     * The owner goes on with this session: what has no answer is sent again, under its id.
     */
    void onResumed(final LongArrayList openIds)
    {
        state = WorkerClient.State.READY;
        for (int i = 0, size = openIds.size(); i < size; i++)
        {
            final PendingRequest request = requests.get(openIds.getLong(i));
            if (null != request)
            {
                request.retryNs = ctx.retryNs();
                repeat(request);
            }
        }
    }

    ArrayList<ClientOperation> live()
    {
        return live;
    }

    /**
     * Ends the session: every operation fails, nothing is awaited any more. The channel stays open while the owner is
     * to be told: {@link #release()}.
     */
    void close(final int code, final WaitStage stage, final String message)
    {
        state = WorkerClient.State.CLOSED;
        errorCode = code;
        errorStage = stage;
        errorMessage = message;
        for (int i = 0; i < live.size(); i++)
        {
            final ClientOperation operation = live.get(i);
            operation.pending = null;
            operation.liveIndex = ClientOperation.NO_INDEX;
            operation.queueIndex = Timed.NOT_QUEUED;
            operation.onSessionEnd(code, message);
        }
        live.clear();
        plans.clear();
        requests.clear();
        deadlines.clear();
        releases.clear();
        if (!isCloseOwed)
        {
            outbound.close();
        }
    }

    /**
     * A request to connect goes out: whatever it makes at the owner is to be ended.
     */
    void connecting(final long correlationId)
    {
        connectId = correlationId;
        isCloseOwed = true;
    }

    /**
     * The owner has made no session.
     */
    void refused(final int code, final String message)
    {
        isCloseOwed = false;
        close(code, WaitStage.NONE, message);
    }

    /**
     * The owner's answer cannot be used: it has a session for this client that nobody wants.
     */
    void refuse(final long generation, final long sessionId, final int code, final String message)
    {
        encoder.session(generation, sessionId);
        close(code, WaitStage.NONE, message);
        release();
    }

    /**
     * Tells the owner that nothing of the session is used any more, or that none is wanted, past what waits for the
     * channel: that has no meaning any more. When the channel is full, not connected yet or closed, it is still owed.
     */
    void release()
    {
        if (!isCloseOwed)
        {
            return;
        }
        final long correlationId = encoder.hasSession() ? requests.nextId() : connectId;
        final int length = encoder.sessionClose(scratch, correlationId, ctx, errorCode);
        long result;
        int attempts = CLOSE_ATTEMPTS;
        do
        {
            result = channel.offer(scratch, 0, length);
        }
        while (ControlChannel.ADMIN_ACTION == result && --attempts > 0);
        isCloseOwed = result < 0;
        if (!isCloseOwed)
        {
            outbound.close();
        }
    }

    boolean isCloseOwed()
    {
        return isCloseOwed;
    }

    int liveOperations()
    {
        return live.size();
    }

    int planBlobs()
    {
        return null == arena ? 0 : arena.blobs();
    }

    private boolean isUsable()
    {
        return WorkerClient.State.READY == state || WorkerClient.State.RESUMING == state;
    }

    private int refuseNotReady()
    {
        return WorkerClient.State.CONNECTING == state ?
            refuse(ErrorCode.TRANSPORT, "the session is not ready yet") : refuse(errorCode, errorMessage);
    }

    private int encodedLength(final PendingRequest request)
    {
        return request.kind.isStored ? request.messageLength : encoder.followUp(scratch, request);
    }

    private void scheduleRetry(final PendingRequest request)
    {
        final long retryNs = nowNs + request.retryNs;
        final boolean deadlineFirst = request.hasDeadline && request.deadlineNs - retryNs < 0;
        deadlines.schedule(request, deadlineFirst ? request.deadlineNs : retryNs);
    }
}
