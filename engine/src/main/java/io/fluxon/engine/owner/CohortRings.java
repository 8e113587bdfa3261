package io.fluxon.engine.owner;

import io.fluxon.engine.memory.SlotTable;

/**
 * Which committed values of this owner go together (contract EVICT-1): those that one put has committed here as one
 * atomic group form a ring through the slot records. A value leaves its ring with its route; what is in a ring is there.
 */
final class CohortRings
{
    private static final int NONE = SlotTable.NONE;

    private final SlotTable table;

    CohortRings(final SlotTable table)
    {
        this.table = table;
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
