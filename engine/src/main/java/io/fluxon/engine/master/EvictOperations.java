package io.fluxon.engine.master;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.EvictResult;
import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.EvictSourceResponseEncoder;
import io.fluxon.codecs.control.PutIdDecoder;
import io.fluxon.engine.memory.InvariantViolation;
import org.agrona.concurrent.UnsafeBuffer;

import static io.fluxon.codecs.control.MessageHeaderDecoder.ENCODED_LENGTH;
import static io.fluxon.engine.master.LineSlab.NONE;
import static io.fluxon.engine.master.MasterCounter.EVICTIONS_REMOVED;
import static io.fluxon.engine.master.MasterCounter.EVICTIONS_STALE;
import static io.fluxon.engine.master.MasterCounter.REPLICAS_EVICTED;
import static io.fluxon.engine.master.MasterCounter.ROUTES_EVICTED;

/**
 * Executes the evictions of owners: takes the replicas of one cohort out of their routes, all or none (contract
 * EVICT-2), and a route with its last replica (contract S3).
 * <p>
 * Every member is compared with its route first and, as long as nothing stands in the way, fenced, so that no get that
 * comes between two duty cycles begins to read from it. When all are there and none is read from all are removed, else
 * the fences go again. No two removals can meet: replicas are removed on the word of their own owner only, and an
 * owner's operations are executed one after the other, each to its end, but for a vote that is parked below. What a
 * parked vote has fenced is hidden at its owner, in that one eviction, until the vote is answered, so no other names
 * it. A fence that is found is therefore of this very operation, of a member that it names twice, and counts as
 * activity, as that of another removal has to.
 * <p>
 * An eviction that a removal of the master has brought about ({@link Removals}) is the word of one holder that it has
 * prepared: when all members are fenced it is parked until all holders have, and then goes on, or the fences go.
 * <p>
 * An evicted put id leaves no tombstone: eviction takes a copy away, not the value, which may live on elsewhere and
 * come back with a report.
 */
final class EvictOperations
{
    private static final int ITEM_LENGTH = EvictSourceResponseEncoder.MembersEncoder.sbeBlockLength();

    private final BackingDecoder backing = new BackingDecoder();
    private final PutIdDecoder version = new PutIdDecoder();
    private final MasterState state;
    private final MasterCounters counters;
    private final Removals removals;
    private final CopyNotices notices;

    EvictOperations(
        final MasterState state, final MasterCounters counters, final Removals removals, final CopyNotices notices)
    {
        this.notices = notices;
        this.state = state;
        this.counters = counters;
        this.removals = removals;
    }

    int evict(final Operation operation, final int budget)
    {
        int used = 0;
        while (used < budget && Operation.Stage.EXECUTE == operation.stage)
        {
            used += switch (operation.groupPhase)
            {
                case BEGIN -> begin(operation);
                case VERIFY -> verify(operation, budget - used);
                case APPLY -> remove(operation, budget - used);
                case REFUSE -> unfence(operation, budget - used);
            };
        }

        return used;
    }

    private int begin(final Operation operation)
    {
        operation.groupPhase = Operation.GroupPhase.VERIFY;
        operation.removalId = Entries.getLong(
            operation.message, ENCODED_LENGTH + EvictSourceRequestDecoder.removalIdEncodingOffset());

        return 0;
    }

    private int verify(final Operation operation, final int budget)
    {
        int used = 0;
        while (used < budget && operation.index < operation.count)
        {
            state.lookAhead.look(operation, budget - used, state.routes);
            verifyMember(operation);
            operation.advanceKey();
            used++;
        }

        if (operation.index == operation.count)
        {
            decide(operation);
        }

        return used;
    }

    private void verifyMember(final Operation operation)
    {
        if (removals.isOf(operation))
        {
            operation.removalIndex = operation.index;
        }

        final int replica = replica(operation);
        if (NONE == replica)
        {
            operation.absentCount++;
            operation.answer.putByte(Answers.EVICT_ITEMS + operation.index * ITEM_LENGTH, (byte)1);
        }
        else if (state.routes.isActive(replica))
        {
            operation.isBusy = true;
        }
        else if (0 == operation.removalId && state.routes.isCondemned(state.routes.routeOf(replica)))
        {
            operation.isBusy = true;
        }
        else if (!operation.isBusy && 0 == operation.absentCount)
        {
            state.routes.fence(replica);
            operation.fencedCount++;
        }
    }

    private void decide(final Operation operation)
    {
        operation.rewind();
        final boolean isRefused = operation.absentCount > 0 || operation.isBusy;
        if (0 != operation.removalId && (isRefused || !removals.vote(operation)))
        {
            operation.isBusy = true;
            removals.onVoteRefused(operation);
        }

        if (operation.absentCount == operation.count)
        {
            finish(operation, EvictResult.REMOVED);
        }
        else if (operation.absentCount > 0 || operation.isBusy)
        {
            operation.groupPhase = Operation.GroupPhase.REFUSE;
        }
        else
        {
            operation.groupPhase = Operation.GroupPhase.APPLY;
            operation.stage = 0 == operation.removalId ? Operation.Stage.EXECUTE : Operation.Stage.PARKED;
        }
    }

    /** All holders of the value have prepared its removal: the rest of this one's cohort goes, too. */
    void roll(final Operation vote)
    {
        vote.stage = Operation.Stage.EXECUTE;
    }

    /** The value stays: the fences of this holder's cohort go. */
    void abort(final Operation vote)
    {
        vote.isBusy = true;
        vote.groupPhase = Operation.GroupPhase.REFUSE;
        vote.stage = Operation.Stage.EXECUTE;
    }

    /** Takes one replica out of its route. */
    void remove(final int replica)
    {
        final long routes = state.routes.routeCount();
        state.routes.removeReplica(replica);
        counters.increment(REPLICAS_EVICTED);
        counters.add(ROUTES_EVICTED, routes - state.routes.routeCount());
    }

    private int remove(final Operation operation, final int budget)
    {
        int used = 0;
        while (used < budget && operation.index < operation.count)
        {
            state.lookAhead.look(operation, budget - used, state.routes);
            if (operation.removalIndex != operation.index)
            {
                evictMember(operation.owner, fencedReplica(operation));
            }
            operation.advanceKey();
            used++;
        }
        notices.flush();

        if (operation.index == operation.count)
        {
            finish(operation, EvictResult.REMOVED);
        }

        return used;
    }

    private void evictMember(final OwnerSession owner, final int replica)
    {
        final int route = state.routes.routeOf(replica);
        final long routes = state.routes.routeCount();
        remove(replica);
        if (routes == state.routes.routeCount())
        {
            notices.onEvicted(owner, route);
        }
    }

    /** The members before the first one that stands in the way are fenced, and no others. */
    private int unfence(final Operation operation, final int budget)
    {
        int used = 0;
        while (used < budget && operation.index < operation.fencedCount)
        {
            state.lookAhead.look(operation, budget - used, state.routes);
            state.routes.unfence(fencedReplica(operation));
            operation.advanceKey();
            used++;
        }

        if (operation.index == operation.fencedCount)
        {
            if (operation.absentCount > 0)
            {
                finish(operation, EvictResult.STALE);
            }
            else
            {
                operation.stage = Operation.Stage.BUSY;
            }
        }

        return used;
    }

    private void finish(final Operation operation, final EvictResult result)
    {
        counters.increment(EvictResult.REMOVED == result ? EVICTIONS_REMOVED : EVICTIONS_STALE);
        operation.answer.putByte(
            ENCODED_LENGTH + EvictSourceResponseEncoder.resultEncodingOffset(), (byte)result.value());
        operation.stage = Operation.Stage.DONE;
    }

    private int fencedReplica(final Operation operation)
    {
        final int replica = replica(operation);
        if (NONE == replica || !state.routes.isFenced(replica))
        {
            throw new InvariantViolation("a fenced replica is gone while its owner's eviction is executed");
        }

        return replica;
    }

    /** The owner's replica of the member under the cursor, if put id and backing are exactly the member's, or NONE. */
    private int replica(final Operation operation)
    {
        final RouteTable routes = state.routes;
        final UnsafeBuffer message = operation.message;
        final int route = routes.findLive(message, operation.keyOffset(), operation.keyLength());
        if (NONE == route)
        {
            return NONE;
        }

        version.wrap(
            message, operation.position + EvictSourceRequestDecoder.MembersDecoder.versionEncodingOffset());
        backing.wrap(
            message, operation.position + EvictSourceRequestDecoder.MembersDecoder.backingEncodingOffset());
        final int replica = routes.liveReplicaOf(route, operation.owner.ownerId());
        final boolean isExact = NONE != replica &&
            routes.hasPutId(route, version.ownerId(), version.generation(), version.sequence()) &&
            routes.hasBacking(replica, backing);

        return isExact ? replica : NONE;
    }
}
