package io.fluxon.sim.check;

import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.owner.OwnerView;
import java.util.HashMap;
import java.util.Map;

/**
 * What local readers find: a key leads to a slot with exactly that key (ID-1), a slot that is committed and routed is
 * the only one of its key (T2), only what was committed by its worker is found at all (V1), and neither index has
 * anything else.
 */
@Watches({"ID-1", "T2", "V1", "V3"})
final class IndexEntries implements Checker
{
    private final Map<String, Integer> committed = new HashMap<>();
    private final Map<String, Integer> localVisible = new HashMap<>();

    @Override
    public void full(final OwnerWatch owner)
    {
        committed.clear();
        localVisible.clear();
        for (int slotId = 0; slotId < owner.table().capacity(); slotId++)
        {
            if (SlotState.FREE != owner.table().state(slotId) && owner.table().keyLength(slotId) > 0)
            {
                check(owner, slotId);
            }
        }
        count(owner, "committed", committed.size(), owner.view().committedCount());
        count(owner, "local-visible", localVisible.size(), owner.view().localVisibleCount());
    }

    private void check(final OwnerWatch owner, final int slotId)
    {
        final OwnerView view = owner.view();
        final SlotTable table = owner.table();
        final SlotState state = table.state(slotId);
        final boolean isCommitted = view.isCommitted(slotId);
        final boolean isLocalVisible = view.isLocalVisible(slotId);
        if (isLocalVisible && SlotState.PENDING_LOCAL_VISIBLE != state)
        {
            throw new Violation("V1", owner.describe(slotId) + ": is found by readers");
        }
        if (isCommitted != (SlotState.COMMITTED == state && table.isRouteLive(slotId)))
        {
            throw new Violation("V3", owner.describe(slotId) + (isCommitted ? ": is" : ": is not") +
                " in the committed index");
        }
        if (isCommitted)
        {
            enter(owner, committed, slotId, owner.key(slotId));
        }
        if (isLocalVisible)
        {
            enter(owner, localVisible, slotId, owner.key(slotId));
        }
    }

    private static void enter(
        final OwnerWatch owner, final Map<String, Integer> slots, final int slotId, final String key)
    {
        final Integer other = slots.put(key, slotId);
        if (null != other)
        {
            throw new Violation("T2", owner.describe(slotId) + ": slot " + other + " is found under its key, too");
        }
    }

    private static void count(final OwnerWatch owner, final String index, final long found, final long entries)
    {
        if (found != entries)
        {
            throw new Violation("ID-1", owner + ": " + entries + " entries in the " + index + " index, " + found +
                " slots that belong there");
        }
    }
}
