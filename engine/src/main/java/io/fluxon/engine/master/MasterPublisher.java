package io.fluxon.engine.master;

import io.fluxon.codecs.control.CopiedElsewhereEncoder;
import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.EvictResult;
import io.fluxon.codecs.control.EvictSourceResponseEncoder;
import io.fluxon.codecs.control.HeartbeatAckEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.OperationAckEncoder;
import io.fluxon.codecs.control.PeerUpdateEncoder;
import io.fluxon.codecs.control.PrepareRemovalEncoder;
import io.fluxon.codecs.control.RecheckEncoder;
import io.fluxon.codecs.control.RegisterResponseEncoder;
import io.fluxon.codecs.control.ReplicaEndEncoder;
import io.fluxon.codecs.control.RouteInspectRequestDecoder;
import io.fluxon.codecs.control.RouteInspectResponseEncoder;
import io.fluxon.codecs.control.SessionRefusedEncoder;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.ipc.channel.OutboundQueue;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import static io.fluxon.engine.master.MasterCounter.ANSWERS_DROPPED;
import static io.fluxon.engine.master.MasterCounter.PEER_UPDATES;
import static io.fluxon.engine.master.MasterCounter.REFUSALS_UNSENT;
import static io.fluxon.engine.master.MasterCounter.SESSIONS_REFUSED;

/**
 * Encodes and sends what the master says. A message that an owner's queue does not take is dropped and counted: the
 * owner asks again and gets the recorded answer (contract T1).
 */
final class MasterPublisher
{
    /** Bytes of an operation's acknowledgement. */
    static final int ACK_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + OperationAckEncoder.BLOCK_LENGTH;

    private static final int SMALL_LENGTH = 256;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final RegisterResponseEncoder registerResponse = new RegisterResponseEncoder();
    private final HeartbeatAckEncoder heartbeatAck = new HeartbeatAckEncoder();
    private final PeerUpdateEncoder peerUpdate = new PeerUpdateEncoder();
    private final SessionRefusedEncoder sessionRefused = new SessionRefusedEncoder();
    private final CopiedElsewhereEncoder copiedElsewhere = new CopiedElsewhereEncoder();
    private final RecheckEncoder recheck = new RecheckEncoder();
    private final PrepareRemovalEncoder prepareRemoval = new PrepareRemovalEncoder();
    private final RouteInspectResponseEncoder routeInspected = new RouteInspectResponseEncoder();
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final OperationAckEncoder operationAck = new OperationAckEncoder();
    private final EvictSourceResponseEncoder evictResponse = new EvictSourceResponseEncoder();
    private final ReplicaEndEncoder replicaEnd = new ReplicaEndEncoder();
    private final UnsafeBuffer small = new UnsafeBuffer(new byte[SMALL_LENGTH]);
    private final ExpandableArrayBuffer large = new ExpandableArrayBuffer(4096);
    private final MasterContext context;
    private final MasterCounters counters;

    MasterPublisher(final MasterContext context)
    {
        this.context = context;
        counters = context.counters();
    }

    void registered(final OwnerSession owner)
    {
        encodeRegisterResponse(owner.sessionId(), owner.registerCorrelationId(), 0, "", owner.tenureId(),
            !owner.isReconciled());
        send(owner.outbound(), large, encodedLength(registerResponse.encodedLength()));
    }

    void registrationRefused(
        final OutboundQueue outbound, final long correlationId, final int status, final String message)
    {
        counters.error(status);
        encodeRegisterResponse(0, correlationId, status, message, 0, false);
        send(outbound, large, encodedLength(registerResponse.encodedLength()));
    }

    void heartbeatAck(final OwnerSession owner, final long correlationId, final long peerVersion)
    {
        heartbeatAck.wrapAndApplyHeader(small, 0, header)
            .generation(context.epoch())
            .sessionId(owner.sessionId())
            .correlationId(correlationId)
            .peerVersion(peerVersion);
        send(owner.outbound(), small, encodedLength(heartbeatAck.encodedLength()));
    }

    /** An operation is refused as a whole; nothing is recorded. */
    void refused(final OwnerSession owner, final long operationId, final int status)
    {
        counters.error(status);
        encodeAck(small, operationId, status);
        Entries.sessionId(small, owner.sessionId());
        send(owner.outbound(), small, ACK_LENGTH);
    }

    /** An eviction found its members in use; nothing of that is recorded. */
    void evictBusy(final OwnerSession owner, final long operationId)
    {
        evictResponse.wrapAndApplyHeader(small, 0, header)
            .generation(context.epoch())
            .sessionId(owner.sessionId())
            .correlationId(operationId)
            .result(EvictResult.BUSY)
            .membersCount(0);
        send(owner.outbound(), small, encodedLength(evictResponse.encodedLength()));
    }

    /** Asks a target for a copy of a group; asked again when it does not arrive. */
    void pullReplica(final OwnerSession target, final MutableDirectBuffer message, final long taskId)
    {
        Entries.sessionId(message, target.sessionId());
        Entries.correlationId(message, taskId);
        send(target.outbound(), message, message.capacity());
    }

    /** Tells the source of a replica task what has become of it. */
    void replicaEnd(final OwnerSession source, final long operationId, final int code)
    {
        replicaEnd.wrapAndApplyHeader(small, 0, header)
            .generation(context.epoch())
            .sessionId(source.sessionId())
            .correlationId(operationId)
            .code(code);
        send(source.outbound(), small, encodedLength(replicaEnd.encodedLength()));
    }

    /** Writes an acknowledgement that is to be recorded. */
    void encodeAck(final MutableDirectBuffer buffer, final long operationId, final int status)
    {
        operationAck.wrapAndApplyHeader(buffer, 0, header)
            .generation(context.epoch())
            .sessionId(0)
            .correlationId(operationId)
            .status(status);
    }

    /** Sends a recorded answer in the owner's present session. */
    void answer(final OwnerSession owner, final MutableDirectBuffer answer)
    {
        Entries.sessionId(answer, owner.sessionId());
        send(owner.outbound(), answer, answer.capacity());
    }

    /** Asks the owner of a replica to look at its bytes; dropped when its queue is full, the next reader asks again. */
    void recheck(final OwnerSession owner, final RouteTable routes, final int replica)
    {
        recheck.wrapAndApplyHeader(small, 0, header)
            .generation(context.epoch())
            .sessionId(owner.sessionId())
            .correlationId(0)
            .checksum(routes.checksum(replica) & 0xFFFF_FFFFL);
        routes.backing(replica, recheck.backing());
        send(owner.outbound(), small, encodedLength(recheck.encodedLength()));
    }

    /** Tells an owner of which of its replicas others have copies, or have none; dropped when its queue is full. */
    void copiedElsewhere(
        final OwnerSession owner,
        final boolean isElsewhere,
        final RouteTable routes,
        final int[] replicas,
        final int count)
    {
        copiedElsewhere.wrapAndApplyHeader(large, 0, header)
            .generation(context.epoch())
            .sessionId(owner.sessionId())
            .correlationId(0)
            .isElsewhere((short)(isElsewhere ? 1 : 0));
        final CopiedElsewhereEncoder.ValuesEncoder values = copiedElsewhere.valuesCount(count);
        for (int i = 0; i < count; i++)
        {
            routes.backing(replicas[i], values.next().backing());
        }
        send(owner.outbound(), large, encodedLength(copiedElsewhere.encodedLength()));
    }

    /** Asks a holder to prepare the removal of a value, or how far it is; what its queue drops is sent again. */
    void prepareRemoval(final OwnerSession owner, final Removal removal, final BackingDecoder backing)
    {
        prepareRemoval.wrapAndApplyHeader(small, 0, header)
            .generation(context.epoch())
            .sessionId(owner.sessionId())
            .correlationId(removal.roundId);
        prepareRemoval.version()
            .ownerId(removal.putOwnerId)
            .generation(removal.putGeneration)
            .sequence(removal.putSequence);
        prepareRemoval.backing()
            .grantId(backing.grantId())
            .slotIndex(backing.slotIndex())
            .slotSize(backing.slotSize())
            .useCounter(backing.useCounter())
            .slotOffset(backing.slotOffset());
        send(owner.outbound(), small, encodedLength(prepareRemoval.encodedLength()));
    }

    /** Says what is known of a key, to whoever inspects it; a route has no more replicas than there are owners. */
    void route(final OwnerSession owner, final RouteInspectRequestDecoder request, final MasterState state)
    {
        final RouteTable routes = state.routes;
        request.wrapKey(key);
        final int route = routes.findVisible(key, 0, key.capacity());
        final boolean hasRoute = LineSlab.NONE != route;
        routeInspected.wrapAndApplyHeader(large, 0, header)
            .generation(context.epoch())
            .sessionId(owner.sessionId())
            .correlationId(request.correlationId())
            .hasRoute((short)(hasRoute ? 1 : 0))
            .isBeingDeleted((short)(hasRoute && routes.isCondemned(route) ? 1 : 0))
            .groupLength(hasRoute ? routes.groupLength(route) : 0)
            .valueLength(hasRoute ? routes.valueLength(route) : 0)
            .version()
            .ownerId(hasRoute ? routes.putOwnerId(route) : 0)
            .generation(hasRoute ? routes.putGeneration(route) : 0)
            .sequence(hasRoute ? routes.putSequence(route) : 0);
        final RouteInspectResponseEncoder.ReplicasEncoder replicas =
            routeInspected.replicasCount(hasRoute ? routes.liveReplicas(route) : 0);
        int replica = hasRoute ? routes.firstReplica(route) : LineSlab.NONE;
        for (; LineSlab.NONE != replica; replica = routes.nextReplica(replica))
        {
            final int tenure = routes.tenure(replica);
            if (state.tenures.isLive(tenure))
            {
                replicas.next()
                    .ownerId(state.tenures.ownerId(tenure))
                    .ownerGeneration(state.tenures.generation(tenure))
                    .readers(routes.readers(replica));
                routes.backing(replica, replicas.backing());
            }
        }
        send(owner.outbound(), large, encodedLength(routeInspected.encodedLength()));
    }

    /** Sends the answer to the last part of a report again. */
    void lastReport(final OwnerSession owner)
    {
        send(owner.outbound(), owner.lastReport(), owner.lastReportLength());
    }

    /** Tells whoever sent a message that its session is not known, if it can be told. */
    void sessionRefused(
        final OwnerSession sender,
        final long sessionId,
        final long correlationId,
        final int status,
        final String message)
    {
        counters.increment(SESSIONS_REFUSED);
        counters.error(status);
        if (null == sender || null == sender.outbound())
        {
            counters.increment(REFUSALS_UNSENT);
            return;
        }

        sessionRefused.wrapAndApplyHeader(large, 0, header)
            .generation(context.epoch())
            .sessionId(sessionId)
            .correlationId(correlationId)
            .status(status)
            .message(message);
        send(sender.outbound(), large, encodedLength(sessionRefused.encodedLength()));
    }

    /** Sends an owner the list of all other live owners; false when its queue did not take it. */
    boolean peers(final OwnerSession owner, final OwnerRegistry owners, final long peerVersion)
    {
        peerUpdate.wrapAndApplyHeader(large, 0, header)
            .generation(context.epoch())
            .sessionId(owner.sessionId())
            .correlationId(0)
            .peerVersion(peerVersion);
        final PeerUpdateEncoder.PeersEncoder peers = peerUpdate.peersCount(owners.liveCount() - 1);
        for (int i = 0, size = owners.size(); i < size; i++)
        {
            final OwnerSession peer = owners.get(i);
            if (peer != owner && peer.isLive())
            {
                peers.next()
                    .ownerId(peer.ownerId())
                    .ownerGeneration(peer.generation())
                    .role(peer.role())
                    .segmentLength(peer.segmentLength())
                    .segmentPath(peer.segmentPath())
                    .name(peer.name())
                    .hostName(peer.hostName())
                    .transferAddress(peer.transferAddress());
            }
        }

        if (!owner.outbound().send(large, 0, encodedLength(peerUpdate.encodedLength())))
        {
            return false;
        }
        counters.increment(PEER_UPDATES);

        return true;
    }

    private void encodeRegisterResponse(
        final long sessionId,
        final long correlationId,
        final int status,
        final String message,
        final long tenureId,
        final boolean mustReport)
    {
        registerResponse.wrapAndApplyHeader(large, 0, header)
            .generation(context.epoch())
            .sessionId(sessionId)
            .correlationId(correlationId)
            .status(status)
            .protocolVersion(Limits.PROTOCOL_VERSION)
            .heartbeatIntervalNs(context.heartbeatIntervalNs())
            .livenessTimeoutNs(context.livenessTimeoutNs())
            .inflightTtlNs(context.inflightTtlNs())
            .tenureId(tenureId)
            .mustReport((short)(mustReport ? 1 : 0))
            .message(message);
    }

    private void send(final OutboundQueue outbound, final DirectBuffer buffer, final int length)
    {
        if (null == outbound || !outbound.send(buffer, 0, length))
        {
            counters.increment(ANSWERS_DROPPED);
        }
    }

    private static int encodedLength(final int bodyLength)
    {
        return MessageHeaderEncoder.ENCODED_LENGTH + bodyLength;
    }
}
