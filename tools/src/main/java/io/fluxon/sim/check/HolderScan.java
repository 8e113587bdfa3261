package io.fluxon.sim.check;

import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.owner.OwnerView;
import java.util.Arrays;

/**
 * The holders that each slot counts are exactly those that plans, publish jobs, flights, reads, holdings and the
 * committed index have (S2).
 */
@Watches("S2")
final class HolderScan implements Checker, OwnerView.HolderVisitor
{
    private int[] found = new int[0];

    @Override
    public void full(final OwnerWatch owner)
    {
        final SlotTable table = owner.table();
        if (found.length < table.capacity())
        {
            found = new int[table.capacity()];
        }
        Arrays.fill(found, 0);
        owner.view().holders(this);
        for (int slotId = 0; slotId < table.capacity(); slotId++)
        {
            if (table.holderCount(slotId) != found[slotId])
            {
                throw new Violation("S2", owner.describe(slotId) + ": found " + found[slotId] + " holders" +
                    who(owner, slotId));
            }
        }
    }

    @Override
    public void onHolder(final OwnerView.Holder kind, final long id, final int slotId)
    {
        found[slotId]++;
    }

    private static String who(final OwnerWatch owner, final int wanted)
    {
        final StringBuilder text = new StringBuilder();
        owner.view().holders((kind, id, slotId) -> text.append(wanted == slotId ? " " + kind + " " + id : ""));
        return text.toString();
    }
}
