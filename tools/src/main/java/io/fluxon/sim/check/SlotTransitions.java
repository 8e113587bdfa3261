package io.fluxon.sim.check;

import io.fluxon.engine.memory.SlotState;

/**
 * A slot goes from state to state only as SLOT-2 allows, and each reuse raises its use counter (S2): what a duty cycle
 * has made of a slot must be reachable from what it was.
 */
@Watches({"SLOT-2", "S2"})
final class SlotTransitions implements Checker
{
    private static final int[] IN_ONE_USE = inOneUse();

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        for (int i = 0; i < owner.changedCount(); i++)
        {
            final int slotId = owner.changed(i);
            check(owner, slotId, owner.stateBefore(slotId), owner.useBefore(slotId));
        }
    }

    private static void check(
        final OwnerWatch owner, final int slotId, final SlotState before, final long useBefore)
    {
        final SlotState state = owner.table().state(slotId);
        final long use = owner.table().useCounter(slotId);
        if (use < useBefore)
        {
            throw new Violation("S2", owner.describe(slotId) + ": its use counter was " + useBefore);
        }
        if (use == useBefore && SlotState.FREE == before)
        {
            throw new Violation("S2", owner.describe(slotId) + ": is used again without a new use counter");
        }
        if (use == useBefore && 0 == (IN_ONE_USE[before.code()] & 1 << state.code()))
        {
            throw new Violation("SLOT-2", owner.describe(slotId) + ": was " + before);
        }
    }

    /** For each state those that the same use of a slot can have later. */
    private static int[] inOneUse()
    {
        final int[] reachable = new int[SlotState.COUNT];
        for (int code = 0; code < SlotState.COUNT; code++)
        {
            reachable[code] = 1 << code;
        }
        for (int round = 0; round < SlotState.COUNT; round++)
        {
            for (int code = SlotState.FREE.code() + 1; code < SlotState.COUNT; code++)
            {
                for (int next = 0; next < SlotState.COUNT; next++)
                {
                    reachable[code] |= SlotState.get(code).canBecome(SlotState.get(next)) ? reachable[next] : 0;
                }
            }
        }
        return reachable;
    }
}
