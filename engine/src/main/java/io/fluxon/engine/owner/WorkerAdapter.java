package io.fluxon.engine.owner;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.codecs.control.DeleteRequestDecoder;
import io.fluxon.codecs.control.ExistsRequestDecoder;
import io.fluxon.codecs.control.GetCancelRequestDecoder;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.GetTransferRequestDecoder;
import io.fluxon.codecs.control.InspectRequestDecoder;
import io.fluxon.codecs.control.KeepAliveDecoder;
import io.fluxon.codecs.control.PutAbortRequestDecoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.codecs.control.ReleaseHoldingsDecoder;
import io.fluxon.codecs.control.SessionCloseDecoder;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.MessageCheck;
import io.fluxon.ipc.channel.MessageHandler;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentTerminationException;

/**
 * Reads the workers' messages: checks each wholly, finds its session, sees to it that a repeated request is not
 * executed twice (contract API-4), and calls whoever acts on it.
 */
final class WorkerAdapter implements MessageHandler
{
    private static final int BLOCK_OFFSET = MasterOperation.BLOCK_OFFSET;

    private final OwnerCore core;
    private final OwnerCounters counters;
    private final MessageCheck check = new MessageCheck();
    private final SessionCloseDecoder sessionClose = new SessionCloseDecoder();
    private final ConnectRequestDecoder connectRequest = new ConnectRequestDecoder();
    private final PutStartRequestDecoder putStartRequest = new PutStartRequestDecoder();
    private final PutCommitRequestDecoder putCommitRequest = new PutCommitRequestDecoder();
    private final PutAbortRequestDecoder putAbortRequest = new PutAbortRequestDecoder();
    private final GetStartRequestDecoder getStartRequest = new GetStartRequestDecoder();
    private final GetTransferRequestDecoder getTransferRequest = new GetTransferRequestDecoder();
    private final GetCancelRequestDecoder getCancelRequest = new GetCancelRequestDecoder();
    private final ReleaseHoldingsDecoder releaseHoldings = new ReleaseHoldingsDecoder();
    private final ExistsRequestDecoder existsRequest = new ExistsRequestDecoder();
    private final DeleteRequestDecoder deleteRequest = new DeleteRequestDecoder();
    private final InspectRequestDecoder inspectRequest = new InspectRequestDecoder();
    private final KeepAliveDecoder keepAlive = new KeepAliveDecoder();
    private final SettledMark answers = new SettledMark();
    private final SettledMark results = new SettledMark();

    WorkerAdapter(final OwnerCore core)
    {
        this.core = core;
        counters = core.counters;
    }

    /** {@inheritDoc} */
    @Override
    public void onMessage(final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        counters.increment(OwnerCounter.WORKER_MESSAGES);
        final boolean isValid = check.isValid(buffer, offset, length);
        if (!isValid)
        {
            counters.increment(OwnerCounter.MESSAGES_MALFORMED);
        }

        if (isValid && ConnectRequestDecoder.TEMPLATE_ID == check.templateId())
        {
            connectRequest.wrap(check.message(), BLOCK_OFFSET,
                ConnectRequestDecoder.BLOCK_LENGTH, ConnectRequestDecoder.SCHEMA_VERSION);
            core.sessions.onConnect(connectionId, connectRequest);
            return;
        }

        final WorkerSession session = check.hasPreamble() ? core.sessions.find(check.sessionId()) : null;
        if (isValid && SessionCloseDecoder.TEMPLATE_ID == check.templateId())
        {
            onSessionClose(connectionId, session);
        }
        else if (null == session || connectionId != session.connectionId || !session.isReachable())
        {
            counters.increment(OwnerCounter.MESSAGES_UNKNOWN_SESSION);
        }
        else if (!isValid)
        {
            core.workers.status(session, check.correlationId(), ErrorCode.PROTOCOL, "malformed message");
        }
        else
        {
            onSessionMessage(session, check.templateId(), check.correlationId(), check.message());
        }
    }

    /**
     * A worker that ends says so over the way that it has now: that need not be the one over which its session was
     * heard last, when it ends while it comes back (contract API-10). Its process vouches for it instead. One that ends
     * before it has a session names the request that asks for it.
     */
    private void onSessionClose(final long connectionId, final WorkerSession session)
    {
        sessionClose.wrap(check.message(), BLOCK_OFFSET,
            SessionCloseDecoder.BLOCK_LENGTH, SessionCloseDecoder.SCHEMA_VERSION);
        if (0 == sessionClose.sessionId())
        {
            core.sessions.onConnectGivenUp(connectionId, sessionClose.correlationId(),
                sessionClose.processId(), sessionClose.processStartTime());
            return;
        }

        if (null == session || !session.isReachable() || core.context.generation() != sessionClose.generation() ||
            !session.isProcess(sessionClose.processId(), sessionClose.processStartTime()))
        {
            counters.increment(OwnerCounter.MESSAGES_UNKNOWN_SESSION);
            return;
        }

        core.sessions.onClose(session);
    }

    private void onSessionMessage(
        final WorkerSession session, final int templateId, final long requestId, final DirectBuffer message)
    {
        if (!session.isActive())
        {
            core.sessions.suspended(session, requestId);
        }
        else if (core.context.generation() != check.generation())
        {
            core.workers.status(session, requestId, ErrorCode.OWNER_GENERATION_MISMATCH,
                "generation is not this owner's");
        }
        else
        {
            session.lastHeardNs = core.nowNs();
            session.isAtWork = true;
            execute(session, templateId, requestId, message);
        }
    }

    private void execute(
        final WorkerSession session, final int templateId, final long requestId, final DirectBuffer message)
    {
        try
        {
            dispatch(session, templateId, requestId, message);
        }
        catch (final AgentTerminationException ex)
        {
            throw ex;
        }
        catch (final RuntimeException ex)
        {
            counters.increment(OwnerCounter.EXCEPTIONS);
            core.context.errorHandler().onError(ex);
            refuse(session, requestId);
        }
    }

    private void refuse(final WorkerSession session, final long requestId)
    {
        final RequestLog.Entry entry = session.requests.entryOf(requestId);
        if (null != entry && !entry.isAnswered)
        {
            entry.isAnswered = true;
            entry.status = ErrorCode.UNKNOWN;
            session.outstanding--;
        }
        core.workers.status(session, requestId, ErrorCode.UNKNOWN, "internal error");
    }

    private void dispatch(
        final WorkerSession session, final int templateId, final long requestId, final DirectBuffer message)
    {
        switch (templateId)
        {
            case KeepAliveDecoder.TEMPLATE_ID -> onKeepAlive(session, requestId, message);
            case ReleaseHoldingsDecoder.TEMPLATE_ID -> core.gets.onRelease(session, releaseHoldings.wrap(
                message, BLOCK_OFFSET, ReleaseHoldingsDecoder.BLOCK_LENGTH, ReleaseHoldingsDecoder.SCHEMA_VERSION));
            case PutStartRequestDecoder.TEMPLATE_ID -> onPutStart(session, requestId, message);
            case PutCommitRequestDecoder.TEMPLATE_ID -> onPutCommit(session, requestId, message);
            case PutAbortRequestDecoder.TEMPLATE_ID -> onPutAbort(session, requestId, message);
            case GetStartRequestDecoder.TEMPLATE_ID -> onGetStart(session, requestId, message);
            case GetTransferRequestDecoder.TEMPLATE_ID -> onGetTransfer(session, requestId, message);
            case GetCancelRequestDecoder.TEMPLATE_ID -> onGetCancel(session, requestId, message);
            case ExistsRequestDecoder.TEMPLATE_ID -> onExists(session, requestId, message);
            case DeleteRequestDecoder.TEMPLATE_ID -> onDelete(session, requestId, message);
            case InspectRequestDecoder.TEMPLATE_ID -> onInspect(session, requestId, message);
            default -> core.workers.status(session, requestId, ErrorCode.PROTOCOL, "not a request of a worker");
        }
    }

    private void onKeepAlive(final WorkerSession session, final long requestId, final DirectBuffer message)
    {
        keepAlive.wrap(message, BLOCK_OFFSET, KeepAliveDecoder.BLOCK_LENGTH, KeepAliveDecoder.SCHEMA_VERSION);
        answers.set(keepAlive.answeredBelow());
        results.set(keepAlive.resultsBelow());
        if (keepAlive.answeredBelow() > requestId || keepAlive.resultsBelow() > requestId ||
            !readOpen() || !session.requests.settle(requestId, answers, results))
        {
            counters.increment(OwnerCounter.MESSAGES_MALFORMED);
            core.workers.status(session, requestId, ErrorCode.PROTOCOL,
                "answeredBelow, resultsBelow: are beyond the keep-alive's own correlationId, or lower than before, " +
                "or the ids listed are not below them, do not rise, or are more than " + SettledMark.MAX_OPEN);
        }
    }

    private boolean readOpen()
    {
        boolean isGood = true;
        for (final KeepAliveDecoder.UnansweredDecoder open = keepAlive.unanswered(); isGood && open.hasNext(); )
        {
            isGood = answers.addOpen(open.next().requestId());
        }
        if (isGood)
        {
            for (final KeepAliveDecoder.UnfinishedDecoder open = keepAlive.unfinished(); isGood && open.hasNext(); )
            {
                isGood = results.addOpen(open.next().requestId());
            }
        }

        return isGood;
    }

    private void onPutStart(final WorkerSession session, final long requestId, final DirectBuffer message)
    {
        if (null != begin(session, requestId, RequestLog.Kind.PUT_START))
        {
            putStartRequest.wrap(
                message, BLOCK_OFFSET, PutStartRequestDecoder.BLOCK_LENGTH, PutStartRequestDecoder.SCHEMA_VERSION);
            core.puts.onStart(session, requestId, Limits.timeoutNs(putStartRequest.timeoutNs()), message);
        }
    }

    private void onPutCommit(final WorkerSession session, final long requestId, final DirectBuffer message)
    {
        final RequestLog.Entry entry = begin(session, requestId, RequestLog.Kind.PUT_COMMIT);
        if (null != entry)
        {
            core.puts.onCommit(session, putCommitRequest.wrap(
                message, BLOCK_OFFSET, PutCommitRequestDecoder.BLOCK_LENGTH, PutCommitRequestDecoder.SCHEMA_VERSION),
                entry);
        }
    }

    private void onPutAbort(final WorkerSession session, final long requestId, final DirectBuffer message)
    {
        final RequestLog.Entry entry = begin(session, requestId, RequestLog.Kind.PUT_ABORT);
        if (null != entry)
        {
            core.puts.onAbort(session, putAbortRequest.wrap(
                message, BLOCK_OFFSET, PutAbortRequestDecoder.BLOCK_LENGTH, PutAbortRequestDecoder.SCHEMA_VERSION),
                entry);
        }
    }

    private void onGetStart(final WorkerSession session, final long requestId, final DirectBuffer message)
    {
        if (null != begin(session, requestId, RequestLog.Kind.GET_START))
        {
            core.gets.onStart(session, getStartRequest.wrap(
                message, BLOCK_OFFSET, GetStartRequestDecoder.BLOCK_LENGTH, GetStartRequestDecoder.SCHEMA_VERSION),
                message);
        }
    }

    private void onGetTransfer(final WorkerSession session, final long requestId, final DirectBuffer message)
    {
        final RequestLog.Entry entry = begin(session, requestId, RequestLog.Kind.GET_TRANSFER);
        if (null != entry)
        {
            core.gets.onTransfer(session, getTransferRequest.wrap(
                message,
                BLOCK_OFFSET,
                GetTransferRequestDecoder.BLOCK_LENGTH,
                GetTransferRequestDecoder.SCHEMA_VERSION),
                entry);
        }
    }

    private void onGetCancel(final WorkerSession session, final long requestId, final DirectBuffer message)
    {
        final RequestLog.Entry entry = begin(session, requestId, RequestLog.Kind.GET_CANCEL);
        if (null != entry)
        {
            core.gets.onCancel(session, getCancelRequest.wrap(
                message, BLOCK_OFFSET, GetCancelRequestDecoder.BLOCK_LENGTH, GetCancelRequestDecoder.SCHEMA_VERSION),
                entry);
        }
    }

    private void onExists(final WorkerSession session, final long requestId, final DirectBuffer message)
    {
        if (null != begin(session, requestId, RequestLog.Kind.EXISTS))
        {
            core.gets.onExists(session, existsRequest.wrap(
                message, BLOCK_OFFSET, ExistsRequestDecoder.BLOCK_LENGTH, ExistsRequestDecoder.SCHEMA_VERSION),
                message);
        }
    }

    private void onDelete(final WorkerSession session, final long requestId, final DirectBuffer message)
    {
        if (null != begin(session, requestId, RequestLog.Kind.DELETE))
        {
            core.gets.onDelete(session, deleteRequest.wrap(
                message, BLOCK_OFFSET, DeleteRequestDecoder.BLOCK_LENGTH, DeleteRequestDecoder.SCHEMA_VERSION),
                message);
        }
    }

    private void onInspect(final WorkerSession session, final long requestId, final DirectBuffer message)
    {
        if (null != begin(session, requestId, RequestLog.Kind.INSPECT))
        {
            core.gets.onInspect(session, inspectRequest.wrap(
                message, BLOCK_OFFSET, InspectRequestDecoder.BLOCK_LENGTH, InspectRequestDecoder.SCHEMA_VERSION),
                message);
        }
    }

    /** Records a request that is to be executed; one that is not is answered from the log, and null comes back. */
    private RequestLog.Entry begin(final WorkerSession session, final long requestId, final RequestLog.Kind kind)
    {
        final RequestLog log = session.requests;
        final RequestLog.Entry known = log.entryOf(requestId);
        if (null != known)
        {
            counters.increment(OwnerCounter.REQUESTS_REPEATED);
            return repeat(session, known, kind) ? known : null;
        }

        if (log.isSettled(requestId, kind))
        {
            counters.increment(OwnerCounter.REQUESTS_LATE);
            return null;
        }

        final boolean isBusy = session.outstanding >= core.settings.maxOutstandingPerSession();
        final RequestLog.Entry entry = isBusy ? null : log.begin(requestId, kind);
        if (null == entry)
        {
            log.refuse(requestId, kind);
            core.workers.status(session, requestId, ErrorCode.BACK_PRESSURED,
                "too many requests of the session are under way, or their outcomes still to be kept");
            return null;
        }

        session.outstanding++;

        return entry;
    }

    /** Answers from the log. Only a question is executed once more when it was answered: it changes nothing. */
    private boolean repeat(
        final WorkerSession session, final RequestLog.Entry entry, final RequestLog.Kind kind)
    {
        if (kind != entry.kind)
        {
            core.workers.status(session, entry.requestId, ErrorCode.INVALID_ARGUMENT,
                "correlationId: was used for another request");
        }
        else if (entry.isAnswered && kind.isQuestion())
        {
            // its worker repeats it: there will be room when others have been answered
            final boolean isRoom = session.outstanding < core.settings.maxOutstandingPerSession();
            entry.isAnswered = !isRoom;
            session.outstanding += isRoom ? 1 : 0;
            return isRoom;
        }
        else if (entry.isAnswered)
        {
            answerAgain(session, entry);
        }

        return false;
    }

    private void answerAgain(final WorkerSession session, final RequestLog.Entry entry)
    {
        switch (entry.kind)
        {
            case PUT_START -> core.puts.repeatStart(session, entry);
            case PUT_COMMIT -> core.puts.repeatCommit(session, entry);
            case GET_START -> core.gets.repeatStart(session, entry);
            case GET_TRANSFER -> core.gets.repeatTransfer(session, entry);
            case DELETE -> core.gets.answerDelete(session, entry);
            default -> core.workers.status(session, entry.requestId, entry.status,
                ErrorCode.OK == entry.status ? "" : "as before");
        }
    }
}
