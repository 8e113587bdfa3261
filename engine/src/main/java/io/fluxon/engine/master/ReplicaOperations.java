package io.fluxon.engine.master;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.codecs.control.PullReplicaEncoder;
import io.fluxon.codecs.control.PutIdDecoder;
import io.fluxon.codecs.control.ReplicaGiveUpRequestDecoder;
import io.fluxon.codecs.control.ReplicaResult;
import io.fluxon.codecs.control.ReplicaStartRequestDecoder;
import io.fluxon.codecs.control.ReplicaStartResponseEncoder;
import io.fluxon.ipc.ErrorCode;
import org.agrona.concurrent.UnsafeBuffer;

import static io.fluxon.codecs.control.MessageHeaderDecoder.ENCODED_LENGTH;
import static io.fluxon.engine.master.LineSlab.NONE;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Executes what owners ask about replicas (contract REPL-1): looks whether the whole group is where its owner says and
 * whether a remote_cache owner has it already, chooses a target (contract REPL-4), and makes a task of it.
 */
final class ReplicaOperations
{
    private static final long SLOT_ALIGNMENT = 4096;

    private final BackingDecoder backing = new BackingDecoder();
    private final PutIdDecoder version = new PutIdDecoder();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final PullReplicaEncoder pull = new PullReplicaEncoder();
    private final MasterContext context;
    private final MasterState state;
    private final ReplicaTasks tasks;
    private final Placement placement;

    ReplicaOperations(final MasterContext context, final MasterState state, final ReplicaTasks tasks)
    {
        this.context = context;
        this.state = state;
        this.tasks = tasks;
        placement = new Placement(context, state.owners);
    }

    /** Looks at the members, slice by slice, and decides at the last one. */
    int start(final Operation operation, final int budget, final long nowNs)
    {
        if (Operation.GroupPhase.BEGIN == operation.groupPhase && !begin(operation))
        {
            return 1;
        }

        int used = 0;
        while (used < budget && operation.index < operation.count)
        {
            state.lookAhead.look(operation, budget - used, state.routes);
            look(operation);
            operation.advanceKey();
            used++;
        }

        if (operation.index == operation.count)
        {
            decide(operation, nowNs);
        }

        return used;
    }

    /** The target of a task has given it up. */
    int giveUp(final Operation operation)
    {
        final long taskId = Entries.getLong(
            operation.message, ENCODED_LENGTH + ReplicaGiveUpRequestDecoder.replicaTaskIdEncodingOffset());
        final int code = Entries.getInt(
            operation.message, ENCODED_LENGTH + ReplicaGiveUpRequestDecoder.codeEncodingOffset());
        tasks.onAppended(operation.owner, taskId, ErrorCode.OK == code ? ErrorCode.UNKNOWN : code);
        operation.stage = Operation.Stage.DONE;

        return 1;
    }

    /** An operation is over, whether it was executed or dropped. */
    void ended(final Operation operation)
    {
        if (BytePool.NONE != operation.pullAddress)
        {
            state.operationPool.free(operation.pullAddress, operation.pull.capacity());
            operation.pullAddress = BytePool.NONE;
        }
    }

    private boolean begin(final Operation operation)
    {
        final int capacity = operation.message.capacity() + PullReplicaEncoder.BLOCK_LENGTH;
        operation.pullAddress = state.operationPool.allocate(capacity);
        if (BytePool.NONE == operation.pullAddress)
        {
            operation.refuse(ErrorCode.BACK_PRESSURED);
            return false;
        }

        operation.groupPhase = Operation.GroupPhase.VERIFY;
        operation.pull.wrap(operation.pullAddress, capacity);
        pull.wrapAndApplyHeader(operation.pull, 0, header)
            .generation(context.epoch())
            .timeoutNs(timeoutNs(operation))
            .keysCount(operation.count);
        operation.pullLength = pull.limit();

        return true;
    }

    /** As long as the task and its source: what a target holds for longer keeps the source's slots (contract S3). */
    private long timeoutNs(final Operation operation)
    {
        final long timeoutNs = Entries.getLong(
            operation.message, ENCODED_LENGTH + ReplicaStartRequestDecoder.timeoutNsEncodingOffset());

        return Math.clamp(timeoutNs, 1, context.replicaTaskTtlNs());
    }

    private void look(final Operation operation)
    {
        final RouteTable routes = state.routes;
        final UnsafeBuffer message = operation.message;
        final int keyLength = operation.keyLength();
        operation.pull.putShort(operation.pullLength, (short)keyLength, LITTLE_ENDIAN);
        operation.pull.putBytes(
            operation.pullLength + Entries.KEY_HEADER_LENGTH, message, operation.keyOffset(), keyLength);
        operation.pullLength += Entries.KEY_HEADER_LENGTH + keyLength;

        final int route = routes.findLive(message, operation.keyOffset(), keyLength);
        if (NONE == route || !isSource(operation, route))
        {
            operation.absentCount++;
            return;
        }

        operation.replicaBytes +=
            routes.valueLength(route) + SLOT_ALIGNMENT - 1 & -SLOT_ALIGNMENT;
        if (0 == operation.index)
        {
            operation.holder = remoteHolder(route, operation.owner);
            operation.isComplete = null != operation.holder;
        }
        else if (operation.isComplete)
        {
            operation.isComplete = NONE != routes.liveReplicaOf(route, operation.holder.ownerId());
        }
    }

    private boolean isSource(final Operation operation, final int route)
    {
        version.wrap(
            operation.message,
            operation.position + ReplicaStartRequestDecoder.MembersDecoder.versionEncodingOffset());
        backing.wrap(
            operation.message,
            operation.position + ReplicaStartRequestDecoder.MembersDecoder.backingEncodingOffset());
        final int replica = state.routes.liveReplicaOf(route, operation.owner.ownerId());

        return NONE != replica && state.routes.hasBacking(replica, backing) &&
            state.routes.hasPutId(route, version.ownerId(), version.generation(), version.sequence());
    }

    /** A remote_cache owner beside the source that has the key, or null. */
    private OwnerSession remoteHolder(final int route, final OwnerSession source)
    {
        final RouteTable routes = state.routes;
        for (int replica = routes.firstReplica(route); NONE != replica; replica = routes.nextReplica(replica))
        {
            final int tenure = routes.tenure(replica);
            final OwnerSession owner = state.tenures.isLive(tenure) ?
                state.owners.byOwnerId(state.tenures.ownerId(tenure)) : null;
            if (null != owner && source != owner && owner.isLive() && OwnerRole.REMOTE_CACHE == owner.role())
            {
                return owner;
            }
        }

        return null;
    }

    private void decide(final Operation operation, final long nowNs)
    {
        if (operation.absentCount > 0)
        {
            finish(operation, ReplicaResult.OBSOLETE, null);
        }
        else if (operation.isComplete && operation.holder.isLive())
        {
            satisfied(operation);
        }
        else if (tasks.isFull())
        {
            finish(operation, ReplicaResult.BUSY, null);
        }
        else
        {
            final OwnerSession target =
                placement.choose(operation.owner, operation.holder, operation.replicaBytes, nowNs);
            if (null != target)
            {
                tasks.begin(operation, target, operation.replicaBytes);
            }
            finish(operation, null == target ? ReplicaResult.NO_SPACE : ReplicaResult.SCHEDULED, target);
        }
    }

    /** What its owner may have been told to let go first it is to go on holding now (contract REPL-3). */
    private void satisfied(final Operation operation)
    {
        if (FetchedCopies.KEPT == context.fetchedCopies() || tasks.isFull())
        {
            finish(operation, ReplicaResult.SATISFIED, operation.holder);
        }
        else
        {
            tasks.beginRenewal(operation, operation.holder);
            finish(operation, ReplicaResult.RENEWED, operation.holder);
        }
    }

    private static void finish(final Operation operation, final ReplicaResult result, final OwnerSession target)
    {
        operation.answer.putByte(
            ENCODED_LENGTH + ReplicaStartResponseEncoder.resultEncodingOffset(), (byte)result.value());
        operation.answer.putInt(
            ENCODED_LENGTH + ReplicaStartResponseEncoder.targetOwnerIdEncodingOffset(),
            null == target ? 0 : target.ownerId(),
            LITTLE_ENDIAN);
        operation.stage = Operation.Stage.DONE;
    }
}
