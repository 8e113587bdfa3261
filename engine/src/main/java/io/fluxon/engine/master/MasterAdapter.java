package io.fluxon.engine.master;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.HeartbeatDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.RegisterRequestDecoder;
import io.fluxon.codecs.control.RemovalReportDecoder;
import io.fluxon.codecs.control.ReplicaGiveUpRequestDecoder;
import io.fluxon.codecs.control.ReplicaStartRequestDecoder;
import io.fluxon.codecs.control.ReportRequestDecoder;
import io.fluxon.codecs.control.ReserveRequestDecoder;
import io.fluxon.codecs.control.RouteDeleteRequestDecoder;
import io.fluxon.codecs.control.RouteExistsRequestDecoder;
import io.fluxon.codecs.control.RouteInspectRequestDecoder;
import io.fluxon.codecs.control.UnreserveRequestDecoder;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.MessageCheck;
import io.fluxon.ipc.channel.MessageHandler;
import org.agrona.DirectBuffer;

import static io.fluxon.engine.master.MasterCounter.MESSAGES_DELETE;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_EVICT;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_GET_DONE;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_GET_REVOKE;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_GET_START;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_HEARTBEAT;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_MALFORMED;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_OTHER;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_PUBLISH;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_REGISTER;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_REPLICA;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_REMOVAL;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_REPORT;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_RESERVE;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_ROUTE_EXISTS;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_ROUTE_INSPECT;
import static io.fluxon.engine.master.MasterCounter.MESSAGES_UNRESERVE;
import static io.fluxon.engine.master.MasterCounter.OPERATIONS_TOO_EARLY;

/**
 * Takes the messages that arrive: checks that each is whole, finds its session, and calls what it is for. A message
 * that is not whole changes nothing; one of an unknown or older session or generation is refused and executes nothing
 * (contract T1).
 */
final class MasterAdapter implements MessageHandler
{
    private final MessageCheck check = new MessageCheck();
    private final RegisterRequestDecoder registerRequest = new RegisterRequestDecoder();
    private final HeartbeatDecoder heartbeat = new HeartbeatDecoder();
    private final RouteInspectRequestDecoder routeInspect = new RouteInspectRequestDecoder();
    private final RemovalReportDecoder removalReport = new RemovalReportDecoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final MasterState state;
    private final MasterCounters counters;
    private final Registrations registrations;
    private final Operations operations;
    private final MasterPublisher publisher;
    private long nowNs;

    MasterAdapter(
        final MasterState state,
        final MasterCounters counters,
        final Registrations registrations,
        final Operations operations,
        final MasterPublisher publisher)
    {
        this.state = state;
        this.counters = counters;
        this.registrations = registrations;
        this.operations = operations;
        this.publisher = publisher;
    }

    void nowNs(final long nowNs)
    {
        this.nowNs = nowNs;
    }

    @Override
    public void onMessage(final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!check.isValid(buffer, offset, length))
        {
            onMalformed(connectionId);
            return;
        }

        final int templateId = check.templateId();
        final MasterCounter kind = kind(templateId);
        counters.increment(kind);
        if (MESSAGES_OTHER == kind)
        {
            onMalformed(connectionId);
        }
        else if (MESSAGES_REGISTER == kind)
        {
            onRegister(connectionId);
        }
        else
        {
            onSessionMessage(connectionId, kind, templateId);
        }
    }

    private void onRegister(final long connectionId)
    {
        registerRequest.wrapAndApplyHeader(check.message(), 0, header);
        final Registration registration = Registration.of(registerRequest);
        if (null == registration)
        {
            onMalformed(connectionId);
        }
        else
        {
            registrations.onRegister(connectionId, registration, nowNs);
        }
    }

    private void onSessionMessage(final long connectionId, final MasterCounter kind, final int templateId)
    {
        final OwnerSession owner = state.owners.bySessionId(check.sessionId());
        if (null == owner || owner.generation() != check.generation())
        {
            refuseSession(connectionId);
            return;
        }

        owner.heard(nowNs);
        switch (kind)
        {
            case MESSAGES_HEARTBEAT -> onHeartbeat(owner);
            case MESSAGES_REPORT -> operations.onReport(owner, check.message());
            case MESSAGES_REMOVAL ->
            {
                removalReport.wrapAndApplyHeader(check.message(), 0, header);
                operations.removals().onReport(owner, removalReport.correlationId(), removalReport.step());
            }
            default -> onOperation(owner, kind, templateId);
        }
    }

    /** Before the owner's report is complete its operations are neither executed nor recorded (contract LIFE-4). */
    private void onOperation(final OwnerSession owner, final MasterCounter kind, final int templateId)
    {
        if (!owner.isReconciled())
        {
            counters.increment(OPERATIONS_TOO_EARLY);
            return;
        }

        switch (kind)
        {
            case MESSAGES_ROUTE_EXISTS -> operations.onQuestion(owner, check.message(), templateId);
            case MESSAGES_ROUTE_INSPECT ->
            {
                routeInspect.wrapAndApplyHeader(check.message(), 0, header);
                publisher.route(owner, routeInspect, state);
            }
            default -> operations.onOperation(owner, check.message(), templateId);
        }
    }

    private void onHeartbeat(final OwnerSession owner)
    {
        heartbeat.wrapAndApplyHeader(check.message(), 0, header);
        if (heartbeat.ackedWatermark() < 0)
        {
            counters.increment(MESSAGES_MALFORMED);
            publisher.refused(owner, heartbeat.correlationId(), ErrorCode.PROTOCOL);
            return;
        }

        owner.outcomes().acknowledgeSeen(heartbeat.ackedWatermark());
        owner.space(heartbeat.freeBytes(), heartbeat.usedBytes(), heartbeat.evictableBytes());
        owner.knownPeerVersion(heartbeat.peerVersion());
        publisher.heartbeatAck(owner, heartbeat.correlationId(), registrations.peerVersion());
    }

    private void refuseSession(final long connectionId)
    {
        final OwnerSession sender = state.owners.whoSent(connectionId, check.generation());
        final boolean isOlder = null != sender && check.generation() != sender.generation();
        publisher.sessionRefused(
            sender,
            check.sessionId(),
            check.correlationId(),
            isOlder ? ErrorCode.OWNER_GENERATION_MISMATCH : ErrorCode.UNAUTHORIZED,
            isOlder ? "this generation is not registered, register again" :
                "this session is not known or has ended, register again");
    }

    private void onMalformed(final long connectionId)
    {
        counters.increment(MESSAGES_MALFORMED);
        if (check.hasPreamble())
        {
            final OwnerSession owner = state.owners.bySessionId(check.sessionId());
            if (null != owner && connectionId == owner.connectionId())
            {
                publisher.refused(owner, check.correlationId(), ErrorCode.PROTOCOL);
            }
        }
    }

    private static MasterCounter kind(final int templateId)
    {
        return switch (templateId)
        {
            case RegisterRequestDecoder.TEMPLATE_ID -> MESSAGES_REGISTER;
            case HeartbeatDecoder.TEMPLATE_ID -> MESSAGES_HEARTBEAT;
            case ReportRequestDecoder.TEMPLATE_ID -> MESSAGES_REPORT;
            case ReserveRequestDecoder.TEMPLATE_ID -> MESSAGES_RESERVE;
            case UnreserveRequestDecoder.TEMPLATE_ID -> MESSAGES_UNRESERVE;
            case PublishRequestDecoder.TEMPLATE_ID -> MESSAGES_PUBLISH;
            case BatchGetStartRequestDecoder.TEMPLATE_ID -> MESSAGES_GET_START;
            case BatchGetDoneRequestDecoder.TEMPLATE_ID -> MESSAGES_GET_DONE;
            case BatchGetRevokeRequestDecoder.TEMPLATE_ID -> MESSAGES_GET_REVOKE;
            case RouteExistsRequestDecoder.TEMPLATE_ID -> MESSAGES_ROUTE_EXISTS;
            case EvictSourceRequestDecoder.TEMPLATE_ID -> MESSAGES_EVICT;
            case ReplicaStartRequestDecoder.TEMPLATE_ID, ReplicaGiveUpRequestDecoder.TEMPLATE_ID -> MESSAGES_REPLICA;
            case RouteDeleteRequestDecoder.TEMPLATE_ID -> MESSAGES_DELETE;
            case RemovalReportDecoder.TEMPLATE_ID -> MESSAGES_REMOVAL;
            case RouteInspectRequestDecoder.TEMPLATE_ID -> MESSAGES_ROUTE_INSPECT;
            default -> MESSAGES_OTHER;
        };
    }
}
