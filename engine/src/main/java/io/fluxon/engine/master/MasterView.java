package io.fluxon.engine.master;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.BackingEncoder;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.concurrent.UnsafeBuffer;

import static io.fluxon.engine.master.LineSlab.NONE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * A read-only picture of a master core for inspection: used by the simulator, and by tools that inspect. It has no
 * effect on the core. Only for the core's own thread, between two duty cycles or from within its boundary.
 */
public final class MasterView
{
    private final MasterState state;
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[BackingDecoder.ENCODED_LENGTH]);
    private final BackingEncoder encoder = new BackingEncoder();
    private final BackingDecoder decoder = new BackingDecoder();

    private final Removals removals;

    /**
     * A view of a master.
     *
     * @param agent the master.
     */
    public MasterView(final MasterAgent agent)
    {
        state = agent.state();
        removals = agent.removals();
    }

    /**
     * Hears of each replica.
     */
    public interface ReplicaVisitor
    {
        /**
         * One replica of an owner that is live.
         *
         * @param replica as it is now.
         */
        void onReplica(ReplicaPicture replica);
    }

    /**
     * Hears of each get or reservation.
     */
    public interface OperationVisitor
    {
        /**
         * One get, or one set of reservations.
         *
         * @param ownerId     that asked.
         * @param generation  of the owner.
         * @param operationId that it came with.
         * @param index       of the key in the operation; 0 for reservations.
         */
        void onOperation(int ownerId, long generation, long operationId, int index);
    }

    /**
     * Hears of each put id.
     */
    public interface PutIdVisitor
    {
        /**
         * One put id.
         *
         * @param ownerId    of the put.
         * @param generation of that owner.
         * @param sequence   of the put.
         */
        void onPutId(int ownerId, long generation, long sequence);
    }

    /**
     * A replica in a route.
     *
     * @param key           of the route, as ISO-8859-1 text.
     * @param putOwnerId    of the route's put id.
     * @param putGeneration of the route's put id.
     * @param putSequence   of the route's put id.
     * @param valueLength   in bytes.
     * @param ownerId       that has the replica.
     * @param generation    of that owner.
     * @param grantId       of its slot.
     * @param slotIndex     of its slot.
     * @param useCounter    of its slot.
     * @param slotOffset    of its slot, in the segment.
     * @param checksum      of its bytes.
     * @param readers       gets that read from it.
     */
    public record ReplicaPicture(
        String key,
        int putOwnerId,
        long putGeneration,
        long putSequence,
        int valueLength,
        int ownerId,
        long generation,
        int grantId,
        int slotIndex,
        long useCounter,
        long slotOffset,
        int checksum,
        int readers)
    {
    }

    /**
     * What is wrong with the master's record of a committed slot?
     *
     * @param ownerId of the slot's owner.
     * @param table   of the slot.
     * @param slotId  of the slot.
     * @param offset  of the slot in its segment.
     * @return text, or null when put id, length, checksum and backing identity agree.
     */
    public String difference(final int ownerId, final SlotTable table, final int slotId, final long offset)
    {
        final RouteTable routes = state.routes;
        table.wrapKey(slotId, key);
        final int route = routes.findVisible(key, 0, key.capacity());
        if (NONE == route)
        {
            return "there is no route";
        }
        if (!routes.hasPutId(
            route, table.putOwnerId(slotId), table.putGeneration(slotId), table.putSequence(slotId)))
        {
            return "the route has another put id";
        }
        final int replica = routes.liveReplicaOf(route, ownerId);
        if (NONE == replica)
        {
            return "the route has no replica of the owner";
        }
        encoder.wrap(buffer, 0)
            .grantId(table.grantId(slotId))
            .slotIndex(table.slotIndex(slotId))
            .slotSize(table.slotSize(slotId))
            .useCounter(table.useCounter(slotId))
            .slotOffset(offset);
        if (!routes.hasBacking(replica, decoder.wrap(buffer, 0)) || offset != routes.slotOffset(replica))
        {
            return "the replica has another backing";
        }
        return routes.valueLength(route) != table.valueLength(slotId) ||
            routes.checksum(replica) != (int)table.checksum(slotId) ? "length or checksum differ" : null;
    }

    /**
     * Replicas in routes.
     *
     * @return their number, those of lost owners that were not taken out yet included.
     */
    public long replicas()
    {
        return state.routes.replicaCount();
    }

    /**
     * Visits the replicas of live owners.
     *
     * @param visitor hears of each.
     */
    public void replicas(final ReplicaVisitor visitor)
    {
        final RouteTable routes = state.routes;
        for (int route = routes.nextRoute(NONE); NONE != route; route = routes.nextRoute(route))
        {
            routes.wrapKey(route, key);
            final byte[] bytes = new byte[key.capacity()];
            key.getBytes(0, bytes);
            final String name = new String(bytes, ISO_8859_1);
            for (int replica = routes.firstReplica(route); NONE != replica; replica = routes.nextReplica(replica))
            {
                if (state.tenures.isLive(routes.tenure(replica)))
                {
                    visitor.onReplica(picture(name, route, replica));
                }
            }
        }
    }

    /**
     * Visits the gets of live owners.
     *
     * @param visitor hears of each.
     */
    public void gets(final OperationVisitor visitor)
    {
        final InflightGets gets = state.gets;
        for (int get = gets.next(NONE); NONE != get; get = gets.next(get))
        {
            final int tenure = gets.requester(get);
            if (state.tenures.isLive(tenure))
            {
                visitor.onOperation(state.tenures.ownerId(tenure), state.tenures.generation(tenure),
                    gets.operationId(get), gets.index(get));
            }
        }
    }

    /**
     * Visits the sets of reservations of live owners.
     *
     * @param visitor hears of each.
     */
    public void reservations(final OperationVisitor visitor)
    {
        final Reservations sets = state.reservations;
        for (int set = sets.next(NONE); NONE != set; set = sets.next(set))
        {
            final int tenure = sets.tenure(set);
            visitor.onOperation(
                state.tenures.ownerId(tenure), state.tenures.generation(tenure), sets.operationId(set), 0);
        }
    }

    /**
     * Does an owner that is live have a replica of a key, whether others may know or not?
     *
     * @param ownerId of the owner.
     * @param name    of the key, as ISO-8859-1 text.
     * @return true when it has one.
     */
    public boolean hasReplica(final int ownerId, final String name)
    {
        key.wrap(name.getBytes(ISO_8859_1));
        final int route = state.routes.findLive(key, 0, key.capacity());

        return NONE != route && NONE != state.routes.liveReplicaOf(route, ownerId);
    }

    /**
     * Does an owner that is live have exactly this replica of a key?
     *
     * @param ownerId    of the owner.
     * @param name       of the key, as ISO-8859-1 text.
     * @param grantId    of the slot.
     * @param slotIndex  of the slot.
     * @param useCounter of the slot.
     * @return true when the key's route has it.
     */
    public boolean hasReplica(
        final int ownerId, final String name, final int grantId, final int slotIndex, final long useCounter)
    {
        key.wrap(name.getBytes(ISO_8859_1));
        final int route = state.routes.findLive(key, 0, key.capacity());
        final int replica = NONE == route ? NONE : state.routes.liveReplicaOf(route, ownerId);
        if (NONE == replica)
        {
            return false;
        }
        state.routes.backing(replica, encoder.wrap(buffer, 0));
        decoder.wrap(buffer, 0);

        return grantId == decoder.grantId() && slotIndex == decoder.slotIndex() &&
            useCounter == decoder.useCounter();
    }

    /**
     * Does any owner that is live have a replica of a key?
     *
     * @param name of the key, as ISO-8859-1 text.
     * @return true when one has.
     */
    public boolean hasRoute(final String name)
    {
        key.wrap(name.getBytes(ISO_8859_1));

        return NONE != state.routes.findLive(key, 0, key.capacity());
    }

    /**
     * Is a round in which owners give up a value not over yet (contract EVICT-2)?
     *
     * @param roundId of it.
     * @return true until all its holders have given the memory back.
     */
    public boolean isRemovalUnderWay(final long roundId)
    {
        return removals.isUnderWay(roundId);
    }

    /**
     * Put ids that were deleted and are remembered (contract LIFE-4).
     *
     * @return their number.
     */
    public int deletedCount()
    {
        return state.deleted.size();
    }

    /**
     * Visits the put ids that were deleted and are remembered.
     *
     * @param visitor hears of each, the one that was deleted first first.
     */
    public void deleted(final PutIdVisitor visitor)
    {
        state.deleted.forEach(visitor);
    }

    /**
     * Gets that read from a replica of a live owner that is in no route any more: the master has removed it under them.
     *
     * @return their number.
     */
    public int orphanedReads()
    {
        final InflightGets gets = state.gets;
        int count = 0;
        for (int get = gets.next(NONE); NONE != get; get = gets.next(get))
        {
            final int source = gets.source(get);
            count += state.routes.isDetached(source) && state.tenures.isLive(state.routes.tenure(source)) ? 1 : 0;
        }

        return count;
    }

    /**
     * Generation of an owner that is live.
     *
     * @param ownerId of the owner.
     * @return its generation, 0 when it is not live.
     */
    public long generation(final int ownerId)
    {
        final OwnerSession owner = live(ownerId);

        return null == owner ? 0 : owner.generation();
    }

    /**
     * Session of an owner that is live.
     *
     * @param ownerId of the owner.
     * @return its session, 0 when it is not live.
     */
    public long session(final int ownerId)
    {
        final OwnerSession owner = live(ownerId);

        return null == owner ? 0 : owner.sessionId();
    }

    /**
     * Names the time in which an owner is live without a break.
     *
     * @param ownerId of the owner.
     * @return its tenure, never that of another time; 0 when it is not live.
     */
    public long tenure(final int ownerId)
    {
        final OwnerSession owner = live(ownerId);

        return null == owner ? 0 : owner.tenureId();
    }

    /**
     * Are all values of an owner known, so that its operations may be executed (contract LIFE-4)?
     *
     * @param ownerId of the owner.
     * @return true when it is live and its report is complete.
     */
    public boolean isReconciled(final int ownerId)
    {
        final OwnerSession owner = live(ownerId);

        return null != owner && owner.isReconciled();
    }

    private OwnerSession live(final int ownerId)
    {
        final OwnerSession owner = state.owners.byOwnerId(ownerId);

        return null != owner && owner.isLive() ? owner : null;
    }

    private ReplicaPicture picture(final String name, final int route, final int replica)
    {
        final RouteTable routes = state.routes;
        final int tenure = routes.tenure(replica);
        routes.backing(replica, encoder.wrap(buffer, 0));
        decoder.wrap(buffer, 0);

        return new ReplicaPicture(
            name,
            routes.putOwnerId(route),
            routes.putGeneration(route),
            routes.putSequence(route),
            routes.valueLength(route),
            state.tenures.ownerId(tenure),
            state.tenures.generation(tenure),
            decoder.grantId(),
            decoder.slotIndex(),
            decoder.useCounter(),
            decoder.slotOffset(),
            routes.checksum(replica),
            routes.readers(replica));
    }
}
