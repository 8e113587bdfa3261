package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;

import java.util.Arrays;

/**
 * Looks at the own bytes of a value that another owner got wrong (contract CRC-1): exactly that use of the slot, by the
 * checksum agent, held meanwhile. Right bytes stay: they were torn on their way. Wrong ones are counted and told to the
 * operator, and their cohort is evicted.
 * <p>
 * Bound (contract BOUND-1): {@value #MAX_OPEN} at once, and as many wrong ones that are still here; what finds no room
 * is skipped, since the next reader that gets wrong bytes asks again.
 */
final class Rechecks
{
    /** Most values that are looked at at once. */
    static final int MAX_OPEN = 64;

    private final OwnerCore core;
    private final int[] slots = new int[MAX_OPEN];
    private final int[] expected = new int[MAX_OPEN];
    private final int[] wrongSlots = new int[MAX_OPEN];
    private final long[] wrongUses = new long[MAX_OPEN];
    private int open;
    private int wrong;

    Rechecks(final OwnerCore core)
    {
        this.core = core;
        Arrays.fill(slots, SlotTable.NONE);
    }

    /** Holders of all that are looked at, for audits. */
    int slotsHeld()
    {
        return open;
    }

    /** Visits the slots that are held, for inspection. */
    void holders(final OwnerView.HolderVisitor visitor)
    {
        for (int i = 0; i < MAX_OPEN && open > 0; i++)
        {
            if (SlotTable.NONE != slots[i])
            {
                visitor.onHolder(OwnerView.Holder.RECHECK, i, slots[i]);
            }
        }
    }

    /**
     * A reader got other bytes than were published.
     *
     * @param backing  whose bytes they were to be.
     * @param checksum that the master has of it.
     */
    void onRequest(final BackingDecoder backing, final long checksum)
    {
        final int slotId = find(backing);
        final int index = SlotTable.NONE == slotId || isOpen(slotId) ? SlotTable.NONE : indexOf(SlotTable.NONE);
        if (SlotTable.NONE == index || !core.context.checksumQueue().offer(
            (long)index << OwnerCore.CHECKSUM_KIND_BITS | OwnerCore.CHECKSUM_OF_RECHECK,
            core.pool.offset(slotId),
            core.table.valueLength(slotId)))
        {
            core.counters.increment(OwnerCounter.RECHECKS_SKIPPED);
            return;
        }

        core.pool.holderAdd(slotId);
        slots[index] = slotId;
        expected[index] = (int)checksum;
        open++;
    }

    /**
     * Has the cohorts of wrong values evicted, again and again until they are gone: the master may be away, eviction
     * jobs at their bound, or a cohort in use for so long that it went back to its window.
     */
    void doWork()
    {
        for (int i = wrong - 1; i >= 0; i--)
        {
            final int slotId = wrongSlots[i];
            if (SlotState.COMMITTED == core.table.state(slotId) && wrongUses[i] == core.table.useCounter(slotId))
            {
                core.evictions.selectWrong(slotId);
            }
            else
            {
                wrong--;
                wrongSlots[i] = wrongSlots[wrong];
                wrongUses[i] = wrongUses[wrong];
            }
        }
    }

    /** The checksum of what is here is known. */
    void onChecksum(final int index, final long checksum)
    {
        final int slotId = slots[index];
        if ((int)checksum == expected[index])
        {
            core.counters.increment(OwnerCounter.RECHECKS_RIGHT);
        }
        else
        {
            onWrong(slotId, checksum, expected[index]);
        }
        slots[index] = SlotTable.NONE;
        open--;
        core.pool.holderRelease(slotId);
    }

    /** The bytes here are not those that were published: nobody can have them any more, so its cohort goes. */
    private void onWrong(final int slotId, final long checksum, final int published)
    {
        final SlotTable table = core.table;
        core.counters.increment(OwnerCounter.RECHECKS_WRONG);
        core.context.errorHandler().onError(new WrongValueException("the value in slot " + table.slotIndex(slotId) +
            " of grant " + table.grantId(slotId) + " at use " + table.useCounter(slotId) + " has changed: checksum " +
            Integer.toHexString((int)checksum) + ", published " + Integer.toHexString(published)));
        remember(slotId);
    }

    private void remember(final int slotId)
    {
        for (int i = 0; i < wrong; i++)
        {
            if (slotId == wrongSlots[i])
            {
                wrongUses[i] = core.table.useCounter(slotId);
                return;
            }
        }

        if (wrong < MAX_OPEN)
        {
            wrongSlots[wrong] = slotId;
            wrongUses[wrong++] = core.table.useCounter(slotId);
        }
    }

    /** The slot, while it is in exactly that use and readable, and not about to be evicted; or NONE. */
    private int find(final BackingDecoder backing)
    {
        final int slotId = core.values.committed(backing);

        return SlotTable.NONE != slotId && Residence.HIDDEN != core.table.residence(slotId) ? slotId : SlotTable.NONE;
    }

    private boolean isOpen(final int slotId)
    {
        return open > 0 && SlotTable.NONE != indexOf(slotId);
    }

    private int indexOf(final int slotId)
    {
        for (int i = 0; i < MAX_OPEN; i++)
        {
            if (slotId == slots[i])
            {
                return i;
            }
        }

        return SlotTable.NONE;
    }
}
