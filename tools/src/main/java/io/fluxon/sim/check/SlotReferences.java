package io.fluxon.sim.check;

import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;

/**
 * A slot is FREE exactly when no holder and no live route refers to it (S2), and only what the master has confirmed has
 * a live route.
 */
@Watches({"S2", "V3"})
final class SlotReferences implements Checker
{
    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        for (int i = 0; i < owner.changedCount(); i++)
        {
            check(owner, owner.changed(i));
        }
    }

    @Override
    public void full(final OwnerWatch owner)
    {
        for (int slotId = 0; slotId < owner.table().capacity(); slotId++)
        {
            check(owner, slotId);
        }
    }

    private static void check(final OwnerWatch owner, final int slotId)
    {
        final SlotTable table = owner.table();
        final SlotState state = table.state(slotId);
        final int holders = table.holderCount(slotId);
        final boolean isRouteLive = table.isRouteLive(slotId);
        if (holders < 0 || (SlotState.FREE == state) == (holders > 0 || isRouteLive))
        {
            throw new Violation("S2", owner.describe(slotId) + ": its references do not fit its state");
        }
        if (isRouteLive && SlotState.COMMITTED != state)
        {
            throw new Violation("V3", owner.describe(slotId) + ": has a route and is not committed");
        }
    }
}
