package io.fluxon.engine.owner;

import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.collections.Long2LongHashMap;

/**
 * Which committed values of this owner go together (contract EVICT-1): those that one put has committed here as one
 * atomic group, fetched ones that stand for some of them, and the groups of other ranks of their TP cohort form a ring
 * through the slot records; so do those that one copy of a group has brought here. A value leaves its ring with its
 * route.
 */
final class CohortRings
{
    private static final int NONE = SlotTable.NONE;

    private static final int INITIAL_CAPACITY = 64;
    private static final long ABSENT = -1;
    private static final float LOAD_FACTOR = 0.6f;

    private final SlotTable table;
    private final int maxLength;
    private final Long2LongHashMap memberByDigest = new Long2LongHashMap(INITIAL_CAPACITY, LOAD_FACTOR, ABSENT);
    private final Long2LongHashMap publishing = new Long2LongHashMap(INITIAL_CAPACITY, LOAD_FACTOR, 0);

    private long joins;

    /**
     * Rings of the values of a table.
     *
     * @param table     of the slots.
     * @param maxLength values of a ring that is made of two: no more go into the message of an eviction.
     */
    CohortRings(final SlotTable table, final int maxLength)
    {
        this.table = table;
        this.maxLength = maxLength;
    }

    /**
     * The first value of a group has been committed: it joins the groups of other ranks that are here, unless these are
     * already as many as the cohort has ranks, so that its name is another cohort's too.
     *
     * @param slotId      of the value; one that goes with others already does not go with the cohort.
     * @param digest      of the cohort.
     * @param groupLength keys of the group.
     * @param ranks       of the cohort.
     */
    void joinRanks(final int slotId, final long digest, final int groupLength, final int ranks)
    {
        final long entry = memberByDigest.get(digest);
        if (!isAlone(slotId))
        {
            return;
        }

        if (ABSENT == entry)
        {
            table.cohortDigest(slotId, digest);
            memberByDigest.put(digest, entry(1, slotId));
        }
        else if (size(entry) <= (long)groupLength * (ranks - 1))
        {
            table.cohortDigest(slotId, digest);
            memberByDigest.put(digest, entry(size(entry) + 1, (int)entry));
            join((int)entry, slotId);
        }
    }

    /**
     * A further value of a group joins one that is here. It may have been here before the group, fetched or copied:
     * then it stands for the one that was put, and what goes with it already goes with the group (contract EVICT-1).
     *
     * @param siblingId of the group.
     * @param slotId    that joins.
     */
    void joinGroup(final int siblingId, final int slotId)
    {
        joins += Residence.AWAITING == table.residence(slotId) && 0 == table.evictionJobId(siblingId) ? 0 : 1;
        if (!isAlone(slotId))
        {
            if (!isInRing(siblingId, slotId) && length(siblingId) + length(slotId) <= maxLength)
            {
                join(siblingId, slotId);
            }
            return;
        }

        final long digest = table.cohortDigest(siblingId);
        if (TpCohort.NONE != digest)
        {
            final long entry = memberByDigest.get(digest);
            table.cohortDigest(slotId, digest);
            memberByDigest.put(digest, entry(size(entry) + 1, (int)entry));
        }
        join(siblingId, slotId);
    }

    /** Rises when a ring gets a value that may have been selected without the others, or they without it. */
    long joins()
    {
        return joins;
    }

    /** A group of a cohort is being published, or its publish has ended. */
    void publishing(final long digest, final int delta)
    {
        final long count = publishing.get(digest) + delta;
        if (0 == count)
        {
            publishing.remove(digest);
        }
        else
        {
            publishing.put(digest, count);
        }
    }

    /** Is a group of the value's TP cohort being published, so that its eviction waits (contract EVICT-1)? */
    boolean isPublishing(final int slotId)
    {
        final long digest = table.cohortDigest(slotId);

        return TpCohort.NONE != digest && publishing.get(digest) > 0;
    }

    /** Next of a ring; the slot itself when it is alone. */
    int next(final int slotId)
    {
        final int next = table.cohortNext(slotId);

        return NONE == next ? slotId : next;
    }

    /** Makes one ring of two, which are not the same: the second one's begins behind the slot of the first. */
    void join(final int slotId, final int otherId)
    {
        final int behind = next(slotId);
        final int last = previous(otherId);
        connect(slotId, otherId);
        connect(last, behind);
    }

    /** Takes a slot out of its ring. */
    void leave(final int slotId)
    {
        final int next = table.cohortNext(slotId);
        final long digest = table.cohortDigest(slotId);
        if (TpCohort.NONE != digest)
        {
            leaveCohort(slotId, digest, next);
        }
        if (NONE == next)
        {
            return;
        }

        final int previous = table.cohortPrevious(slotId);
        table.cohortLinks(slotId, NONE, NONE);
        if (next == previous)
        {
            table.cohortLinks(next, NONE, NONE);
        }
        else
        {
            connect(previous, next);
        }
    }

    private void leaveCohort(final int slotId, final long digest, final int next)
    {
        final long entry = memberByDigest.get(digest);
        if (1 == size(entry))
        {
            memberByDigest.remove(digest);
        }
        else
        {
            memberByDigest.put(digest, entry(size(entry) - 1, slotId == (int)entry ? next : (int)entry));
        }
        table.cohortDigest(slotId, TpCohort.NONE);
    }

    /** Members of a cohort that are here, and one of them. */
    private static long entry(final int size, final int slotId)
    {
        return (long)size << Integer.SIZE | slotId;
    }

    private static int size(final long entry)
    {
        return (int)(entry >>> Integer.SIZE);
    }

    private boolean isAlone(final int slotId)
    {
        return NONE == table.cohortNext(slotId) && TpCohort.NONE == table.cohortDigest(slotId);
    }

    private boolean isInRing(final int slotId, final int memberId)
    {
        int member = next(memberId);
        while (slotId != member && memberId != member)
        {
            member = next(member);
        }

        return slotId == member;
    }

    private int length(final int slotId)
    {
        int length = 1;
        for (int member = next(slotId); slotId != member; member = next(member))
        {
            length++;
        }

        return length;
    }

    private int previous(final int slotId)
    {
        final int previous = table.cohortPrevious(slotId);

        return NONE == previous ? slotId : previous;
    }

    private void connect(final int slotId, final int nextId)
    {
        table.cohortLinks(slotId, table.cohortPrevious(slotId), nextId);
        table.cohortLinks(nextId, slotId, table.cohortNext(nextId));
    }
}
