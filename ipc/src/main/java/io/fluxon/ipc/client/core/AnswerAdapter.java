package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.ConnectResponseDecoder;
import io.fluxon.codecs.control.DeleteResponseDecoder;
import io.fluxon.codecs.control.ExistsResponseDecoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.GetTransferResponseDecoder;
import io.fluxon.codecs.control.InspectResponseDecoder;
import io.fluxon.codecs.control.KeepAliveDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.PutCommitLocalDecoder;
import io.fluxon.codecs.control.PutCommitResultDecoder;
import io.fluxon.codecs.control.PutStartResponseDecoder;
import io.fluxon.codecs.control.SessionCloseDecoder;
import io.fluxon.codecs.control.SessionSuspendedDecoder;
import io.fluxon.codecs.control.StatusResponseDecoder;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.MessageCheck;
import io.fluxon.ipc.channel.MessageHandler;

import org.agrona.DirectBuffer;

/**
 * Decodes the owner's messages. One that is malformed, of another session or generation, or that answers a request
 * which has its answer already, changes nothing and is counted.
 */
final class AnswerAdapter implements MessageHandler
{
    private static final int BLOCK_OFFSET = MessageHeaderDecoder.ENCODED_LENGTH;

    private final MessageCheck check = new MessageCheck();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ConnectResponseDecoder connectResponse = new ConnectResponseDecoder();
    private final SessionCloseDecoder sessionClose = new SessionCloseDecoder();
    private final StatusResponseDecoder statusResponse = new StatusResponseDecoder();
    private final PutStartResponseDecoder putStartResponse = new PutStartResponseDecoder();
    private final PutCommitLocalDecoder putCommitLocal = new PutCommitLocalDecoder();
    private final PutCommitResultDecoder putCommitResult = new PutCommitResultDecoder();
    private final GetStartResponseDecoder getStartResponse = new GetStartResponseDecoder();
    private final GetTransferResponseDecoder getTransferResponse = new GetTransferResponseDecoder();
    private final ExistsResponseDecoder existsResponse = new ExistsResponseDecoder();
    private final DeleteResponseDecoder deleteResponse = new DeleteResponseDecoder();
    private final ClientSession session;
    private final Connecting connecting;
    private final PutOperations puts;
    private final GetOperations gets;
    private final ExistsOperations existsCalls;
    private final DeleteOperations deletes;
    private final InspectOperations inspections;
    private boolean isHeard;

    AnswerAdapter(
        final ClientSession session,
        final Connecting connecting,
        final PutOperations puts,
        final GetOperations gets,
        final ExistsOperations existsCalls,
        final DeleteOperations deletes,
        final InspectOperations inspections)
    {
        this.session = session;
        this.connecting = connecting;
        this.puts = puts;
        this.gets = gets;
        this.existsCalls = existsCalls;
        this.deletes = deletes;
        this.inspections = inspections;
    }

    @Override
    public void onMessage(final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!check.isValid(buffer, offset, length))
        {
            return;
        }
        header.wrap(check.message(), 0);
        switch (session.state)
        {
            case CONNECTING -> onConnecting();
            case READY -> onReady();
            case RESUMING -> onResuming();
            default -> session.ignoredMessages++;
        }
    }

    /**
     * Was the owner heard since the last call?
     */
    boolean takeHeard()
    {
        final boolean heard = isHeard;
        isHeard = false;
        return heard;
    }

    long malformed()
    {
        return check.malformed();
    }

    private void onConnecting()
    {
        if (!connecting.isAnswer(check.correlationId()))
        {
            session.ignoredMessages++;
        }
        else if (ConnectResponseDecoder.TEMPLATE_ID == check.templateId())
        {
            connectResponse.wrap(check.message(), BLOCK_OFFSET, header.blockLength(), header.version());
            connecting.onResponse(connectResponse);
        }
        else if (StatusResponseDecoder.TEMPLATE_ID == check.templateId())
        {
            wrapStatus();
            connecting.onStatus(statusResponse.status(), statusResponse.message());
        }
        else
        {
            session.ignoredMessages++;
        }
    }

    private void onResuming()
    {
        if (ConnectResponseDecoder.TEMPLATE_ID == check.templateId() &&
            session.resuming.isAnswer(check.correlationId()))
        {
            connectResponse.wrap(check.message(), BLOCK_OFFSET, header.blockLength(), header.version());
            session.resuming.onResponse(connectResponse);
        }
        else if (SessionCloseDecoder.TEMPLATE_ID == check.templateId() && check.sessionId() == session.sessionId)
        {
            onSessionClose();
        }
        else
        {
            session.ignoredMessages++;
        }
    }

    private void onReady()
    {
        if (check.sessionId() != session.sessionId)
        {
            session.ignoredMessages++;
        }
        else if (SessionCloseDecoder.TEMPLATE_ID == check.templateId())
        {
            onSessionClose();
        }
        else if (SessionSuspendedDecoder.TEMPLATE_ID == check.templateId())
        {
            if (!session.resuming.isBefore(check.correlationId()))
            {
                session.suspend("the owner took this worker for hung");
            }
        }
        else if (check.generation() > session.generation || isGenerationMismatch())
        {
            session.close(ErrorCode.OWNER_GENERATION_MISMATCH, WaitStage.NONE,
                "the owner has another generation than this session");
        }
        else if (check.generation() < session.generation)
        {
            session.ignoredMessages++;
        }
        else
        {
            isHeard = true;
            onSessionMessage();
        }
    }

    private void onSessionMessage()
    {
        if (KeepAliveDecoder.TEMPLATE_ID == check.templateId())
        {
            return;
        }
        final PendingRequest request = session.requests.get(check.correlationId());
        if (null == request || !onAnswer(request))
        {
            session.ignoredMessages++;
        }
    }

    private boolean onAnswer(final PendingRequest request)
    {
        switch (check.templateId())
        {
            case PutStartResponseDecoder.TEMPLATE_ID ->
            {
                return onPutStart(request);
            }
            case PutCommitLocalDecoder.TEMPLATE_ID, PutCommitResultDecoder.TEMPLATE_ID ->
            {
                return onPutCommit(request);
            }
            case GetStartResponseDecoder.TEMPLATE_ID ->
            {
                return onGetStart(request);
            }
            case GetTransferResponseDecoder.TEMPLATE_ID ->
            {
                return onGetTransfer(request);
            }
            case ExistsResponseDecoder.TEMPLATE_ID ->
            {
                return onExists(request);
            }
            case DeleteResponseDecoder.TEMPLATE_ID ->
            {
                return onDelete(request);
            }
            case InspectResponseDecoder.TEMPLATE_ID ->
            {
                return onInspect(request);
            }
            case StatusResponseDecoder.TEMPLATE_ID ->
            {
                onStatus(request);
                return true;
            }
            default ->
            {
                return false;
            }
        }
    }

    private boolean onPutStart(final PendingRequest request)
    {
        if (RequestKind.PUT_START != request.kind)
        {
            return false;
        }
        putStartResponse.wrap(check.message(), BLOCK_OFFSET, header.blockLength(), header.version());
        puts.onStartResponse(request, putStartResponse);
        return true;
    }

    private boolean onPutCommit(final PendingRequest request)
    {
        if (RequestKind.PUT_COMMIT != request.kind)
        {
            return false;
        }
        if (PutCommitLocalDecoder.TEMPLATE_ID == check.templateId())
        {
            putCommitLocal.wrap(check.message(), BLOCK_OFFSET, header.blockLength(), header.version());
            puts.onCommitLocal(request, putCommitLocal);
        }
        else
        {
            putCommitResult.wrap(check.message(), BLOCK_OFFSET, header.blockLength(), header.version());
            puts.onCommitResult(request, putCommitResult);
        }
        return true;
    }

    private boolean onGetStart(final PendingRequest request)
    {
        if (RequestKind.GET_START != request.kind)
        {
            return false;
        }
        getStartResponse.wrap(check.message(), BLOCK_OFFSET, header.blockLength(), header.version());
        gets.onStartResponse(request, getStartResponse);
        return true;
    }

    private boolean onGetTransfer(final PendingRequest request)
    {
        if (RequestKind.GET_TRANSFER != request.kind)
        {
            return false;
        }
        getTransferResponse.wrap(check.message(), BLOCK_OFFSET, header.blockLength(), header.version());
        gets.onTransferResponse(request, getTransferResponse);
        return true;
    }

    private boolean onExists(final PendingRequest request)
    {
        if (RequestKind.EXISTS != request.kind)
        {
            return false;
        }
        existsResponse.wrap(check.message(), BLOCK_OFFSET, header.blockLength(), header.version());
        existsCalls.onResponse(request, existsResponse);
        return true;
    }

    private boolean onDelete(final PendingRequest request)
    {
        if (RequestKind.DELETE != request.kind)
        {
            return false;
        }
        deleteResponse.wrap(check.message(), BLOCK_OFFSET, header.blockLength(), header.version());
        deletes.onResponse(request, deleteResponse);
        return true;
    }

    private boolean onInspect(final PendingRequest request)
    {
        if (RequestKind.INSPECT != request.kind)
        {
            return false;
        }
        inspections.onResponse(request, check.message());
        return true;
    }

    private void onStatus(final PendingRequest request)
    {
        wrapStatus();
        final int status = statusResponse.status();
        final RequestKind kind = request.kind;
        if (ErrorCode.BACK_PRESSURED == status && kind.isFollowUp())
        {
            session.postpone(request);
            return;
        }
        if (request.isAccepted)
        {
            return;
        }
        final ClientOperation operation = session.answered(request);
        if (null == operation)
        {
            return;
        }
        final boolean isAcknowledgement = RequestKind.PUT_ABORT == kind || RequestKind.GET_CANCEL == kind;
        if (ErrorCode.OK != status)
        {
            final int textLength = statusResponse.messageLength();
            operation.error(status, WaitStage.NONE, statusResponse.buffer(),
                statusResponse.limit() + StatusResponseDecoder.messageHeaderLength(), textLength);
        }
        else if (!isAcknowledgement)
        {
            session.protocolErrors++;
            operation.error(ErrorCode.PROTOCOL, WaitStage.NONE, "the owner acknowledged without an answer");
        }
        switch (operation)
        {
            case final PutPlan put -> puts.onStatus(kind, put);
            case final GetHandle get -> gets.onStatus(kind, get);
            case final ExistsCall call -> existsCalls.onStatus(call);
            case final DeleteCall call -> deletes.onStatus(call);
            case final InspectCall call -> inspections.onStatus(call);
        }
    }

    private void onSessionClose()
    {
        sessionClose.wrap(check.message(), BLOCK_OFFSET, header.blockLength(), header.version());
        final int status = sessionClose.status();
        final int code = ErrorCode.OWNER_GENERATION_MISMATCH == status ? status : ErrorCode.TRANSPORT;
        session.close(code, WaitStage.NONE, "the owner ended the session: " + ErrorCode.name(status));
    }

    private boolean isGenerationMismatch()
    {
        if (StatusResponseDecoder.TEMPLATE_ID != check.templateId())
        {
            return false;
        }
        wrapStatus();
        return ErrorCode.OWNER_GENERATION_MISMATCH == statusResponse.status();
    }

    private void wrapStatus()
    {
        statusResponse.wrap(check.message(), BLOCK_OFFSET, header.blockLength(), header.version());
    }
}
