package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.CopiedElsewhereDecoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;

/**
 * Committed values of this owner that another one has got from it, so that they are what a victim costs least
 * (contract REPL-3): a cohort of which each member is marked goes before what the hot window would choose, the one
 * whose last member was marked first before the others. A mark goes with the value, when the last gpu owner has evicted
 * its copy, with a demotion that finds the value here, and with all others when an owner is lost, since the copies may
 * have been there.
 * <p>
 * Bound (contract BOUND-1): a bit for each slot, and {@value #MAX_QUEUED} values of each class that are in turn; what
 * is more is not marked.
 */
final class CopiedValues
{
    /** Most values of a class that wait to be chosen. */
    static final int MAX_QUEUED = 1 << 14;

    private static final int MAX_LOOKS = 16;

    private final OwnerCore core;
    private final SlotTable table;
    private final long[] marks;
    private final Turn[] turns;
    private long marked;

    CopiedValues(final OwnerCore core)
    {
        this.core = core;
        table = core.table;
        marks = new long[(table.capacity() + Long.SIZE - 1) / Long.SIZE];
        turns = new Turn[core.pool.classCount()];
        for (int i = 0; i < turns.length; i++)
        {
            turns[i] = new Turn();
        }
    }

    /** Slots of one class, the first that was marked at the head. */
    private static final class Turn
    {
        private int[] slots;
        private int head;
        private int tail;

        private boolean isFull()
        {
            return MAX_QUEUED == tail - head;
        }

        private void add(final int slotId)
        {
            if (null == slots)
            {
                slots = new int[MAX_QUEUED];
            }
            slots[tail++ & MAX_QUEUED - 1] = slotId;
        }

        private int poll()
        {
            return slots[head++ & MAX_QUEUED - 1];
        }
    }

    /** Values that are marked. */
    long marked()
    {
        return marked;
    }

    /** Others have values that are here, or have them no more. */
    void onCopied(final CopiedElsewhereDecoder message)
    {
        int count = 0;
        for (final CopiedElsewhereDecoder.ValuesDecoder value : message.values())
        {
            final int slotId = find(value.backing());
            if (SlotTable.NONE != slotId && 0 == message.isElsewhere())
            {
                unmark(slotId);
            }
            else if (SlotTable.NONE != slotId && !isMarked(slotId))
            {
                mark(slotId);
            }
            count++;
        }
        core.budget.charge(count);
    }

    /**
     * Takes the cohort that goes first out of the turn. What is in turn no longer is passed over: each mark is so
     * once. A cohort of which a member is in a job has its turn again behind the others, should it be shown again.
     *
     * @param classIndex of the values.
     * @return a member, which is in its window, {@link SlotTable#NONE} when there is none.
     */
    int take(final int classIndex)
    {
        final Turn turn = turns[classIndex];
        int looks = 0;
        while (looks < MAX_LOOKS && turn.head != turn.tail)
        {
            final int slotId = turn.poll();
            if (isMarked(slotId) && classIndex == core.pool.classIndex(slotId) && isWholeCohort(slotId))
            {
                if (isSelectable(slotId))
                {
                    return slotId;
                }
                turn.add(slotId);
                looks++;
            }
            else
            {
                looks += isMarked(slotId) ? 1 : 0;
            }
        }

        return SlotTable.NONE;
    }

    /** The value is wanted here, or gone. */
    void unmark(final int slotId)
    {
        if (isMarked(slotId))
        {
            marks[slotId >>> 6] &= ~(1L << slotId);
            marked--;
        }
    }

    /** An owner is lost: what was copied may have been so to it. */
    void clear()
    {
        for (int i = 0; marked > 0 && i < marks.length; i++)
        {
            marked -= Long.bitCount(marks[i]);
            marks[i] = 0;
        }
        for (int i = 0; i < turns.length; i++)
        {
            turns[i].head = turns[i].tail;
        }
    }

    private void mark(final int slotId)
    {
        final Turn turn = turns[core.pool.classIndex(slotId)];
        if (!turn.isFull())
        {
            marks[slotId >>> 6] |= 1L << slotId;
            marked++;
            turn.add(slotId);
        }
    }

    private boolean isMarked(final int slotId)
    {
        return 0 != (marks[slotId >>> 6] & 1L << slotId);
    }

    /** What joins a cohort later is in turn again when its last one is marked. */
    private boolean isWholeCohort(final int slotId)
    {
        int member = slotId;
        do
        {
            core.budget.charge(1);
            if (!isMarked(member))
            {
                return false;
            }
            member = core.rings.next(member);
        }
        while (slotId != member);

        return true;
    }

    private boolean isSelectable(final int slotId)
    {
        int member = slotId;
        do
        {
            core.budget.charge(1);
            if (!core.windows.isSelectable(member))
            {
                return false;
            }
            member = core.rings.next(member);
        }
        while (slotId != member);

        return true;
    }

    private int find(final BackingDecoder backing)
    {
        final int slotId = table.slotId(backing.grantId(), backing.slotIndex());
        final boolean isSlot = slotId >= 0 && slotId < table.capacity() &&
            table.grantId(slotId) == backing.grantId() && table.slotIndex(slotId) == backing.slotIndex();

        return isSlot && SlotState.COMMITTED == table.state(slotId) &&
            table.useCounter(slotId) == backing.useCounter() ? slotId : SlotTable.NONE;
    }
}
