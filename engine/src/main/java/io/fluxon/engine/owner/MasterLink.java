package io.fluxon.engine.owner;

import io.fluxon.codecs.control.HeartbeatEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.OperationAckDecoder;
import io.fluxon.codecs.control.PeerUpdateDecoder;
import io.fluxon.codecs.control.PrepareRemovalDecoder;
import io.fluxon.codecs.control.RecheckDecoder;
import io.fluxon.codecs.control.RegisterRequestEncoder;
import io.fluxon.codecs.control.RegisterResponseDecoder;
import io.fluxon.codecs.control.RemovalReportEncoder;
import io.fluxon.codecs.control.RemovalStep;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.engine.protocol.OperationIds;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.OutboundQueue;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The owner's side of its session with the master: registration, report, heartbeats, and the operations that are open.
 * An operation is sent again under its id, after 25 ms doubling to 1 s, until it is answered (contract A2, T1); while
 * there is no session, or the report is not complete, it waits. A master that is silent for its liveness timeout of own
 * running time, refuses the session or has a new epoch is registered with again (contract LIFE-2, LIFE-4). Nothing here
 * ever holds up local puts and gets (contract V1, LIFE-3).
 */
final class MasterLink
{
    /** The message is not the answer. */
    static final int NOT_AN_ANSWER = -1;

    private static final int FLUSH_LIMIT = 64;
    /** After so many liveness timeouts without a word a master that forgot this owner could not tell it any more. */
    private static final int SILENCE_FACTOR = 2;
    private static final long NO_EPOCH = 0;
    private static final long NO_REGISTRATION = 0;
    private static final long DEFAULT_LIVENESS_NS = 5_000_000_000L;
    private static final long DEFAULT_HEARTBEAT_NS = 1_000_000_000L;

    private static final long MIN_TIME_NS = 1_000_000L;
    private static final long MAX_TIME_NS = 3_600_000_000_000L;
    private static final int HEARTBEATS_OF_LIVENESS = 2;

    private final OwnerCore core;
    private final OwnerContext context;
    private final OwnerCounters counters;
    private final OperationIds ids = new OperationIds();
    private final Long2ObjectHashMap<MasterOperation> operations = new Long2ObjectHashMap<>();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(1024);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final RegisterRequestEncoder registerRequest = new RegisterRequestEncoder();
    private final HeartbeatEncoder heartbeat = new HeartbeatEncoder();
    private final RemovalReportEncoder removalReport = new RemovalReportEncoder();
    private final OperationAckDecoder ack = new OperationAckDecoder();
    private final OutboundQueue outbound;
    private final Peers peers;
    private final BackingReport report;
    private State state = State.UNREGISTERED;
    private long sessionId;
    private long epoch = NO_EPOCH;
    private long livenessTimeoutNs = DEFAULT_LIVENESS_NS;
    private long heartbeatIntervalNs = DEFAULT_HEARTBEAT_NS;
    private long lastHeardNs;
    private long lastCycleNs;
    private long nextRegisterNs;
    private long registerDelayNs;
    private long registerCorrelationId;
    private long nextHeartbeatNs;
    private long tenureEpoch;
    private long tenureId;
    private int applying;
    private boolean wasAvailable;
    private String lastRefusal = "";

    MasterLink(final OwnerCore core)
    {
        this.core = core;
        context = core.context;
        counters = core.counters;
        outbound = new OutboundQueue(context.masterChannel(), core.settings.maxQueuedBytesMaster());
        peers = new Peers(context.transferQueue(), counters, context.ownerId());
        report = new BackingReport(core, outbound);
        nextRegisterNs = core.nowNs();
        lastCycleNs = core.nowNs();
    }

    /**
     * Where the session stands.
     */
    enum State
    {
        /** No session: registering. */
        UNREGISTERED,
        /** The master has accepted the registration and is told all committed values (contract LIFE-4). */
        REPORTING,
        /** The master knows all committed values and executes operations. */
        REGISTERED
    }

    /** An answer of the master is being carried out; what it commits belongs into a report. */
    void beginApplying()
    {
        applying++;
    }

    /** An answer of the master has been carried out. */
    void endApplying()
    {
        applying--;
    }

    /** Will a question be answered soon? False without a session, and while the master is silent. */
    boolean isAvailable()
    {
        return State.REGISTERED == state &&
            core.nowNs() - lastHeardNs < livenessTimeoutNs &&
            outbound.channel().isConnected();
    }

    boolean isBackPressured()
    {
        return outbound.queuedBytes() > core.settings.maxQueuedBytesMaster() / 2;
    }

    long epoch()
    {
        return epoch;
    }

    long sessionId()
    {
        return sessionId;
    }

    boolean isRegistered()
    {
        return State.REGISTERED == state;
    }

    /** Does the master list an owner that holds copies for others? */
    boolean hasRemoteCache()
    {
        return peers.hasRemoteCache();
    }

    boolean isOpen(final long operationId)
    {
        return operations.containsKey(operationId);
    }

    long lastOperationId()
    {
        return ids.lastId();
    }

    /** Open operations that can still be begun before the bound of contract T1. */
    int availableIds()
    {
        return ids.available();
    }

    int openOperations()
    {
        return operations.size();
    }

    int doWork(final long nowNs)
    {
        if (nowNs - lastCycleNs > livenessTimeoutNs / 2)
        {
            lastHeardNs = nowNs;
        }
        lastCycleNs = nowNs;

        int work = 0;
        if (State.UNREGISTERED == state)
        {
            // until answers that have come are carried out the values to report are not all known
            if (nowNs - nextRegisterNs >= 0 && 0 == applying)
            {
                register(nowNs);
                work++;
            }
        }
        else if (nowNs - lastHeardNs >= SILENCE_FACTOR * livenessTimeoutNs)
        {
            leave();
            work++;
        }
        else if (nowNs - nextHeartbeatNs >= 0)
        {
            heartbeat(nowNs);
            work++;
        }

        noteAvailability();

        return work + peers.doWork();
    }

    int flush()
    {
        return outbound.flush(FLUSH_LIMIT);
    }

    /**
     * Begins an operation: gives it an id, for the encoder to write.
     *
     * @param operation that is not open.
     * @return its id, or {@link OperationIds#NONE} when too many are open.
     */
    long open(final MasterOperation operation)
    {
        final long operationId = ids.next();
        if (OperationIds.NONE != operationId)
        {
            operation.operationId = operationId;
            operation.delayNs = 0;
            operation.sends = 0;
            operation.isOpen = true;
            operations.put(operationId, operation);
            counters.increment(OwnerCounter.OPERATIONS_OPEN);
        }

        return operationId;
    }

    /**
     * Sends an encoded operation, again and again until it is answered.
     *
     * @param operation that is open.
     * @param giveUpNs  when it ends by time; {@link Long#MAX_VALUE} = never.
     */
    void send(final MasterOperation operation, final long giveUpNs)
    {
        operation.giveUpNs = giveUpNs;
        transmit(operation, core.nowNs());
    }

    /** Ends an operation whose answer nobody needs any more; its id counts as answered. */
    void close(final MasterOperation operation)
    {
        if (operation.isOpen)
        {
            detach(operation);
            ids.complete(operation.operationId);
        }
    }

    /** An id whose operation was given up is settled now. */
    void complete(final long operationId)
    {
        ids.complete(operationId);
    }

    /** Ends the operation of an id, if it is still open. */
    void close(final long operationId)
    {
        final MasterOperation operation = operations.get(operationId);
        if (null != operation)
        {
            final OperationListener listener = operation.listener;
            close(operation);
            listener.onGivenUp(operation);
        }
    }

    void onRetry(final MasterOperation operation, final long nowNs)
    {
        if (nowNs >= operation.giveUpNs)
        {
            detach(operation);
            operation.listener.onGivenUp(operation);
        }
        else
        {
            transmit(operation, nowNs);
        }
    }

    /**
     * An answer to an operation; one that is not open is an answer that came twice, one never sent has none. An answer
     * of another session is left aside: what it speaks of may have ended with that, and the operation is sent in this
     * one.
     */
    void onAnswer(
        final int templateId, final long ofSessionId, final long operationId, final DirectBuffer message)
    {
        if (State.REGISTERED != state || ofSessionId != sessionId)
        {
            return;
        }

        final MasterOperation operation = operations.get(operationId);
        if (null != operation && operation.sends > 0)
        {
            operation.listener.onAnswer(operation, templateId, message);
        }
    }

    /**
     * Status of an operation that the master acknowledges or refuses as a whole.
     *
     * @return 0 or its error code, {@link #NOT_AN_ANSWER} when the message is another one, or only asks for patience.
     */
    int ackStatus(final int templateId, final DirectBuffer message)
    {
        if (OperationAckDecoder.TEMPLATE_ID != templateId)
        {
            return NOT_AN_ANSWER;
        }

        ack.wrap(
            message,
            MasterOperation.BLOCK_OFFSET,
            OperationAckDecoder.BLOCK_LENGTH,
            OperationAckDecoder.SCHEMA_VERSION);

        return ErrorCode.BACK_PRESSURED == ack.status() ? NOT_AN_ANSWER : ack.status();
    }

    /** A message of the master has come. False when it is of an older incarnation and must be ignored. */
    boolean onHeard(final long messageEpoch)
    {
        if (messageEpoch < epoch)
        {
            return false;
        }

        if (messageEpoch > epoch && State.UNREGISTERED != state)
        {
            leave();
        }
        lastHeardNs = core.nowNs();

        return true;
    }

    void onRegisterResponse(final RegisterResponseDecoder response)
    {
        if (State.UNREGISTERED != state || NO_REGISTRATION == registerCorrelationId ||
            registerCorrelationId != response.correlationId())
        {
            return;
        }

        registerCorrelationId = NO_REGISTRATION;
        if (ErrorCode.OK != response.status())
        {
            counters.error(response.status());
            reportRefusal(response.status(), response.message());
            return;
        }

        sessionId = response.sessionId();
        epoch = response.generation();
        livenessTimeoutNs = isUsable(response.livenessTimeoutNs()) ? response.livenessTimeoutNs() : DEFAULT_LIVENESS_NS;
        heartbeatIntervalNs = Math.min(livenessTimeoutNs / HEARTBEATS_OF_LIVENESS,
            isUsable(response.heartbeatIntervalNs()) ? response.heartbeatIntervalNs() : DEFAULT_HEARTBEAT_NS);
        nextHeartbeatNs = core.nowNs();
        registerDelayNs = 0;
        lastRefusal = "";
        counters.increment(OwnerCounter.MASTER_REGISTRATIONS);
        tenureEpoch = 0;
        tenureId = 0;
        final long newTenureId = response.tenureId();
        if (0 != response.mustReport())
        {
            state = State.REPORTING;
            report.begin(sessionId, newTenureId);
        }
        else
        {
            onReconciled(newTenureId);
        }
    }

    /** The master knows all committed values of this owner: operations go on, under their ids (contract LIFE-4). */
    void onReconciled(final long newTenureId)
    {
        state = State.REGISTERED;
        tenureEpoch = epoch;
        tenureId = newTenureId;
        noteAvailability();
        core.resume(new Resend());
    }

    /** The master lists the other owners. Versions count within a session, so a list of another one says nothing. */
    void onPeerUpdate(final long ofSessionId, final PeerUpdateDecoder update)
    {
        if (State.UNREGISTERED != state && ofSessionId == sessionId && peers.onUpdate(update))
        {
            core.evictions.copied().clear();
        }
    }

    /** Another owner got wrong bytes of a value that is here. */
    void onRecheck(final long ofSessionId, final RecheckDecoder recheck)
    {
        if (State.UNREGISTERED != state && ofSessionId == sessionId)
        {
            core.rechecks.onRequest(recheck.backing(), recheck.checksum());
        }
    }

    /** The master wants to delete a value that is here. */
    void onPrepareRemoval(final long ofSessionId, final PrepareRemovalDecoder prepare)
    {
        if (State.REGISTERED == state && ofSessionId == sessionId)
        {
            core.evictions.onPrepare(prepare.correlationId(), prepare.version(), prepare.backing());
        }
    }

    /** Says how far this owner is with a removal; the master does not depend on it that this arrives. */
    void removal(final long removalId, final RemovalStep step)
    {
        if (!isAvailable() || isBackPressured())
        {
            return;
        }

        removalReport.wrapAndApplyHeader(buffer, 0, header)
            .generation(context.generation())
            .sessionId(sessionId)
            .correlationId(removalId)
            .step(step);
        outbound.send(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + removalReport.encodedLength());
    }

    /** The master has carried out a part of the report. */
    void onReportResponse(final long ofSessionId, final long part, final DirectBuffer message)
    {
        if (State.REPORTING == state && ofSessionId == sessionId)
        {
            report.onAnswer(part, message);
        }
    }

    /** The master does not know this session: register again; open operations keep their ids. */
    void onSessionRefused(final long refusedSessionId)
    {
        if (State.UNREGISTERED != state && (refusedSessionId == sessionId || 0 == refusedSessionId))
        {
            leave();
        }
    }

    void close()
    {
        outbound.close();
    }

    /** Times that make no sense would keep the master away for ever, or never. */
    private static boolean isUsable(final long timeNs)
    {
        return timeNs >= MIN_TIME_NS && timeNs <= MAX_TIME_NS;
    }

    /** Registers again at the next opportunity; open operations keep their ids. */
    private void leave()
    {
        report.end();
        state = State.UNREGISTERED;
        sessionId = 0;
        registerCorrelationId = NO_REGISTRATION;
        registerDelayNs = 0;
        nextRegisterNs = core.nowNs();
        peers.reset();
        counters.increment(OwnerCounter.MASTER_SESSIONS_LOST);
    }

    /** The operator has to hear why, once: a registration is tried for ever. */
    private void reportRefusal(final int status, final String text)
    {
        final String refusal = "the master refuses this owner: " + ErrorCode.name(status) + ": " + text;
        if (!refusal.equals(lastRefusal))
        {
            lastRefusal = refusal;
            context.errorHandler().onError(new RegistrationRefusedException(refusal));
        }
    }

    private void noteAvailability()
    {
        final boolean isAvailable = isAvailable();
        if (isAvailable != wasAvailable)
        {
            wasAvailable = isAvailable;
            counters.set(OwnerCounter.MASTER_AVAILABLE, isAvailable ? 1 : 0);
        }
        core.claims.masterAway(!isAvailable);
    }

    private void detach(final MasterOperation operation)
    {
        core.timers.cancel(operation.timerId);
        operation.timerId = OwnerTimers.NONE;
        operation.isOpen = false;
        operations.remove(operation.operationId);
        counters.add(OwnerCounter.OPERATIONS_OPEN, -1);
    }

    private void transmit(final MasterOperation operation, final long nowNs)
    {
        if (isAvailable() && !isBackPressured())
        {
            operation.stamp(sessionId, ids.watermark());
            if (outbound.send(operation.buffer, 0, operation.length))
            {
                counters.increment(0 == operation.sends ? operation.sent : OwnerCounter.RETRIES);
                operation.sends++;
            }
        }

        operation.delayNs = Limits.nextRetryDelayNs(operation.delayNs);
        core.timers.cancel(operation.timerId);
        final long retryNs = nowNs + operation.delayNs;
        operation.timerId = core.timers.schedule(
            Math.min(operation.giveUpNs, retryNs), operation);
    }

    /** Repeats keep their id: an answer that takes longer than the pause between them is good for all. */
    private void register(final long nowNs)
    {
        registerDelayNs = Limits.nextRetryDelayNs(registerDelayNs);
        nextRegisterNs = nowNs + registerDelayNs;
        if (outbound.isBackPressured())
        {
            return;
        }

        if (NO_REGISTRATION == registerCorrelationId)
        {
            registerCorrelationId = core.nextId();
        }
        registerRequest.wrapAndApplyHeader(buffer, 0, header)
            .generation(context.generation())
            .sessionId(0)
            .correlationId(registerCorrelationId)
            .protocolVersion(Limits.PROTOCOL_VERSION)
            .ownerId(context.ownerId())
            .role(context.role())
            .capacityBytes(core.pool.plan().capacityBytes())
            .segmentLength(context.segmentLength())
            .committedValues(core.values.committedCount())
            .tenureEpoch(tenureEpoch)
            .tenureId(tenureId)
            .responseChannel(context.responseChannel())
            .segmentPath(context.segmentPath())
            .name(context.name())
            .hostName(context.hostName())
            .transferAddress(context.transferAddress());
        offerNow(MessageHeaderEncoder.ENCODED_LENGTH + registerRequest.encodedLength());
    }

    private void heartbeat(final long nowNs)
    {
        nextHeartbeatNs = nowNs + heartbeatIntervalNs;
        if (outbound.isBackPressured())
        {
            return;
        }

        heartbeat.wrapAndApplyHeader(buffer, 0, header)
            .generation(context.generation())
            .sessionId(sessionId)
            .correlationId(0)
            .ackedWatermark(ids.watermark())
            .peerVersion(peers.version())
            .freeBytes(core.pool.freeBytes())
            .usedBytes(core.pool.usedBytes())
            .evictableBytes(core.windows.bytes());
        offerNow(MessageHeaderEncoder.ENCODED_LENGTH + heartbeat.encodedLength());
    }

    /** Sends what is worthless later, without queueing it. */
    private void offerNow(final int length)
    {
        final ControlChannel channel = outbound.channel();
        if (ControlChannel.ADMIN_ACTION == channel.offer(buffer, 0, length))
        {
            channel.offer(buffer, 0, length);
        }
    }

    /**
     * After a registration: sends the open operations at once, in the order of their ids, slice by slice.
     */
    private final class Resend extends Job
    {
        private final long lastId = ids.lastId();
        private final long ofSession = sessionId;
        private long nextId = ids.watermark() + 1;

        /** {@inheritDoc} */
        @Override
        boolean step(final long nowNs)
        {
            for (int i = 0; i < core.settings.planSliceKeys() && nextId <= lastId; i++, nextId++)
            {
                final MasterOperation operation = operations.get(nextId);
                if (null != operation && operation.timerId != OwnerTimers.NONE)
                {
                    operation.delayNs = 0;
                    transmit(operation, nowNs);
                }
            }

            return nextId <= lastId && ofSession == sessionId;
        }

        /** {@inheritDoc} */
        @Override
        void onException(final RuntimeException cause)
        {
            // operations left out are sent when their own time comes
        }
    }
}
