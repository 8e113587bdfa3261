package io.fluxon.engine.master;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetDoneResponseEncoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseEncoder;
import io.fluxon.codecs.control.PutIdEncoder;
import io.fluxon.codecs.control.RouteExistsResponseEncoder;
import io.fluxon.ipc.ErrorCode;
import org.agrona.concurrent.UnsafeBuffer;

import static io.fluxon.codecs.control.MessageHeaderDecoder.ENCODED_LENGTH;
import static io.fluxon.engine.master.LineSlab.NONE;
import static io.fluxon.engine.master.MasterCounter.GETS_DONE;
import static io.fluxon.engine.master.MasterCounter.GETS_JOINED;
import static io.fluxon.engine.master.MasterCounter.GETS_MISSED;
import static io.fluxon.engine.master.MasterCounter.GETS_REVOKED;
import static io.fluxon.engine.master.MasterCounter.GETS_STALE;
import static io.fluxon.engine.master.MasterCounter.GETS_STARTED;
import static io.fluxon.engine.master.MasterCounter.GETS_SUPERSEDED;
import static io.fluxon.engine.master.MasterCounter.RECHECKS;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Executes get start, get done, get revoke and the question whether routes exist (contract G6, T1, T2).
 */
final class GetOperations
{
    private static final int START_ITEM_LENGTH = BatchGetStartResponseEncoder.ItemsEncoder.sbeBlockLength();
    private static final int DONE_ITEM_LENGTH = BatchGetDoneResponseEncoder.ItemsEncoder.sbeBlockLength();
    private static final int LOOKUPS_PER_KEY = 32;

    private final BackingDecoder backing = new BackingDecoder();
    private final PutIdEncoder putId = new PutIdEncoder();
    private final UnsafeBuffer startAnswer = new UnsafeBuffer(0, 0);
    private final MasterContext context;
    private final MasterState state;
    private final MasterCounters counters;
    private final PutOperations puts;
    private final MasterPublisher publisher;
    private final ReplicaTasks replicaTasks;
    private final CopyNotices notices;
    private int added;

    GetOperations(
        final MasterContext context,
        final MasterState state,
        final MasterCounters counters,
        final PutOperations puts,
        final MasterPublisher publisher,
        final ReplicaTasks replicaTasks,
        final CopyNotices notices)
    {
        this.publisher = publisher;
        this.context = context;
        this.state = state;
        this.counters = counters;
        this.puts = puts;
        this.replicaTasks = replicaTasks;
        this.notices = notices;
    }

    /** An operation is over, whether it was executed or dropped. */
    void ended(final Operation operation)
    {
        if (BatchGetStartRequestDecoder.TEMPLATE_ID == operation.templateId)
        {
            state.gets.settle(operation.count - operation.settled);
        }
    }

    int start(final Operation operation, final int budget)
    {
        int used = 0;
        while (used < budget && operation.index < operation.count)
        {
            state.lookAhead.look(operation, budget - used, state.routes);
            startKey(operation);
            state.gets.settle(1);
            operation.settled++;
            operation.advanceKey();
            used++;
        }
        finishAtEnd(operation);

        return used;
    }

    int done(final Operation operation, final int budget)
    {
        if (Operation.GroupPhase.BEGIN == operation.groupPhase)
        {
            operation.replicaTaskId = Entries.getLong(
                operation.message, ENCODED_LENGTH + BatchGetDoneRequestDecoder.replicaTaskIdEncodingOffset());
            operation.groupPhase = Operation.GroupPhase.APPLY;
            if (0 != operation.replicaTaskId && operation.joined.length < operation.count)
            {
                operation.joined = new int[operation.count];
            }
        }

        return 0 == operation.replicaTaskId ? doneEach(operation, budget) : doneTogether(operation, budget);
    }

    private int doneEach(final Operation operation, final int budget)
    {
        int used = 0;
        while (used < budget && operation.index < operation.count)
        {
            final int items = Math.min(Math.min(budget - used, LookAhead.MAX_KEYS), operation.count - operation.index);
            state.lookAhead.lookAtGets(operation, items, state.gets, state.routes);
            for (int i = 0; i < items; i++)
            {
                doneItem(operation);
            }
            used += items;
        }
        notices.flush();
        finishAtEnd(operation);

        return used;
    }

    /**
     * The copies of one group join their routes all or none (contract REPL-1). Each is fenced when it joins, so that
     * nobody reads from it before the last one is there; if one cannot join, those before it leave. Replicas go on
     * their owner's word only, and its operations are executed one after the other, so what has joined is there still.
     */
    private int doneTogether(final Operation operation, final int budget)
    {
        int used = 0;
        while (used < budget && operation.index < operation.count)
        {
            if (!operation.isComplete)
            {
                joinFenced(operation);
            }
            else if (operation.isBusy)
            {
                leave(operation);
            }
            else
            {
                unfence(operation);
            }
            operation.advanceFixed();
            used++;
        }

        if (operation.index == operation.count)
        {
            endTogether(operation);
        }

        return Math.max(1, used);
    }

    private void joinFenced(final Operation operation)
    {
        final int item = Answers.GET_DONE_ITEMS + operation.index * DONE_ITEM_LENGTH;
        final int code = operation.isBusy ? ErrorCode.STALE_GET_PLAN : doneKey(operation, item);
        operation.joined[operation.index] = NONE;
        if (operation.isBusy)
        {
            endGet(operation);
        }
        else if (ErrorCode.OK == code)
        {
            operation.joined[operation.index] = added;
            state.routes.fence(operation.joined[operation.index]);
        }
        operation.isBusy |= ErrorCode.STALE_GET_PLAN == code;
        operation.answer.putInt(
            item + BatchGetDoneResponseEncoder.ItemsEncoder.codeEncodingOffset(), code, LITTLE_ENDIAN);
    }

    private void endGet(final Operation operation)
    {
        final int get = doneGet(operation, 0, state.gets);
        if (NONE != get)
        {
            state.gets.end(get);
        }
    }

    private void unfence(final Operation operation)
    {
        if (NONE != operation.joined[operation.index])
        {
            state.routes.unfence(operation.joined[operation.index]);
        }
    }

    private void leave(final Operation operation)
    {
        if (NONE != operation.joined[operation.index])
        {
            state.routes.removeReplica(operation.joined[operation.index]);
        }
        operation.answer.putInt(
            Answers.GET_DONE_ITEMS + operation.index * DONE_ITEM_LENGTH +
                BatchGetDoneResponseEncoder.ItemsEncoder.codeEncodingOffset(),
            ErrorCode.STALE_GET_PLAN,
            LITTLE_ENDIAN);
    }

    private void endTogether(final Operation operation)
    {
        if (!operation.isComplete && operation.count > 0)
        {
            operation.isComplete = true;
            operation.rewind();
            return;
        }

        counters.add(operation.isBusy ? GETS_STALE : GETS_DONE, operation.count);
        replicaTasks.onAppended(
            operation.owner, operation.replicaTaskId, operation.isBusy ? ErrorCode.STALE_GET_PLAN : ErrorCode.OK);
        operation.stage = Operation.Stage.DONE;
    }

    int revoke(final Operation operation, final int budget)
    {
        int used = 0;
        while (used < budget && operation.index < operation.count)
        {
            final long startId = Entries.getLong(
                operation.message,
                operation.position + BatchGetRevokeRequestDecoder.ItemsDecoder.startOperationIdEncodingOffset());
            final int index = Entries.getInt(
                operation.message,
                operation.position + BatchGetRevokeRequestDecoder.ItemsDecoder.indexEncodingOffset());
            if (0 == operation.subIndex && !puts.leaveTombstone(operation.owner, startId, ErrorCode.STALE_GET_PLAN))
            {
                operation.refuse(ErrorCode.BACK_PRESSURED);
                return used + 1;
            }

            if (index >= 0)
            {
                final int mismatch = operation.message.getByte(
                    operation.position + BatchGetRevokeRequestDecoder.ItemsDecoder.mismatchEncodingOffset());
                revokeGet(operation.owner, startId, index, 0 != mismatch);
                operation.advanceFixed();
            }
            else if (revokeSome(operation, startId))
            {
                operation.subIndex = 0;
                operation.advanceFixed();
            }
            used++;
        }
        finishAtEnd(operation);

        return used;
    }

    int exists(final Operation operation, final int budget)
    {
        int used = 0;
        while (used < budget && operation.index < operation.count)
        {
            state.lookAhead.look(operation, budget - used, state.routes);
            final int route = state.routes.findVisible(
                operation.message, operation.keyOffset(), operation.keyLength());
            operation.answer.putByte(
                Answers.ROUTE_EXISTS_ITEMS +
                    operation.index * RouteExistsResponseEncoder.FlagsEncoder.sbeBlockLength(),
                (byte)(NONE == route ? 0 : 1));
            operation.advanceKey();
            used++;
        }
        finishAtEnd(operation);

        return used;
    }

    private void startKey(final Operation operation)
    {
        final OwnerSession owner = operation.owner;
        final RouteTable routes = state.routes;
        final UnsafeBuffer answer = operation.answer;
        final int item = Answers.GET_START_ITEMS + operation.index * START_ITEM_LENGTH;
        final int route = routes.findVisible(operation.message, operation.keyOffset(), operation.keyLength());
        final int source = NONE == route ? NONE : routes.chooseSource(route, owner.ownerId());
        if (NONE == source)
        {
            counters.increment(GETS_MISSED);
            answer.putInt(
                item + BatchGetStartResponseEncoder.ItemsEncoder.codeEncodingOffset(),
                ErrorCode.KEY_NOT_FOUND,
                LITTLE_ENDIAN);
            return;
        }

        counters.increment(GETS_STARTED);
        if (state.gets.open(owner.tenure(), operation.operationId, operation.index, source, state.deadlineMs()))
        {
            counters.increment(GETS_SUPERSEDED);
        }

        final int tenure = routes.tenure(source);
        answer.putInt(
            item + BatchGetStartResponseEncoder.ItemsEncoder.sourceOwnerIdEncodingOffset(),
            state.tenures.ownerId(tenure),
            LITTLE_ENDIAN);
        answer.putLong(
            item + BatchGetStartResponseEncoder.ItemsEncoder.sourceGenerationEncodingOffset(),
            state.tenures.generation(tenure),
            LITTLE_ENDIAN);
        answer.putLong(
            item + BatchGetStartResponseEncoder.ItemsEncoder.sourceOffsetEncodingOffset(),
            routes.slotOffset(source),
            LITTLE_ENDIAN);
        answer.putLong(
            item + BatchGetStartResponseEncoder.ItemsEncoder.valueLengthEncodingOffset(),
            routes.valueLength(route),
            LITTLE_ENDIAN);
        answer.putLong(
            item + BatchGetStartResponseEncoder.ItemsEncoder.checksumEncodingOffset(),
            routes.checksum(source) & 0xFFFF_FFFFL,
            LITTLE_ENDIAN);
        writePutId(
            answer, item + BatchGetStartResponseEncoder.ItemsEncoder.versionEncodingOffset(), route);
    }

    /** The get that an item of a get-done names, so many items behind the cursor, or NONE. */
    static int doneGet(final Operation operation, final int itemsBehind, final InflightGets gets)
    {
        final UnsafeBuffer message = operation.message;
        final int position = operation.position + itemsBehind * operation.blockLength;

        return gets.find(
            operation.owner.tenure(),
            Entries.getLong(
                message, position + BatchGetDoneRequestDecoder.ItemsDecoder.startOperationIdEncodingOffset()),
            Entries.getInt(message, position + BatchGetDoneRequestDecoder.ItemsDecoder.indexEncodingOffset()));
    }

    private void doneItem(final Operation operation)
    {
        final int item = Answers.GET_DONE_ITEMS + operation.index * DONE_ITEM_LENGTH;
        final int code = doneKey(operation, item);
        operation.answer.putInt(
            item + BatchGetDoneResponseEncoder.ItemsEncoder.codeEncodingOffset(), code, LITTLE_ENDIAN);
        counters.error(code);
        counters.increment(ErrorCode.STALE_GET_PLAN == code ? GETS_STALE : GETS_DONE);
        operation.advanceFixed();
    }

    private int doneKey(final Operation operation, final int item)
    {
        final OwnerSession owner = operation.owner;
        final UnsafeBuffer message = operation.message;
        final int position = operation.position;
        final int get = doneGet(operation, 0, state.gets);
        if (NONE == get)
        {
            return ErrorCode.STALE_GET_PLAN;
        }

        backing.wrap(message, position + BatchGetDoneRequestDecoder.ItemsDecoder.backingEncodingOffset());
        final int checksum = (int)Entries.getLong(
            message, position + BatchGetDoneRequestDecoder.ItemsDecoder.checksumEncodingOffset());
        final int code = join(owner, state.gets.source(get), checksum, operation.answer, item);
        state.gets.end(get);

        return code;
    }

    private int join(
        final OwnerSession owner, final int source, final int checksum, final UnsafeBuffer answer, final int item)
    {
        final RouteTable routes = state.routes;
        if (!routes.isReadable(source))
        {
            return ErrorCode.STALE_GET_PLAN;
        }

        final int route = routes.routeOf(source);
        if (NONE != routes.liveReplicaOf(route, owner.ownerId()))
        {
            writePutId(answer, item + BatchGetDoneResponseEncoder.ItemsEncoder.canonicalEncodingOffset(), route);
            return ErrorCode.KEY_ALREADY_EXISTS;
        }

        if (checksum != routes.checksum(source) || !routes.hasReplicaRoom())
        {
            return ErrorCode.STALE_GET_PLAN;
        }

        added = routes.addReplica(route, owner.tenure(), backing, checksum);
        counters.increment(GETS_JOINED);
        notices.onJoined(owner, source);
        writePutId(answer, item + BatchGetDoneResponseEncoder.ItemsEncoder.canonicalEncodingOffset(), route);

        return ErrorCode.OK;
    }

    private boolean revokeSome(final Operation operation, final long startId)
    {
        final int count = startCount(operation.owner, startId);
        final int end = Math.min(count, operation.subIndex + LOOKUPS_PER_KEY);
        for (int i = operation.subIndex; i < end; i++)
        {
            revokeGet(operation.owner, startId, i, false);
        }
        operation.subIndex = end;

        return end == count;
    }

    private int startCount(final OwnerSession owner, final long startId)
    {
        if (OutcomeLog.Known.RECORDED != owner.outcomes().known(startId))
        {
            return context.maxKeysPerBatch();
        }

        owner.outcomes().wrapAnswer(startId, startAnswer);
        return BatchGetStartResponseEncoder.TEMPLATE_ID == Entries.templateId(startAnswer) ?
            Entries.groupCount(startAnswer, Entries.firstGroup(startAnswer)) : 0;
    }

    private void revokeGet(
        final OwnerSession owner, final long startId, final int index, final boolean isMismatch)
    {
        final int get = state.gets.find(owner.tenure(), startId, index);
        if (NONE != get)
        {
            if (isMismatch)
            {
                recheck(state.gets.source(get));
            }
            state.gets.end(get);
            counters.increment(GETS_REVOKED);
        }
    }

    /** A reader got other bytes than the source has published: that one is to look at them (contract CRC-1). */
    private void recheck(final int source)
    {
        final OwnerSession owner = state.routes.isReadable(source) ?
            state.owners.byOwnerId(state.tenures.ownerId(state.routes.tenure(source))) : null;
        if (null != owner && owner.isLive())
        {
            counters.increment(RECHECKS);
            publisher.recheck(owner, state.routes, source);
        }
    }

    private void writePutId(final UnsafeBuffer answer, final int offset, final int route)
    {
        putId.wrap(answer, offset)
            .ownerId(state.routes.putOwnerId(route))
            .generation(state.routes.putGeneration(route))
            .sequence(state.routes.putSequence(route));
    }

    private static void finishAtEnd(final Operation operation)
    {
        if (operation.index == operation.count)
        {
            operation.stage = Operation.Stage.DONE;
        }
    }
}
