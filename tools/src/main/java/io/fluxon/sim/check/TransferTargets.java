package io.fluxon.sim.check;

import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.sim.cluster.VirtualTransfers;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Nothing else comes to lie where a transfer still writes (SLOT-7): from its offer to its end the target is the same
 * use of the same slot, and nobody can read it.
 */
@Watches("SLOT-7")
final class TransferTargets implements Checker
{
    /** Of each transfer, not of what it looks like: two owners can have equal ones. */
    private final Map<VirtualTransfers.Target, Use> uses = new IdentityHashMap<>();

    /** Use of a slot. */
    private record Use(OwnerWatch owner, int slotId, long use)
    {
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        final List<VirtualTransfers.Target> targets = owner.owner().transfers().targets();
        for (int i = 0; i < targets.size(); i++)
        {
            check(owner, targets.get(i));
        }
    }

    @Override
    public void full()
    {
        final Iterator<Map.Entry<VirtualTransfers.Target, Use>> entries = uses.entrySet().iterator();
        while (entries.hasNext())
        {
            final Map.Entry<VirtualTransfers.Target, Use> entry = entries.next();
            if (!entry.getValue().owner.owner().transfers().targets().contains(entry.getKey()))
            {
                entries.remove();
            }
        }
    }

    private void check(final OwnerWatch owner, final VirtualTransfers.Target target)
    {
        final SlotTable table = owner.table();
        final int slotId = owner.slotAt(target.offset());
        if (SlotTable.NONE == slotId || target.length() > table.slotSize(slotId))
        {
            throw new Violation("SLOT-7", owner + ": a transfer writes to no slot: " + target);
        }
        final Use use = uses.computeIfAbsent(target, (key) -> new Use(owner, slotId, table.useCounter(slotId)));
        final SlotState state = table.state(slotId);
        if (use.slotId != slotId || use.use != table.useCounter(slotId) ||
            SlotState.PENDING != state && SlotState.QUARANTINED != state)
        {
            throw new Violation("SLOT-7", owner.describe(slotId) + ": is the target of a transfer that began in use " +
                use.use + ": " + target);
        }
    }
}
