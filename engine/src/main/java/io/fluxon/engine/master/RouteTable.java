package io.fluxon.engine.master;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.BackingEncoder;
import io.fluxon.engine.boundary.PageSource;
import io.fluxon.engine.index.KeyDigest;
import io.fluxon.engine.memory.InvariantViolation;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntHashSet;

import static io.fluxon.engine.master.LineSlab.NONE;
import static io.fluxon.engine.master.RouteDescriptor.ACTIVITY;
import static io.fluxon.engine.master.RouteDescriptor.CHAIN_NEXT;
import static io.fluxon.engine.master.RouteDescriptor.CHECKSUM;
import static io.fluxon.engine.master.RouteDescriptor.COHORT_ID;
import static io.fluxon.engine.master.RouteDescriptor.COHORT_RANK;
import static io.fluxon.engine.master.RouteDescriptor.COHORT_SIZE;
import static io.fluxon.engine.master.RouteDescriptor.FENCED;
import static io.fluxon.engine.master.RouteDescriptor.FIRST_REPLICA;
import static io.fluxon.engine.master.RouteDescriptor.GRANT_ID;
import static io.fluxon.engine.master.RouteDescriptor.GROUP_ID;
import static io.fluxon.engine.master.RouteDescriptor.GROUP_LENGTH;
import static io.fluxon.engine.master.RouteDescriptor.KEY;
import static io.fluxon.engine.master.RouteDescriptor.KEY_LENGTH;
import static io.fluxon.engine.master.RouteDescriptor.PUT_GENERATION;
import static io.fluxon.engine.master.RouteDescriptor.PUT_OWNER_ID;
import static io.fluxon.engine.master.RouteDescriptor.PUT_SEQUENCE;
import static io.fluxon.engine.master.RouteDescriptor.REPLICA_COUNT;
import static io.fluxon.engine.master.RouteDescriptor.REPLICA_NEXT;
import static io.fluxon.engine.master.RouteDescriptor.REPLICA_ROUTE;
import static io.fluxon.engine.master.RouteDescriptor.REPLICA_TYPE;
import static io.fluxon.engine.master.RouteDescriptor.ROUTE_TYPE;
import static io.fluxon.engine.master.RouteDescriptor.SLOT_INDEX;
import static io.fluxon.engine.master.RouteDescriptor.SLOT_OFFSET;
import static io.fluxon.engine.master.RouteDescriptor.SLOT_SIZE;
import static io.fluxon.engine.master.RouteDescriptor.TENURE;
import static io.fluxon.engine.master.RouteDescriptor.TENURE_NEXT;
import static io.fluxon.engine.master.RouteDescriptor.TENURE_PREVIOUS;
import static io.fluxon.engine.master.RouteDescriptor.USE_COUNTER;
import static io.fluxon.engine.master.RouteDescriptor.VALUE_LENGTH;

/**
 * The routes: for each key its put id, length, group and cohort, and the replicas that hold its value. Off-heap, in the
 * layout of {@link RouteDescriptor}; the full key decides (contract ID-1).
 * <p>
 * A replica whose tenure has ended is dead at once: every question skips it, and it is taken out later. A replica that
 * is taken out while gets read from it is detached: out of its route, kept until the last of these gets has ended.
 * A replica that is about to be removed is fenced first: no get may begin to read from it (contract EVICT-2).
 * A route whose group is still being published is hidden from all but the publisher, so a group appears as a whole
 * (contract V2, A2). Allocates nothing but chunks of its slab. Confined to one thread.
 */
final class RouteTable implements AutoCloseable
{
    private static final int MAX_REPLICA_WALK = 1 << 16;

    private final LineSlab slab;
    private final Tenures tenures;
    private final KeyDigest digest;
    private final RouteIndex index;
    private final long maxReplicas;
    private final IntHashSet condemned = new IntHashSet(NONE);
    private long hiddenGroupId;
    private long nextGroupId = 1;
    private long replicaCount;
    private long activity;
    private long countedActivity;
    private long fences;
    private long countedFences;
    private int sourceTurn;

    RouteTable(
        final long maxRoutes,
        final long maxReplicas,
        final KeyDigest digest,
        final Tenures tenures,
        final PageSource pages)
    {
        slab = new LineSlab(pages);
        this.tenures = tenures;
        this.digest = digest;
        this.maxReplicas = maxReplicas;
        index = new RouteIndex(maxRoutes, slab);
    }

    /** The route of a key, dead and hidden ones included, or NONE. */
    int find(final DirectBuffer key, final int offset, final int length)
    {
        digest.compute(key, offset, length);
        return index.get(digest.low(), digest.high(), key, offset, length);
    }

    /** The route that a key of this digest may have, without a look at it, or NONE. */
    int candidate(final long low, final long high)
    {
        return index.candidate(low, high);
    }

    /** Reads where the index looks for a digest first, so that it is near then; what it returns means nothing. */
    int touchIndex(final long low, final long high)
    {
        return index.touch(low, high);
    }

    /** Reads all of a route or replica, so that it is near when it is needed; what it returns means nothing. */
    int touch(final int ref)
    {
        return slab.touch(ref);
    }

    /** The route of a key that others may know: live and not hidden, or NONE. */
    int findVisible(final DirectBuffer key, final int offset, final int length)
    {
        final int route = find(key, offset, length);
        return NONE != route && hiddenGroupId != groupId(route) && hasLiveReplica(route) ? route : NONE;
    }

    /** The route of a key that has a live replica, also when its group is hidden yet, or NONE. */
    int findLive(final DirectBuffer key, final int offset, final int length)
    {
        final int route = find(key, offset, length);
        return NONE != route && hasLiveReplica(route) ? route : NONE;
    }

    boolean hasRoom(final int routes)
    {
        return index.size() + routes <= index.capacity() && replicaCount + routes <= maxReplicas;
    }

    boolean hasReplicaRoom()
    {
        return replicaCount < maxReplicas;
    }

    /** Begins a group whose routes stay hidden until {@link #endGroup()}. */
    long beginGroup()
    {
        hiddenGroupId = nextGroupId++;
        return hiddenGroupId;
    }

    /** All routes of the group are there: they appear together. */
    void endGroup()
    {
        hiddenGroupId = 0;
    }

    /**
     * Creates a route without replicas; the caller, who has asked whether there is room, adds the first one at once. A
     * dead route of the key is taken out.
     */
    int create(
        final DirectBuffer key,
        final int offset,
        final int length,
        final int putOwnerId,
        final long putGeneration,
        final long putSequence,
        final int valueLength)
    {
        final int dead = find(key, offset, length);
        if (NONE != dead)
        {
            removeAllReplicas(dead);
        }

        final int route = slab.allocate(ROUTE_TYPE, LineSlab.linesFor(KEY + length));
        slab.putInt(route, CHAIN_NEXT, NONE);
        slab.putInt(route, FIRST_REPLICA, NONE);
        slab.putInt(route, REPLICA_COUNT, 0);
        slab.putInt(route, VALUE_LENGTH, valueLength);
        slab.putInt(route, KEY_LENGTH, length);
        slab.putLong(route, PUT_GENERATION, putGeneration);
        slab.putLong(route, PUT_SEQUENCE, putSequence);
        slab.putInt(route, PUT_OWNER_ID, putOwnerId);
        slab.putBytes(route, KEY, key, offset, length);

        digest.compute(key, offset, length);
        index.add(digest.low(), digest.high(), route);

        return route;
    }

    void group(
        final int route,
        final long groupId,
        final int groupLength,
        final long cohortId,
        final int cohortRank,
        final int cohortSize)
    {
        slab.putLong(route, GROUP_ID, groupId);
        slab.putInt(route, GROUP_LENGTH, groupLength);
        slab.putLong(route, COHORT_ID, cohortId);
        slab.putInt(route, COHORT_RANK, cohortRank);
        slab.putInt(route, COHORT_SIZE, cohortSize);
    }

    /** Adds a replica: where the value lies at the owner of a tenure. */
    int addReplica(final int route, final int tenure, final BackingDecoder backing, final int checksum)
    {
        final int replica = slab.allocate(REPLICA_TYPE, 1);
        slab.putInt(replica, REPLICA_ROUTE, route);
        slab.putInt(replica, REPLICA_NEXT, slab.getInt(route, FIRST_REPLICA));
        slab.putInt(replica, TENURE, tenure);
        slab.putInt(replica, ACTIVITY, 0);
        slab.putInt(replica, CHECKSUM, checksum);
        slab.putInt(replica, GRANT_ID, backing.grantId());
        slab.putInt(replica, SLOT_INDEX, backing.slotIndex());
        slab.putLong(replica, SLOT_SIZE, backing.slotSize());
        slab.putLong(replica, USE_COUNTER, backing.useCounter());
        slab.putLong(replica, SLOT_OFFSET, backing.slotOffset());
        slab.putInt(route, FIRST_REPLICA, replica);
        slab.putInt(route, REPLICA_COUNT, slab.getInt(route, REPLICA_COUNT) + 1);

        final int head = tenures.replicaHead(tenure);
        slab.putInt(replica, TENURE_PREVIOUS, NONE);
        slab.putInt(replica, TENURE_NEXT, head);
        if (NONE != head)
        {
            slab.putInt(head, TENURE_PREVIOUS, replica);
        }
        tenures.replicaHead(tenure, replica);
        tenures.replicaCount(tenure, tenures.replicaCount(tenure) + 1);
        replicaCount++;

        return replica;
    }

    /** Takes a replica out of its route, and the route out of the table when it was the last one. */
    void removeReplica(final int replica)
    {
        if (isFenced(replica))
        {
            unfence(replica);
        }
        final int route = slab.getInt(replica, REPLICA_ROUTE);
        unlinkFromRoute(route, replica);
        unlinkFromTenure(replica);
        replicaCount--;

        if (0 == slab.getInt(replica, ACTIVITY))
        {
            slab.free(replica);
        }
        else
        {
            slab.putInt(replica, REPLICA_ROUTE, NONE);
        }

        if (NONE == slab.getInt(route, FIRST_REPLICA))
        {
            removeRoute(route);
        }
    }

    /** Takes out replicas of a tenure that has ended; returns how many. */
    int drain(final int tenure, final int limit)
    {
        int count = 0;
        while (count < limit && NONE != tenures.replicaHead(tenure))
        {
            removeReplica(tenures.replicaHead(tenure));
            count++;
        }

        return count;
    }

    /** The live replica of an owner id in a route, or NONE. */
    int liveReplicaOf(final int route, final int ownerId)
    {
        for (int replica = firstReplica(route); NONE != replica; replica = nextReplica(replica))
        {
            final int tenure = tenure(replica);
            if (tenures.isLive(tenure) && ownerId == tenures.ownerId(tenure))
            {
                return replica;
            }
        }

        return NONE;
    }

    /**
     * Chooses a replica to read from: live, not fenced, not of the requester (contract GET-4), the one with the fewest
     * readers; among equals the turn goes round. None of a route that is condemned.
     *
     * @return the replica, or NONE.
     */
    int chooseSource(final int route, final int requesterId)
    {
        if (isCondemned(route))
        {
            return NONE;
        }

        final int count = slab.getInt(route, REPLICA_COUNT);
        final int turn = count > 1 ? (sourceTurn++ & Integer.MAX_VALUE) % count : 0;
        int best = NONE;
        int bestActivity = Integer.MAX_VALUE;
        int position = 0;
        boolean isBestAfterTurn = false;
        for (int replica = firstReplica(route); NONE != replica; replica = nextReplica(replica))
        {
            final boolean isAfterTurn = position++ >= turn;
            final int tenure = tenure(replica);
            if (tenures.isLive(tenure) && requesterId != tenures.ownerId(tenure) && !isFenced(replica))
            {
                final int readers = slab.getInt(replica, ACTIVITY);
                if (readers < bestActivity || readers == bestActivity && isAfterTurn && !isBestAfterTurn)
                {
                    best = replica;
                    bestActivity = readers;
                    isBestAfterTurn = isAfterTurn;
                }
            }
        }

        return best;
    }

    /** The value of a route is being deleted: no get begins to read from any of its replicas (contract EVICT-2). */
    void condemn(final int route)
    {
        condemned.add(route);
    }

    /** The value of a route was not deleted. */
    void pardon(final int route)
    {
        condemned.remove(route);
    }

    boolean isCondemned(final int route)
    {
        return !condemned.isEmpty() && condemned.contains(route);
    }

    /** Replicas of a route whose owners are live. */
    int liveReplicas(final int route)
    {
        int count = 0;
        for (int replica = firstReplica(route); NONE != replica; replica = nextReplica(replica))
        {
            count += tenures.isLive(tenure(replica)) ? 1 : 0;
        }

        return count;
    }

    /** A get begins to read from a replica. */
    void acquire(final int replica)
    {
        changeActivity(replica, 1);
    }

    /** A get has ended. */
    void release(final int replica)
    {
        if (slab.getInt(replica, ACTIVITY) <= 0)
        {
            throw new InvariantViolation("activity of a replica was released twice");
        }

        changeActivity(replica, -1);
        if (isDetached(replica) && 0 == slab.getInt(replica, ACTIVITY))
        {
            slab.free(replica);
        }
    }

    /** May gets no longer begin to read from a replica, since it is about to be removed? */
    boolean isFenced(final int replica)
    {
        return FENCED == slab.getInt(replica, ACTIVITY);
    }

    /** From here on no get begins to read from a replica that none reads from. */
    void fence(final int replica)
    {
        if (0 != slab.getInt(replica, ACTIVITY))
        {
            throw new InvariantViolation("a replica is fenced that is read from, or fenced already");
        }
        slab.putInt(replica, ACTIVITY, FENCED);
        changeFences(replica, 1);
    }

    /** Gets may read from a replica again. */
    void unfence(final int replica)
    {
        if (!isFenced(replica))
        {
            throw new InvariantViolation("the fence of a replica was taken away twice");
        }
        slab.putInt(replica, ACTIVITY, 0);
        changeFences(replica, -1);
    }

    /** Does a get read from a replica, or is it about to be removed? */
    boolean isActive(final int replica)
    {
        return 0 != slab.getInt(replica, ACTIVITY);
    }

    /** Replicas that are fenced. */
    long fences()
    {
        return fences;
    }

    boolean isDetached(final int replica)
    {
        return NONE == slab.getInt(replica, REPLICA_ROUTE);
    }

    /** Is a replica in a route, and its owner live? */
    boolean isReadable(final int replica)
    {
        return !isDetached(replica) && tenures.isLive(tenure(replica));
    }

    int routeOf(final int replica)
    {
        return slab.getInt(replica, REPLICA_ROUTE);
    }

    int firstReplica(final int route)
    {
        return slab.getInt(route, FIRST_REPLICA);
    }

    int nextReplica(final int replica)
    {
        return slab.getInt(replica, REPLICA_NEXT);
    }

    int tenure(final int replica)
    {
        return slab.getInt(replica, TENURE);
    }

    int checksum(final int replica)
    {
        return slab.getInt(replica, CHECKSUM);
    }

    long slotOffset(final int replica)
    {
        return slab.getLong(replica, SLOT_OFFSET);
    }

    boolean hasBacking(final int replica, final BackingDecoder backing)
    {
        return backing.grantId() == slab.getInt(replica, GRANT_ID) &&
            backing.slotIndex() == slab.getInt(replica, SLOT_INDEX) &&
            backing.slotSize() == slab.getLong(replica, SLOT_SIZE) &&
            backing.useCounter() == slab.getLong(replica, USE_COUNTER);
    }

    int valueLength(final int route)
    {
        return slab.getInt(route, VALUE_LENGTH);
    }

    int putOwnerId(final int route)
    {
        return slab.getInt(route, PUT_OWNER_ID);
    }

    long putGeneration(final int route)
    {
        return slab.getLong(route, PUT_GENERATION);
    }

    long putSequence(final int route)
    {
        return slab.getLong(route, PUT_SEQUENCE);
    }

    boolean hasPutId(final int route, final int ownerId, final long generation, final long sequence)
    {
        return sequence == putSequence(route) && ownerId == putOwnerId(route) && generation == putGeneration(route);
    }

    long groupId(final int route)
    {
        return slab.getLong(route, GROUP_ID);
    }

    int groupLength(final int route)
    {
        return slab.getInt(route, GROUP_LENGTH);
    }

    long cohortId(final int route)
    {
        return slab.getLong(route, COHORT_ID);
    }

    int cohortSize(final int route)
    {
        return slab.getInt(route, COHORT_SIZE);
    }

    long routeCount()
    {
        return index.size();
    }

    /** Replicas in routes, dead ones included as long as they were not taken out. */
    long replicaCount()
    {
        return replicaCount;
    }

    /** Replicas out of their routes that gets still hold. */
    long detachedCount()
    {
        return slab.live(REPLICA_TYPE) - replicaCount;
    }

    /** Sum of the activity of all replicas. */
    long activity()
    {
        return activity;
    }

    /** Bytes of the records. */
    long recordBytes()
    {
        return slab.memoryBytes();
    }

    /** Bytes of the index. */
    long indexBytes()
    {
        return index.memoryBytes();
    }

    /** Next route behind this one, or the first one for NONE; NONE at the end. For inspection. */
    int nextRoute(final int route)
    {
        return slab.nextOf(ROUTE_TYPE, route);
    }

    void backing(final int replica, final BackingEncoder backing)
    {
        backing
            .grantId(slab.getInt(replica, GRANT_ID))
            .slotIndex(slab.getInt(replica, SLOT_INDEX))
            .slotSize(slab.getLong(replica, SLOT_SIZE))
            .useCounter(slab.getLong(replica, USE_COUNTER))
            .slotOffset(slab.getLong(replica, SLOT_OFFSET));
    }

    /** Gets that read from a replica. */
    int readers(final int replica)
    {
        return Math.max(0, slab.getInt(replica, ACTIVITY));
    }

    /** Points a buffer at the key of a route. */
    void wrapKey(final int route, final DirectBuffer view)
    {
        view.wrap(slab.buffer(route), slab.offset(route) + KEY, slab.getInt(route, KEY_LENGTH));
    }

    void beginCount()
    {
        slab.beginCount();
        countedActivity = 0;
        countedFences = 0;
    }

    /**
     * Counts on.
     *
     * @param limit      of records.
     * @param difference gets the records that do not hold together.
     * @return false when all records have been counted.
     */
    boolean count(final int limit, final AuditResult difference)
    {
        for (int i = 0; i < limit; i++)
        {
            final int ref = slab.countNext();
            if (NONE == ref)
            {
                return false;
            }

            if (ROUTE_TYPE == slab.type(ref))
            {
                checkRoute(ref, difference);
            }
            else if (REPLICA_TYPE == slab.type(ref))
            {
                countedActivity += readers(ref);
                countedFences += isFenced(ref) ? 1 : 0;
            }
        }

        return true;
    }

    /** Compares what was counted with the books. */
    void endCount(final AuditResult difference)
    {
        difference.compare(slab.counted(ROUTE_TYPE), index.size());
        difference.compare(slab.counted(REPLICA_TYPE), slab.live(REPLICA_TYPE));
        difference.compare(countedActivity, activity);
        difference.compare(countedFences, fences);
        slab.endCount();
    }

    @Override
    public void close()
    {
        index.close();
        slab.close();
    }

    private boolean hasLiveReplica(final int route)
    {
        for (int replica = firstReplica(route); NONE != replica; replica = nextReplica(replica))
        {
            if (tenures.isLive(tenure(replica)))
            {
                return true;
            }
        }

        return false;
    }

    private void removeAllReplicas(final int route)
    {
        int replica = firstReplica(route);
        while (NONE != replica)
        {
            final int next = nextReplica(replica);
            removeReplica(replica);
            replica = next;
        }
    }

    private void removeRoute(final int route)
    {
        digest.compute(slab.buffer(route), slab.offset(route) + KEY, slab.getInt(route, KEY_LENGTH));
        if (!index.remove(digest.low(), digest.high(), route))
        {
            throw new InvariantViolation("a route was not in the index");
        }
        pardon(route);
        slab.free(route);
    }

    private void unlinkFromRoute(final int route, final int replica)
    {
        final int next = nextReplica(replica);
        int previous = firstReplica(route);
        if (replica == previous)
        {
            slab.putInt(route, FIRST_REPLICA, next);
        }
        else
        {
            while (replica != nextReplica(previous))
            {
                previous = nextReplica(previous);
            }
            slab.putInt(previous, REPLICA_NEXT, next);
        }
        slab.putInt(route, REPLICA_COUNT, slab.getInt(route, REPLICA_COUNT) - 1);
    }

    private void unlinkFromTenure(final int replica)
    {
        final int tenure = tenure(replica);
        final int previous = slab.getInt(replica, TENURE_PREVIOUS);
        final int next = slab.getInt(replica, TENURE_NEXT);
        if (NONE == previous)
        {
            tenures.replicaHead(tenure, next);
        }
        else
        {
            slab.putInt(previous, TENURE_NEXT, next);
        }

        if (NONE != next)
        {
            slab.putInt(next, TENURE_PREVIOUS, previous);
        }
        tenures.replicaCount(tenure, tenures.replicaCount(tenure) - 1);
    }

    private void changeActivity(final int replica, final int change)
    {
        slab.putInt(replica, ACTIVITY, slab.getInt(replica, ACTIVITY) + change);
        activity += change;
        if (slab.isCounted(replica))
        {
            countedActivity += change;
        }
    }

    private void changeFences(final int replica, final int change)
    {
        fences += change;
        if (slab.isCounted(replica))
        {
            countedFences += change;
        }
    }

    private void checkRoute(final int route, final AuditResult difference)
    {
        int replicas = 0;
        for (int replica = firstReplica(route);
            NONE != replica && replicas < MAX_REPLICA_WALK;
            replica = nextReplica(replica))
        {
            replicas++;
            difference.compare(routeOf(replica), route);
        }

        difference.compare(replicas, slab.getInt(route, REPLICA_COUNT));
        digest.compute(slab.buffer(route), slab.offset(route) + KEY, slab.getInt(route, KEY_LENGTH));
        difference.check(index.contains(digest.low(), digest.high(), route));
    }
}
