package io.fluxon.sim.check;

import io.fluxon.engine.memory.SlotPool;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.owner.InterestView;
import io.fluxon.engine.owner.OwnerView;
import io.fluxon.engine.owner.ReplicaView;
import io.fluxon.sim.cluster.VirtualOwner;
import org.agrona.collections.LongHashSet;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One generation of an owner as checkers see it: its core, and what its slots were before the duty cycle that it has
 * just done.
 */
public final class OwnerWatch
{
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final VirtualOwner owner;
    private final OwnerView view;
    private final ReplicaView replicaView;
    private final InterestView interestView;
    private final SlotTable table;
    private final SlotPool pool;
    private final SlotState[] states;
    private final SlotState[] statesBefore;
    private final long[] uses;
    private final long[] usesBefore;
    private final LongHashSet committed = new LongHashSet();
    private final int[] changed;
    private int changedCount;
    private long cycles;

    OwnerWatch(final VirtualOwner owner)
    {
        this.owner = owner;
        view = new OwnerView(owner.agent());
        replicaView = new ReplicaView(owner.agent());
        interestView = new InterestView(owner.agent());
        table = owner.table();
        pool = owner.pool();
        final int capacity = table.capacity();
        states = new SlotState[capacity];
        statesBefore = new SlotState[capacity];
        uses = new long[capacity];
        usesBefore = new long[capacity];
        changed = new int[capacity];
        for (int slotId = 0; slotId < capacity; slotId++)
        {
            states[slotId] = table.state(slotId);
            uses[slotId] = table.useCounter(slotId);
        }
    }

    /** Looks at all slots once more; what differs from the last look are the changed ones. */
    void look()
    {
        cycles++;
        changedCount = 0;
        for (int slotId = 0; slotId < states.length; slotId++)
        {
            final SlotState state = table.state(slotId);
            final long use = table.useCounter(slotId);
            if (state != states[slotId] || use != uses[slotId])
            {
                statesBefore[slotId] = states[slotId];
                usesBefore[slotId] = uses[slotId];
                states[slotId] = state;
                uses[slotId] = use;
                if (SlotState.COMMITTED == state)
                {
                    committed.add(useOf(slotId, use));
                }
                changed[changedCount++] = slotId;
            }
        }
    }

    /**
     * The owner.
     *
     * @return one generation of it.
     */
    public VirtualOwner owner()
    {
        return owner;
    }

    /**
     * Its core.
     *
     * @return a view of it.
     */
    public OwnerView view()
    {
        return view;
    }

    /**
     * The copies that it has made and makes.
     *
     * @return a view of them.
     */
    public ReplicaView replicaView()
    {
        return replicaView;
    }

    /**
     * Who waits for which flights.
     *
     * @return the owner's shares in flights.
     */
    public InterestView interestView()
    {
        return interestView;
    }

    /**
     * Its slots.
     *
     * @return the table.
     */
    public SlotTable table()
    {
        return table;
    }

    /**
     * Its slots by state.
     *
     * @return the pool.
     */
    public SlotPool pool()
    {
        return pool;
    }

    /**
     * Duty cycles that were seen.
     *
     * @return their number.
     */
    public long cycles()
    {
        return cycles;
    }

    /**
     * Slots whose state or use the last duty cycle has changed.
     *
     * @return their number.
     */
    public int changedCount()
    {
        return changedCount;
    }

    /**
     * A slot that the last duty cycle has changed.
     *
     * @param index from 0 to {@link #changedCount()} - 1.
     * @return slot id.
     */
    public int changed(final int index)
    {
        return changed[index];
    }

    /**
     * State of a changed slot before the last duty cycle.
     *
     * @param slotId of the slot.
     * @return its state.
     */
    public SlotState stateBefore(final int slotId)
    {
        return statesBefore[slotId];
    }

    /**
     * Use counter of a changed slot before the last duty cycle.
     *
     * @param slotId of the slot.
     * @return its use counter.
     */
    public long useBefore(final int slotId)
    {
        return usesBefore[slotId];
    }

    /**
     * Was this use of a slot ever seen committed?
     *
     * @param slotId of the slot.
     * @param use    of the slot.
     * @return true when it was.
     */
    public boolean wasCommitted(final int slotId, final long use)
    {
        return committed.contains(useOf(slotId, use));
    }

    private static long useOf(final int slotId, final long use)
    {
        return use << Integer.SIZE | slotId;
    }

    /**
     * Slot that contains an offset.
     *
     * @param offset in the segment.
     * @return slot id, or {@link SlotTable#NONE} when no slot begins there now.
     */
    public int slotAt(final long offset)
    {
        final long quantum = pool.plan().grantQuantumBytes();
        final long inGrants = offset - (owner.segment().capacity() - quantum * pool.plan().grantCount());
        final int grantId = (int)(inGrants / quantum);
        if (inGrants < 0 || grantId >= pool.plan().grantCount() || SlotTable.NONE == pool.grantClass(grantId))
        {
            return SlotTable.NONE;
        }
        final long slotSize = pool.slotClass(pool.grantClass(grantId)).slotSize();
        final long inGrant = inGrants % quantum;
        return 0 == inGrant % slotSize ? table.slotId(grantId, (int)(inGrant / slotSize)) : SlotTable.NONE;
    }

    /**
     * Key of a slot.
     *
     * @param slotId of the slot.
     * @return its key as text, empty when it has none.
     */
    public String key(final int slotId)
    {
        table.wrapKey(slotId, key);
        return key.getStringWithoutLengthAscii(0, key.capacity());
    }

    /**
     * What there is to say of a slot.
     *
     * @param slotId of the slot.
     * @return text for a violation.
     */
    public String describe(final int slotId)
    {
        return owner.name() + " slot " + slotId + " " + table.state(slotId) + " use " + table.useCounter(slotId) +
            " holders " + table.holderCount(slotId) + " route " + table.isRouteLive(slotId) + " key '" + key(slotId) +
            "'";
    }

    @Override
    public String toString()
    {
        return owner.name();
    }
}
