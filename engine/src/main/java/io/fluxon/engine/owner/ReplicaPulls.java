package io.fluxon.engine.owner;

import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PullReplicaDecoder;
import io.fluxon.codecs.control.ReplicaGiveUpRequestEncoder;
import io.fluxon.engine.protocol.OperationIds;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;

import java.util.function.Consumer;

/**
 * The copies that this owner, a target of replica tasks, is bringing here (contract REPL-1). Bounded: what is more is
 * given up at once, and its source tries again.
 */
final class ReplicaPulls implements OperationListener
{
    private static final long MAX_TIMEOUT_NS = 3_600_000_000_000L;

    private final OwnerCore core;
    private final Pool<ReplicaPull> pool;
    private final Pool<MasterOperation> operations;
    private final Long2ObjectHashMap<ReplicaPull> pulls = new Long2ObjectHashMap<>();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final PullReplicaDecoder request = new PullReplicaDecoder();
    private final ReplicaGiveUpRequestEncoder giveUp = new ReplicaGiveUpRequestEncoder();

    ReplicaPulls(final OwnerCore core)
    {
        this.core = core;
        pool = new Pool<>(() -> new ReplicaPull(core));
        operations = new Pool<>(() -> new MasterOperation(core.master));
    }

    /** The master asks for a copy; it asks again as long as it hears nothing. */
    void onPull(final long taskId, final DirectBuffer message)
    {
        if (pulls.containsKey(taskId))
        {
            return;
        }

        request.wrap(
            message,
            MasterOperation.BLOCK_OFFSET,
            PullReplicaDecoder.BLOCK_LENGTH,
            PullReplicaDecoder.SCHEMA_VERSION);
        final long timeoutNs = request.timeoutNs();
        final int count = request.keys().count();
        if (count < 1 || count > core.settings.maxKeysPerBatch() || timeoutNs < 1 || timeoutNs > MAX_TIMEOUT_NS)
        {
            core.counters.increment(OwnerCounter.MESSAGES_MALFORMED);
        }
        else if (pulls.size() >= core.settings.replicas().maxPulls())
        {
            core.counters.add(OwnerCounter.REPLICA_PAGES_REFUSED, count);
            sendGiveUp(taskId, ErrorCode.BACK_PRESSURED);
        }
        else
        {
            final ReplicaPull pull = pool.take();
            pulls.put(taskId, pull);
            core.counters.increment(OwnerCounter.REPLICA_PULLS);
            pull.start(taskId, timeoutNs, message, core.nowNs());
            core.jobs.start(pull, core.nowNs());
        }
    }

    /** Tells the master that a task has failed; should no id be free, the task ends by time. */
    void sendGiveUp(final long taskId, final int code)
    {
        final MasterOperation operation = operations.take();
        operation.listener = this;
        operation.sent = OwnerCounter.REPLICA_GIVE_UPS;
        operation.hasWatermark = true;
        if (OperationIds.NONE == core.master.open(operation))
        {
            operations.giveBack(operation);
            return;
        }

        giveUp.wrapAndApplyHeader(operation.buffer, 0, header)
            .generation(core.context.generation())
            .correlationId(operation.operationId)
            .replicaTaskId(taskId)
            .code(code);
        operation.length = MessageHeaderEncoder.ENCODED_LENGTH + giveUp.encodedLength();
        core.master.send(operation, Long.MAX_VALUE);
    }

    /** {@inheritDoc} */
    @Override
    public void onAnswer(final MasterOperation operation, final int templateId, final DirectBuffer message)
    {
        if (MasterLink.NOT_AN_ANSWER != core.master.ackStatus(templateId, message))
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

    void free(final ReplicaPull pull)
    {
        pulls.remove(pull.taskId());
        core.counters.add(OwnerCounter.REPLICA_PULLS, -1);
        pool.giveBack(pull);
    }

    /** Holders of all pulls, for audits. */
    long slotsHeld()
    {
        long held = 0;
        for (final ReplicaPull pull : pulls.values())
        {
            held += pull.slotsHeld();
        }

        return held;
    }

    /** Visits all pulls, for inspection. */
    void forEachPull(final Consumer<ReplicaPull> consumer)
    {
        pulls.forEachLong((id, pull) -> consumer.accept(pull));
    }
}
