package io.fluxon.engine.master;

import io.fluxon.codecs.control.RemovalStep;
import io.fluxon.codecs.control.RouteDeleteResponseEncoder;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;

import java.util.ArrayList;

import static io.fluxon.engine.master.LineSlab.NONE;
import static io.fluxon.engine.master.MasterCounter.DELETES_BUSY;
import static io.fluxon.engine.master.MasterCounter.DELETES_MISSED;
import static io.fluxon.engine.master.MasterCounter.KEYS_DELETED;
import static io.fluxon.engine.master.MasterCounter.REMOVAL_ROUNDS;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Executes the deletes of owners: takes a value away from all owners that have it, or from none (contract EVICT-2).
 * <p>
 * In rounds, one value each: <em>prepare</em>: each holder hides the value and its cohort there and asks for their
 * removal by an eviction that names the round, which is parked when its members are fenced. <em>Commit</em>: when all
 * have, and they are all that the route has, the route goes in one step, its put id is remembered as deleted, and
 * the parked evictions are carried out. <em>Finalize</em>: their answers let the holders give the memory back, and
 * when they have, the delete is answered. A holder where a member is in use ends the round: the parked evictions are
 * answered BUSY, and the next round comes after 25 ms, doubling to 1 s.
 * <p>
 * A lost owner is no holder any more. What an owner asks again under its id gets the recorded answer; when it asks no
 * more, or is lost, what its delete has begun has no further round. Bounds (contract BOUND-1): {@value #MAX_DELETES}
 * deletes, {@value #MAX_REMOVALS} values at a time, {@link Removal#MAX_ROUNDS} rounds of {@value #ROUND_MS} ms.
 */
final class Removals
{
    /** Most deletes that are parked; more are refused, to be asked again. */
    static final int MAX_DELETES = 1024;

    /** Most values that are being removed at once; more wait. */
    static final int MAX_REMOVALS = 256;

    /** Longest time that holders have to prepare, while what those before them have prepared is hidden. */
    static final int ROUND_MS = 1000;

    private static final int RESEND_MS = 100;
    private static final long NS_PER_MS = 1_000_000;
    private static final int EPOCH_SHIFT = 20;
    private static final int ITEM_LENGTH = RouteDeleteResponseEncoder.ResultsEncoder.sbeBlockLength();

    private final MasterContext context;
    private final MasterState state;
    private final MasterCounters counters;
    private final Operations operations;
    private final MasterPublisher publisher;
    private final ArrayList<Operation> deletes = new ArrayList<>();
    private final ArrayList<Removal> active = new ArrayList<>();
    private final ArrayList<Removal> pool = new ArrayList<>();
    private final Long2ObjectHashMap<Removal> byRound = new Long2ObjectHashMap<>();
    private long lastRoundId;

    Removals(
        final MasterContext context,
        final MasterState state,
        final Operations operations,
        final MasterPublisher publisher)
    {
        this.context = context;
        this.state = state;
        this.operations = operations;
        this.publisher = publisher;
        counters = context.counters();
        // rounds of one epoch are not mistaken for those of another
        lastRoundId = context.epoch() << EPOCH_SHIFT;
    }

    /** Values that are being removed. */
    int size()
    {
        return active.size();
    }

    /** Is a round of this id not over yet? For inspection. */
    boolean isUnderWay(final long roundId)
    {
        return byRound.containsKey(roundId);
    }

    /** Takes a delete: its keys are begun one after the other, as there is room. */
    int take(final Operation operation)
    {
        if (deletes.size() >= MAX_DELETES)
        {
            operation.refuse(ErrorCode.BACK_PRESSURED);
        }
        else
        {
            deletes.add(operation);
            operation.stage = Operation.Stage.PARKED;
        }

        return 1;
    }

    /** Does the member under the cursor of an eviction have the key of the round that it names? */
    boolean isOf(final Operation eviction)
    {
        final Removal removal = 0 == eviction.removalId ? null : byRound.get(eviction.removalId);

        return null != removal && removal.isKey(eviction.message, eviction.keyOffset(), eviction.keyLength());
    }

    /**
     * A holder has prepared: all members of its eviction are fenced.
     *
     * @return false when the round is over, or is not about this.
     */
    boolean vote(final Operation eviction)
    {
        final Removal removal = byRound.get(eviction.removalId);
        final Removal.Holder holder = null == removal ? null : removal.holderOf(eviction.owner);
        if (null == holder || holder.isLost || null != holder.vote || eviction.removalIndex < 0 ||
            Removal.Step.PREPARING != removal.step)
        {
            return false;
        }
        holder.vote = eviction;
        holder.hasVoted = true;

        return true;
    }

    /** A holder asked for what cannot be removed now: the round is over. */
    void onVoteRefused(final Operation eviction)
    {
        final Removal removal = byRound.get(eviction.removalId);
        if (null != removal && null != removal.holderOf(eviction.owner))
        {
            abort(removal);
        }
    }

    /** An owner says where it stands. */
    void onReport(final OwnerSession owner, final long roundId, final RemovalStep step)
    {
        final Removal removal = byRound.get(roundId);
        final Removal.Holder holder = null == removal ? null : removal.holderOf(owner);
        if (null == holder)
        {
            return;
        }

        switch (step)
        {
            case IN_USE -> abort(removal);
            case BEING_WRITTEN ->
            {
                removal.isBeingWritten |= Removal.Step.PREPARING == removal.step;
                abort(removal);
            }
            case FINALIZED ->
            {
                // before the commit it means that the value is not there, as the route says it is
                abort(removal);
                holder.isFinalized = holder.hasVoted && null == holder.vote;
            }
            default ->
            {
            }
        }
    }

    /** An owner is lost, and what it has asked for with it: its values are gone already. */
    void drop(final OwnerSession owner)
    {
        for (int i = 0, size = active.size(); i < size; i++)
        {
            final Removal.Holder holder = active.get(i).holderOf(owner);
            if (null != holder)
            {
                holder.isLost = true;
                if (null != holder.vote)
                {
                    holder.vote.refuse(ErrorCode.OK);
                    endVote(holder);
                }
            }
        }

        for (int i = deletes.size() - 1; i >= 0; i--)
        {
            if (owner == deletes.get(i).owner)
            {
                forget(i);
            }
        }
    }

    /** Works on; returns how much was done. */
    int doWork(final int budget)
    {
        if (deletes.isEmpty() && active.isEmpty())
        {
            return 0;
        }

        int used = forgetSome();
        used += beginSome(budget);
        for (int i = active.size() - 1; i >= 0 && used < 2 * budget; i--)
        {
            used += step(active.get(i), budget);
        }

        return used + answerSome();
    }

    /** An owner whose caller's time is over asks no more: what was not begun never is. */
    private int forgetSome()
    {
        int count = 0;
        for (int i = deletes.size() - 1; i >= 0; i--)
        {
            final Operation operation = deletes.get(i);
            if (OutcomeLog.Known.ACKNOWLEDGED == operation.owner.outcomes().known(operation.operationId))
            {
                forget(i);
                count++;
            }
        }

        return count;
    }

    /** Ends a delete without an answer; of the values that it has begun with, each has this round yet. */
    private void forget(final int deleteIndex)
    {
        final Operation operation = deletes.remove(deleteIndex);
        for (int i = 0, size = active.size(); i < size; i++)
        {
            if (operation == active.get(i).parent)
            {
                active.get(i).parent = null;
            }
        }
        operation.refuse(ErrorCode.OK);
        operations.unpark(operation);
    }

    private int beginSome(final int budget)
    {
        int used = 0;
        for (int i = 0, size = deletes.size(); i < size && used < budget && active.size() < MAX_REMOVALS; i++)
        {
            final Operation operation = deletes.get(i);
            while (used < budget && active.size() < MAX_REMOVALS && operation.index < operation.count &&
                begin(operation))
            {
                operation.advanceKey();
                used++;
            }
        }

        return used;
    }

    /** False when the key is being deleted by another delete, for which this one waits. */
    private boolean begin(final Operation operation)
    {
        final RouteTable routes = state.routes;
        final DirectBuffer message = operation.message;
        final int offset = operation.keyOffset();
        final int length = operation.keyLength();
        state.lookAhead.look(operation, 1, routes);
        final int route = routes.findLive(message, offset, length);
        if (NONE != route && routes.isCondemned(route))
        {
            return false;
        }

        final boolean isHidden = NONE != route && NONE == routes.findVisible(message, offset, length);
        if (isHidden || state.reservations.isTaken(message, offset, length))
        {
            counters.increment(DELETES_BUSY);
            settle(operation, operation.index, -ErrorCode.KEY_BEING_WRITTEN);
        }
        else if (NONE == route)
        {
            counters.increment(DELETES_MISSED);
            settle(operation, operation.index, -ErrorCode.KEY_NOT_FOUND);
        }
        else
        {
            final Removal removal = pool.isEmpty() ? new Removal(context.maxKeyBytes()) : pool.removeLast();
            removal.begin(operation, routes, route, state.nowMs());
            routes.condemn(route);
            active.add(removal);
        }

        return true;
    }

    private int answerSome()
    {
        int count = 0;
        for (int i = deletes.size() - 1; i >= 0; i--)
        {
            final Operation operation = deletes.get(i);
            if (operation.settled == operation.count)
            {
                deletes.remove(i);
                operation.stage = Operation.Stage.DONE;
                operations.unpark(operation);
                count++;
            }
        }

        return count;
    }

    private int step(final Removal removal, final int budget)
    {
        return switch (removal.step)
        {
            case BACKOFF -> state.nowMs() - removal.dueMs >= 0 ? beginRound(removal) : 0;
            case PREPARING -> prepare(removal);
            case ABORTING, REMOVING -> carryOut(removal, budget);
            case FINALIZING -> awaitFinalized(removal);
        };
    }

    private int beginRound(final Removal removal)
    {
        final RouteTable routes = state.routes;
        final int route = routes.findLive(removal.key(), 0, removal.keyLength());
        if (!removal.isRoute(routes, route))
        {
            removed(removal);
            over(removal, ErrorCode.OK);
            return 1;
        }

        counters.increment(REMOVAL_ROUNDS);
        routes.condemn(route);
        removal.roundId = ++lastRoundId;
        removal.step = Removal.Step.PREPARING;
        removal.endMs = state.nowMs() + ROUND_MS;
        byRound.put(removal.roundId, removal);
        removal.clearHolders();
        for (int replica = routes.firstReplica(route); NONE != replica; replica = routes.nextReplica(replica))
        {
            final int tenure = routes.tenure(replica);
            if (state.tenures.isLive(tenure))
            {
                removal.addHolder(
                    state.tenures.ownerId(tenure), state.tenures.generation(tenure), routes, replica);
            }
        }
        ask(removal);

        return 1;
    }

    private int prepare(final Removal removal)
    {
        final int nowMs = state.nowMs();
        boolean isReady = true;
        for (int i = 0; i < removal.holderCount(); i++)
        {
            final Removal.Holder holder = removal.holder(i);
            isReady &= holder.isLost || null != holder.vote;
        }

        if (isReady)
        {
            commit(removal);
        }
        else if (nowMs - removal.endMs >= 0)
        {
            abort(removal);
        }
        else if (nowMs - removal.dueMs >= 0)
        {
            ask(removal);
        }
        else
        {
            return 0;
        }

        return 1;
    }

    /** Asks the holders that have not prepared, or have not said that the memory is given back. */
    private void ask(final Removal removal)
    {
        removal.dueMs = state.nowMs() + RESEND_MS;
        for (int i = 0; i < removal.holderCount(); i++)
        {
            final Removal.Holder holder = removal.holder(i);
            final OwnerSession owner = state.owners.byOwnerId(holder.ownerId);
            if (!holder.isLost && null == holder.vote && !holder.isFinalized && null != owner && owner.isLive())
            {
                publisher.prepareRemoval(owner, removal, holder.backing);
            }
        }
    }

    /** All holders have hidden the value: the route goes at once, with all that it has, if these are all. */
    private void commit(final Removal removal)
    {
        final RouteTable routes = state.routes;
        final int route = routes.findLive(removal.key(), 0, removal.keyLength());
        int votes = 0;
        for (int i = 0; i < removal.holderCount(); i++)
        {
            votes += null == removal.holder(i).vote ? 0 : 1;
        }

        final boolean isThere = removal.isRoute(routes, route);
        if (isThere && votes != routes.liveReplicas(route))
        {
            abort(removal);
            return;
        }

        for (int i = 0; i < removal.holderCount(); i++)
        {
            final Removal.Holder holder = removal.holder(i);
            if (null != holder.vote)
            {
                operations.evictions().remove(routes.liveReplicaOf(route, holder.ownerId));
                operations.evictions().roll(holder.vote);
            }
        }
        removed(removal);
        removal.step = Removal.Step.REMOVING;
    }

    private void removed(final Removal removal)
    {
        counters.increment(KEYS_DELETED);
        state.deleted.add(removal.putOwnerId, removal.putGeneration, removal.putSequence, state.nowMs());
    }

    private void abort(final Removal removal)
    {
        if (Removal.Step.PREPARING == removal.step)
        {
            removal.step = Removal.Step.ABORTING;
            for (int i = 0; i < removal.holderCount(); i++)
            {
                if (null != removal.holder(i).vote)
                {
                    operations.evictions().abort(removal.holder(i).vote);
                }
            }
        }
    }

    /** Goes on with what the holders have asked for, and answers what is done. */
    private int carryOut(final Removal removal, final int budget)
    {
        int used = 0;
        boolean isDone = true;
        for (int i = 0; i < removal.holderCount(); i++)
        {
            final Removal.Holder holder = removal.holder(i);
            if (null != holder.vote)
            {
                used += used < budget ? operations.evictions().evict(holder.vote, budget - used) : 0;
                if (holder.vote.isFinished())
                {
                    endVote(holder);
                }
                isDone &= null == holder.vote;
            }
        }

        if (isDone)
        {
            carriedOut(removal);
        }

        return Math.max(1, used);
    }

    private void carriedOut(final Removal removal)
    {
        if (Removal.Step.REMOVING == removal.step)
        {
            removal.step = Removal.Step.FINALIZING;
            removal.dueMs = state.nowMs() + RESEND_MS;
            return;
        }

        byRound.remove(removal.roundId);
        removal.rounds++;
        if (removal.isBeingWritten)
        {
            over(removal, -ErrorCode.KEY_BEING_WRITTEN);
        }
        else if (removal.rounds >= Removal.MAX_ROUNDS || null == removal.parent)
        {
            over(removal, -ErrorCode.BACK_PRESSURED);
        }
        else
        {
            removal.delayNs = Limits.nextRetryDelayNs(removal.delayNs);
            removal.dueMs = state.nowMs() + (int)(removal.delayNs / NS_PER_MS);
            removal.step = Removal.Step.BACKOFF;
        }
    }

    private int awaitFinalized(final Removal removal)
    {
        for (int i = 0; i < removal.holderCount(); i++)
        {
            if (!removal.holder(i).isLost && !removal.holder(i).isFinalized)
            {
                return awaitOn(removal);
            }
        }
        byRound.remove(removal.roundId);
        over(removal, ErrorCode.OK);

        return 1;
    }

    private int awaitOn(final Removal removal)
    {
        final boolean isDue = state.nowMs() - removal.dueMs >= 0;
        if (isDue)
        {
            ask(removal);
        }

        return isDue ? 1 : 0;
    }

    private void endVote(final Removal.Holder holder)
    {
        final Operation vote = holder.vote;
        holder.vote = null;
        operations.unpark(vote);
    }

    private void over(final Removal removal, final int code)
    {
        final RouteTable routes = state.routes;
        final int route = routes.find(removal.key(), 0, removal.keyLength());
        if (removal.isRoute(routes, route))
        {
            routes.pardon(route);
        }

        counters.add(DELETES_BUSY, ErrorCode.OK == code ? 0 : 1);
        if (null != removal.parent)
        {
            settle(removal.parent, removal.index, code);
        }
        removal.parent = null;
        active.remove(removal);
        pool.add(removal);
    }

    private void settle(final Operation operation, final int index, final int code)
    {
        operation.answer.putInt(Answers.DELETE_ITEMS + index * ITEM_LENGTH, code, LITTLE_ENDIAN);
        operation.settled++;
        counters.error(code);
    }
}
