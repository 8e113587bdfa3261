package io.fluxon.engine.owner;

import io.fluxon.codecs.control.ConnectResponseEncoder;
import io.fluxon.codecs.control.DeleteResponseEncoder;
import io.fluxon.codecs.control.GetKind;
import io.fluxon.codecs.control.GetStartResponseEncoder;
import io.fluxon.codecs.control.GetTransferResponseEncoder;
import io.fluxon.codecs.control.KeepAliveEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PutCommitLocalEncoder;
import io.fluxon.codecs.control.PutStartResponseEncoder;
import io.fluxon.codecs.control.SessionCloseEncoder;
import io.fluxon.codecs.control.SessionSuspendedEncoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.codecs.control.StatusResponseEncoder;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.ipc.channel.OutboundQueue;
import org.agrona.ExpandableArrayBuffer;

/**
 * Encodes the short messages to workers. An answer that the worker's queue does not take is lost: the worker asks again
 * and gets the recorded outcome (contract API-4).
 */
final class WorkerPublisher
{
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final String NO_MESSAGE = "";

    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(4096);
    private final ExpandableArrayBuffer text = new ExpandableArrayBuffer();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ConnectResponseEncoder connectResponse = new ConnectResponseEncoder();
    private final KeepAliveEncoder keepAlive = new KeepAliveEncoder();
    private final SessionSuspendedEncoder sessionSuspended = new SessionSuspendedEncoder();
    private final SessionCloseEncoder sessionClose = new SessionCloseEncoder();
    private final StatusResponseEncoder statusResponse = new StatusResponseEncoder();
    private final PutStartResponseEncoder putStartResponse = new PutStartResponseEncoder();
    private final PutCommitLocalEncoder putCommitLocal = new PutCommitLocalEncoder();
    private final GetStartResponseEncoder getStartResponse = new GetStartResponseEncoder();
    private final GetTransferResponseEncoder getTransferResponse = new GetTransferResponseEncoder();
    private final DeleteResponseEncoder deleteResponse = new DeleteResponseEncoder();
    private final OwnerContext context;
    private final OwnerSettings settings;
    private final OwnerCounters counters;
    private final long maxValueBytes;

    WorkerPublisher(final OwnerContext context)
    {
        this.context = context;
        settings = context.settings();
        counters = context.counters();
        maxValueBytes = context.slotPool().plan().maxValueLength();
    }

    /** Accepts a connect. */
    boolean connected(final WorkerSession session, final long rangeLength)
    {
        return connectResponse(
            session.outbound,
            session.sessionId,
            session.connectRequestId,
            0,
            context.arenaOffset() + session.arenaRange * rangeLength,
            rangeLength,
            NO_MESSAGE);
    }

    /** Refuses a connect. */
    boolean refused(final OutboundQueue outbound, final long correlationId, final int status, final String message)
    {
        counters.error(status);

        return connectResponse(outbound, 0, correlationId, status, 0, 0, message);
    }

    boolean keepAlive(final WorkerSession session)
    {
        keepAlive.wrapAndApplyHeader(buffer, 0, header)
            .generation(context.generation())
            .sessionId(session.sessionId)
            .correlationId(0)
            .answeredBelow(0)
            .resultsBelow(0);
        keepAlive.unansweredCount(0);
        keepAlive.unfinishedCount(0);

        return session.outbound.send(buffer, 0, HEADER_LENGTH + keepAlive.encodedLength());
    }

    boolean sessionClose(
        final OutboundQueue outbound, final long sessionId, final long correlationId, final int status)
    {
        sessionClose.wrapAndApplyHeader(buffer, 0, header)
            .generation(context.generation())
            .sessionId(sessionId)
            .correlationId(correlationId)
            .processId(0)
            .processStartTime(0)
            .status(status);

        return outbound.send(buffer, 0, HEADER_LENGTH + sessionClose.encodedLength());
    }

    /** Tells a worker that was silent too long to resume its session (contract API-10). */
    boolean sessionSuspended(final WorkerSession session, final long correlationId)
    {
        sessionSuspended.wrapAndApplyHeader(buffer, 0, header)
            .generation(context.generation())
            .sessionId(session.sessionId)
            .correlationId(correlationId);

        return session.outbound.send(buffer, 0, HEADER_LENGTH + sessionSuspended.encodedLength());
    }

    boolean status(final WorkerSession session, final long requestId, final int status, final String message)
    {
        counters.error(status);
        statusResponse.wrapAndApplyHeader(buffer, 0, header)
            .generation(context.generation())
            .sessionId(session.sessionId)
            .correlationId(requestId)
            .status(status)
            .putMessage(text, 0, encodeText(message));

        return session.outbound.send(buffer, 0, HEADER_LENGTH + statusResponse.encodedLength());
    }

    boolean putStartFailed(
        final WorkerSession session,
        final long requestId,
        final int status,
        final Stage stage,
        final String message)
    {
        counters.error(status);
        putStartResponse.wrapAndApplyHeader(buffer, 0, header)
            .generation(context.generation())
            .sessionId(session.sessionId)
            .correlationId(requestId)
            .status(status)
            .stage(stage)
            .planId(0)
            .slotsCount(0);
        putStartResponse.putMessage(text, 0, encodeText(message));

        return session.outbound.send(buffer, 0, HEADER_LENGTH + putStartResponse.encodedLength());
    }

    boolean putCommitLocal(
        final WorkerSession session,
        final long requestId,
        final long planId,
        final int status,
        final String message)
    {
        counters.error(status);
        putCommitLocal.wrapAndApplyHeader(buffer, 0, header)
            .generation(context.generation())
            .sessionId(session.sessionId)
            .correlationId(requestId)
            .planId(planId)
            .status(status)
            .putMessage(text, 0, encodeText(message));

        return session.outbound.send(buffer, 0, HEADER_LENGTH + putCommitLocal.encodedLength());
    }

    boolean getStartFailed(
        final WorkerSession session,
        final long requestId,
        final int status,
        final Stage stage,
        final String message)
    {
        counters.error(status);
        getStartResponse.wrapAndApplyHeader(buffer, 0, header)
            .generation(context.generation())
            .sessionId(session.sessionId)
            .correlationId(requestId)
            .status(status)
            .stage(stage)
            .kind(GetKind.INLINE)
            .handle(0)
            .rawPrefixHitLen(0)
            .transferableLen(0)
            .prefixHitGroups(0)
            .firstMissIndex(PrefixPlanner.NONE)
            .firstMissGroupIndex(PrefixPlanner.NONE)
            .remoteHits(0)
            .holdingsCount(0);
        getStartResponse.putMessage(text, 0, encodeText(message));

        return session.outbound.send(buffer, 0, HEADER_LENGTH + getStartResponse.encodedLength());
    }

    boolean getTransferFailed(
        final WorkerSession session,
        final long requestId,
        final long handle,
        final int status,
        final Stage stage,
        final String message)
    {
        counters.error(status);
        getTransferResponse.wrapAndApplyHeader(buffer, 0, header)
            .generation(context.generation())
            .sessionId(session.sessionId)
            .correlationId(requestId)
            .status(status)
            .stage(stage)
            .handle(handle)
            .holdingsCount(0);
        getTransferResponse.putMessage(text, 0, encodeText(message));

        return session.outbound.send(buffer, 0, HEADER_LENGTH + getTransferResponse.encodedLength());
    }

    /** The recorded results of a delete. */
    boolean deleted(final WorkerSession session, final RequestLog.Entry entry)
    {
        final DeleteResponseEncoder.ResultsEncoder results = deleteResponse.wrapAndApplyHeader(buffer, 0, header)
            .generation(context.generation())
            .sessionId(session.sessionId)
            .correlationId(entry.requestId)
            .status(0)
            .stage(Stage.NONE)
            .resultsCount(entry.resultCount);
        for (int i = 0; i < entry.resultCount; i++)
        {
            results.next().code(entry.areAllResultsOk ? 0 : entry.results[i]);
        }
        deleteResponse.message(NO_MESSAGE);

        return session.outbound.send(buffer, 0, HEADER_LENGTH + deleteResponse.encodedLength());
    }

    /** It is not known which keys of a delete are gone. */
    boolean deleteFailed(
        final WorkerSession session, final long requestId, final int status, final Stage stage, final String message)
    {
        counters.error(status);
        deleteResponse.wrapAndApplyHeader(buffer, 0, header)
            .generation(context.generation())
            .sessionId(session.sessionId)
            .correlationId(requestId)
            .status(status)
            .stage(stage)
            .resultsCount(0);
        deleteResponse.putMessage(text, 0, encodeText(message));

        return session.outbound.send(buffer, 0, HEADER_LENGTH + deleteResponse.encodedLength());
    }

    private boolean connectResponse(
        final OutboundQueue outbound,
        final long sessionId,
        final long correlationId,
        final int status,
        final long arenaOffset,
        final long arenaLength,
        final String message)
    {
        connectResponse.wrapAndApplyHeader(buffer, 0, header)
            .generation(context.generation())
            .sessionId(sessionId)
            .correlationId(correlationId)
            .status(status)
            .protocolVersion(Limits.PROTOCOL_VERSION)
            .ownerId(context.ownerId())
            .segmentLength(context.segmentLength())
            .arenaOffset(arenaOffset)
            .arenaLength(arenaLength)
            .mapOffset(context.mapOffset())
            .maxKeysPerBatch(settings.maxKeysPerBatch())
            .maxKeyBytes(Limits.MAX_KEY_BYTES)
            .maxValueBytes(maxValueBytes)
            .maxMessageBytes(Limits.MAX_MESSAGE_BYTES)
            .keepAliveIntervalNs(settings.keepAliveNs())
            .sessionTimeoutNs(settings.sessionTimeoutNs())
            .handleTtlNs(settings.handleTtlNs())
            .segmentPath(context.segmentPath())
            .nodeId(context.nodeId())
            .message(message);

        return outbound.send(buffer, 0, HEADER_LENGTH + connectResponse.encodedLength());
    }

    /** A refusal is an ordinary answer (a key that has a value already), so its text must not be allocated. */
    private int encodeText(final String message)
    {
        return text.putStringWithoutLengthAscii(0, message);
    }
}
