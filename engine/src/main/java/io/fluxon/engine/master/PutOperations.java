package io.fluxon.engine.master;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.PublishResponseEncoder;
import io.fluxon.codecs.control.PutIdEncoder;
import io.fluxon.codecs.control.PutOptionsDecoder;
import io.fluxon.codecs.control.ReserveRequestDecoder;
import io.fluxon.codecs.control.ReserveResponseEncoder;
import io.fluxon.codecs.control.ResultFlagsEncoder;
import io.fluxon.codecs.control.UnreserveRequestDecoder;
import io.fluxon.ipc.ErrorCode;
import org.agrona.concurrent.UnsafeBuffer;

import static io.fluxon.codecs.control.MessageHeaderDecoder.ENCODED_LENGTH;
import static io.fluxon.engine.master.LineSlab.NONE;
import static io.fluxon.engine.master.MasterCounter.DELETED_REFUSED;
import static io.fluxon.engine.master.MasterCounter.GROUPS_REFUSED;
import static io.fluxon.engine.master.MasterCounter.JOINS;
import static io.fluxon.engine.master.MasterCounter.KEYS_PUBLISHED;
import static io.fluxon.engine.master.MasterCounter.KEYS_REPUBLISHED;
import static io.fluxon.engine.master.MasterCounter.PUBLISHES;
import static io.fluxon.engine.master.MasterCounter.RESERVED;
import static io.fluxon.engine.master.MasterCounter.ROUTES_CREATED;
import static io.fluxon.engine.master.MasterCounter.TOMBSTONES;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Executes reserve, unreserve and publish (contract PUT-1, A2).
 * <p>
 * A publish goes group by group: all members of a group are compared first, then either all get their routes, or none.
 * While a group is under way over several duty cycles its publisher has the turn: no other publish makes routes, and
 * the group's routes are hidden until the last one is there, so the group is one step to everyone else.
 */
final class PutOperations
{
    private static final int ITEM_LENGTH = PublishResponseEncoder.ResultsEncoder.sbeBlockLength();

    private final BackingDecoder backing = new BackingDecoder();
    private final PutIdEncoder putId = new PutIdEncoder();
    private final ResultFlagsEncoder flags = new ResultFlagsEncoder();
    private final Operations operations;
    private final MasterState state;
    private final MasterCounters counters;
    private final MasterPublisher publisher;
    private final CopyNotices notices;
    private final UnsafeBuffer tombstone = new UnsafeBuffer(0, 0);
    private Operation turnHolder;

    PutOperations(
        final Operations operations,
        final MasterState state,
        final MasterCounters counters,
        final MasterPublisher publisher,
        final CopyNotices notices)
    {
        this.notices = notices;
        this.operations = operations;
        this.state = state;
        this.counters = counters;
        this.publisher = publisher;
    }

    /** May routes be made by anything but the publish that stands in the middle of a group? */
    boolean isTurnFree()
    {
        return null == turnHolder;
    }

    /** The publish that stands in the middle of a group, or null. */
    Operation turnHolder()
    {
        return turnHolder;
    }

    /** An operation is over, whether it was executed or dropped. */
    void ended(final Operation operation)
    {
        if (operation == turnHolder)
        {
            state.routes.endGroup();
            turnHolder = null;
        }
    }

    int reserve(final Operation operation, final int budget)
    {
        final Reservations reservations = state.reservations;
        if (0 == operation.index)
        {
            operation.options = options(
                operation, ReserveRequestDecoder.optionsEncodingOffset());
            operation.reservationSet = reservations.open(
                operation.owner.tenure(), operation.operationId, state.deadlineMs());
        }

        int used = 0;
        while (used < budget && operation.index < operation.count)
        {
            state.lookAhead.look(operation, budget - used, state.routes);
            final int code = reserveKey(operation);
            final int item = Answers.RESERVE_ITEMS +
                operation.index * ReserveResponseEncoder.ResultsEncoder.sbeBlockLength();
            operation.answer.putInt(
                item + ReserveResponseEncoder.ResultsEncoder.codeEncodingOffset(), code, LITTLE_ENDIAN);
            counters.error(code);
            operation.advanceKey();
            used++;
        }

        if (operation.index == operation.count)
        {
            operation.stage = Operation.Stage.DONE;
        }

        return used;
    }

    int unreserve(final Operation operation)
    {
        final long reserveId = Entries.getLong(
            operation.message, ENCODED_LENGTH + UnreserveRequestDecoder.reserveOperationIdEncodingOffset());
        endReservations(operation.owner, reserveId);
        if (leaveTombstone(operation.owner, reserveId, ErrorCode.INVALID_ARGUMENT))
        {
            operation.stage = Operation.Stage.DONE;
        }
        else
        {
            operation.refuse(ErrorCode.BACK_PRESSURED);
        }

        return 1;
    }

    int publish(final Operation operation, final int budget)
    {
        if (null != turnHolder && turnHolder != operation)
        {
            return 0;
        }

        int used = 0;
        while (used < budget && Operation.Stage.EXECUTE == operation.stage)
        {
            used += switch (operation.groupPhase)
            {
                case BEGIN -> beginGroup(operation);
                case VERIFY -> verify(operation, budget - used);
                case APPLY -> apply(operation, budget - used);
                case REFUSE -> refuse(operation, budget - used);
            };
        }

        final boolean isInGroup = Operation.GroupPhase.BEGIN != operation.groupPhase;
        turnHolder = isInGroup ? operation : null;

        return used;
    }

    /**
     * Makes sure that an operation which has not been seen, or waits for its turn, executes nothing.
     *
     * @return false when that cannot be remembered now.
     */
    boolean leaveTombstone(final OwnerSession owner, final long operationId, final int status)
    {
        final OutcomeLog outcomes = owner.outcomes();
        if (OutcomeLog.Known.BEYOND == outcomes.known(operationId))
        {
            return false;
        }

        if (OutcomeLog.Known.PENDING == outcomes.known(operationId))
        {
            operations.withdraw(owner, operationId);
        }

        if (OutcomeLog.Known.RECORDED == outcomes.known(operationId))
        {
            operations.forgetOutlived(owner, operationId);
        }

        if (OutcomeLog.Known.NO == outcomes.known(operationId))
        {
            final long address = outcomes.begin(operationId, MasterPublisher.ACK_LENGTH);
            if (BytePool.NONE == address)
            {
                return false;
            }
            tombstone.wrap(address, MasterPublisher.ACK_LENGTH);
            publisher.encodeAck(tombstone, operationId, status);
            outcomes.record(address);
            counters.increment(TOMBSTONES);
        }

        return true;
    }

    private int reserveKey(final Operation operation)
    {
        final UnsafeBuffer message = operation.message;
        final int key = operation.keyOffset();
        final int length = operation.keyLength();
        if (PutOptionsDecoder.rejectIfExistSameKey((short)operation.options) &&
            NONE != state.routes.findVisible(message, key, length))
        {
            return ErrorCode.KEY_ALREADY_EXISTS;
        }

        if (PutOptionsDecoder.rejectIfInflightSameKey((short)operation.options) &&
            state.reservations.isTakenByOther(operation.owner.ownerId(), message, key, length))
        {
            return ErrorCode.KEY_BEING_WRITTEN;
        }

        final long putSequence = Entries.getLong(
            message, operation.position + ReserveRequestDecoder.KeysDecoder.putSequenceEncodingOffset());
        if (NONE == operation.reservationSet ||
            !state.reservations.add(operation.reservationSet, putSequence, message, key, length))
        {
            return ErrorCode.BACK_PRESSURED;
        }
        counters.increment(RESERVED);

        return ErrorCode.OK;
    }

    private int beginGroup(final Operation operation)
    {
        if (0 == operation.index && 0 == operation.groupIndex)
        {
            beginPublish(operation);
        }

        final boolean isLast = 0 == operation.groupCount ?
            operation.index == operation.count : operation.groupIndex == operation.groupCount;
        if (isLast)
        {
            endPublish(operation);
            return 1;
        }

        int keyCount = 1;
        int mergedCount = 0;
        operation.groupLength = 1;
        if (operation.groupCount > 0)
        {
            final int group = operation.groupsOffset +
                operation.groupIndex * PublishRequestDecoder.AtomicGroupsDecoder.sbeBlockLength();
            keyCount = Entries.getInt(
                operation.message, group + PublishRequestDecoder.AtomicGroupsDecoder.keyCountEncodingOffset());
            mergedCount = Entries.getInt(
                operation.message, group + PublishRequestDecoder.AtomicGroupsDecoder.mergedCountEncodingOffset());
            operation.groupLength = Entries.getInt(
                operation.message, group + PublishRequestDecoder.AtomicGroupsDecoder.groupLengthEncodingOffset());
        }
        operation.groupIndex++;
        operation.groupFirstIndex = operation.index;
        operation.groupFirstPosition = operation.position;
        operation.groupEndIndex = operation.index + keyCount;
        operation.groupRefusal = ErrorCode.GROUP_ABORTED;
        operation.isGroupRefused = (long)keyCount + mergedCount != operation.groupLength;
        if (!operation.isGroupRefused && !state.routes.hasRoom(keyCount))
        {
            operation.isGroupRefused = true;
            operation.groupRefusal = ErrorCode.NO_SPACE;
        }
        operation.groupPhase = operation.isGroupRefused ?
            Operation.GroupPhase.REFUSE : Operation.GroupPhase.VERIFY;

        return 1;
    }

    private void beginPublish(final Operation operation)
    {
        counters.increment(PUBLISHES);
        operation.options = options(operation, PublishRequestDecoder.optionsEncodingOffset());
        operation.reserveOperationId = Entries.getLong(
            operation.message, ENCODED_LENGTH + PublishRequestDecoder.reserveOperationIdEncodingOffset());
    }

    private void endPublish(final Operation operation)
    {
        if (operation.reserveOperationId > 0)
        {
            endReservations(operation.owner, operation.reserveOperationId);
            leaveTombstone(operation.owner, operation.reserveOperationId, ErrorCode.INVALID_ARGUMENT);
        }
        operation.stage = Operation.Stage.DONE;
    }

    private int verify(final Operation operation, final int budget)
    {
        int used = 0;
        while (used < budget && operation.index < operation.groupEndIndex)
        {
            state.lookAhead.look(operation, budget - used, state.routes);
            final int code = verifyKey(operation);
            if (ErrorCode.OK != code)
            {
                operation.isGroupRefused = true;
                code(operation, -code);
            }
            operation.advanceKey();
            used++;
        }

        if (operation.index == operation.groupEndIndex)
        {
            operation.index = operation.groupFirstIndex;
            operation.position = operation.groupFirstPosition;
            if (operation.isGroupRefused)
            {
                operation.groupPhase = Operation.GroupPhase.REFUSE;
            }
            else
            {
                operation.groupPhase = Operation.GroupPhase.APPLY;
                operation.groupId = state.routes.beginGroup();
            }
        }

        return used;
    }

    private int verifyKey(final Operation operation)
    {
        final UnsafeBuffer message = operation.message;
        final int key = operation.keyOffset();
        final int length = operation.keyLength();
        final RouteTable routes = state.routes;
        if (state.deleted.contains(
            operation.owner.ownerId(), operation.owner.generation(), putSequence(operation), state.nowMs()))
        {
            counters.increment(DELETED_REFUSED);
            return ErrorCode.KEY_NOT_FOUND;
        }

        final int route = routes.findLive(message, key, length);
        if (NONE != route)
        {
            if (routes.hasPutId(
                route, operation.owner.ownerId(), operation.owner.generation(), putSequence(operation)))
            {
                return ErrorCode.OK;
            }

            if (routes.valueLength(route) != valueLength(operation))
            {
                return ErrorCode.INVALID_ARGUMENT;
            }

            if (PutOptionsDecoder.rejectIfExistSameKey((short)operation.options))
            {
                return ErrorCode.KEY_ALREADY_EXISTS;
            }
        }

        return PutOptionsDecoder.rejectIfInflightSameKey((short)operation.options) &&
            state.reservations.isTakenByOther(operation.owner.ownerId(), message, key, length) ?
            ErrorCode.KEY_BEING_WRITTEN : ErrorCode.OK;
    }

    private int apply(final Operation operation, final int budget)
    {
        int used = 0;
        while (used < budget && operation.index < operation.groupEndIndex)
        {
            state.lookAhead.look(operation, budget - used, state.routes);
            applyKey(operation);
            counters.increment(KEYS_PUBLISHED);
            operation.advanceKey();
            used++;
        }
        notices.flush();

        if (operation.index == operation.groupEndIndex)
        {
            state.routes.endGroup();
            operation.groupPhase = Operation.GroupPhase.BEGIN;
        }

        return used;
    }

    private void applyKey(final Operation operation)
    {
        final UnsafeBuffer message = operation.message;
        final OwnerSession owner = operation.owner;
        final RouteTable routes = state.routes;
        backing.wrap(message, operation.position + PublishRequestDecoder.EntriesDecoder.backingEncodingOffset());
        boolean isJoined = false;
        boolean isReplicaAlready = false;
        int route = routes.findLive(message, operation.keyOffset(), operation.keyLength());
        if (NONE == route)
        {
            route = createRoute(operation);
            routes.addReplica(route, owner.tenure(), backing, checksum(operation));
            counters.increment(ROUTES_CREATED);
        }
        else
        {
            final boolean isAgain = routes.hasPutId(
                route, owner.ownerId(), owner.generation(), putSequence(operation));
            final int own = routes.liveReplicaOf(route, owner.ownerId());
            isJoined = !isAgain;
            if (NONE == own)
            {
                notices.onPublished(owner, route);
                routes.addReplica(route, owner.tenure(), backing, checksum(operation));
            }
            else
            {
                isReplicaAlready = !routes.hasBacking(own, backing);
            }
            counters.increment(isAgain ? KEYS_REPUBLISHED : JOINS);
        }

        writeResult(operation, route, isJoined, isReplicaAlready);
    }

    private int createRoute(final Operation operation)
    {
        final UnsafeBuffer message = operation.message;
        final OwnerSession owner = operation.owner;
        final int route = state.routes.create(
            message,
            operation.keyOffset(),
            operation.keyLength(),
            owner.ownerId(),
            owner.generation(),
            putSequence(operation),
            (int)valueLength(operation));
        if (PutOptionsDecoder.hasCohort((short)operation.options))
        {
            state.routes.group(
                route,
                operation.groupId,
                operation.groupLength,
                Entries.getLong(message, ENCODED_LENGTH + PublishRequestDecoder.cohortIdEncodingOffset()),
                Entries.getInt(message, ENCODED_LENGTH + PublishRequestDecoder.cohortRankEncodingOffset()),
                Entries.getInt(message, ENCODED_LENGTH + PublishRequestDecoder.cohortSizeEncodingOffset()));
        }
        else
        {
            state.routes.group(route, operation.groupId, operation.groupLength, 0, 0, 0);
        }

        return route;
    }

    private int refuse(final Operation operation, final int budget)
    {
        int used = 0;
        while (used < budget && operation.index < operation.groupEndIndex)
        {
            final int item = item(operation);
            final int code = operation.answer.getInt(
                item + PublishResponseEncoder.ResultsEncoder.codeEncodingOffset(), LITTLE_ENDIAN);
            if (ErrorCode.OK == code)
            {
                code(operation, -operation.groupRefusal);
                counters.error(operation.groupRefusal);
            }
            else
            {
                counters.error(code);
            }
            operation.advanceKey();
            used++;
        }

        if (operation.index == operation.groupEndIndex)
        {
            counters.increment(GROUPS_REFUSED);
            operation.groupPhase = Operation.GroupPhase.BEGIN;
        }

        return used;
    }

    private void writeResult(
        final Operation operation, final int route, final boolean isJoined, final boolean isReplicaAlready)
    {
        final int item = item(operation);
        code(operation, ErrorCode.OK);
        flags.wrap(operation.answer, item + PublishResponseEncoder.ResultsEncoder.flagsEncodingOffset())
            .clear()
            .joined(isJoined)
            .alreadyReplica(isReplicaAlready);
        putId.wrap(operation.answer, item + PublishResponseEncoder.ResultsEncoder.canonicalEncodingOffset())
            .ownerId(state.routes.putOwnerId(route))
            .generation(state.routes.putGeneration(route))
            .sequence(state.routes.putSequence(route));
    }

    private void endReservations(final OwnerSession owner, final long reserveOperationId)
    {
        final int set = state.reservations.find(owner.tenure(), reserveOperationId);
        if (NONE != set)
        {
            state.reservations.end(set);
        }
    }

    private static int options(final Operation operation, final int optionsOffset)
    {
        return operation.message.getShort(ENCODED_LENGTH + optionsOffset, LITTLE_ENDIAN) & 0xFFFF;
    }

    private static void code(final Operation operation, final int code)
    {
        operation.answer.putInt(
            item(operation) + PublishResponseEncoder.ResultsEncoder.codeEncodingOffset(), code, LITTLE_ENDIAN);
    }

    private static int item(final Operation operation)
    {
        return Answers.PUBLISH_ITEMS + operation.index * ITEM_LENGTH;
    }

    private static long putSequence(final Operation operation)
    {
        return Entries.getLong(
            operation.message,
            operation.position + PublishRequestDecoder.EntriesDecoder.putSequenceEncodingOffset());
    }

    private static long valueLength(final Operation operation)
    {
        return Entries.getLong(
            operation.message,
            operation.position + PublishRequestDecoder.EntriesDecoder.valueLengthEncodingOffset());
    }

    private static int checksum(final Operation operation)
    {
        return (int)Entries.getLong(
            operation.message,
            operation.position + PublishRequestDecoder.EntriesDecoder.checksumEncodingOffset());
    }
}
