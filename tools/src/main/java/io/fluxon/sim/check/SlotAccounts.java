package io.fluxon.sim.check;

import io.fluxon.engine.memory.CapacityPlan;
import io.fluxon.engine.memory.SlotClass;
import io.fluxon.engine.memory.SlotPool;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.sim.cluster.ClusterOptions;
import java.util.Arrays;

/**
 * No slot is lost and none is made: per grant and class the states add up to its slots, the free lists have exactly the
 * FREE ones (SLOT-1, SLOT-6), and configured capacity is what it was configured to be (S5).
 */
@Watches({"S5", "SLOT-1", "SLOT-6"})
final class SlotAccounts implements Checker
{
    private final ClusterOptions options;
    private long[][] found = new long[0][];

    SlotAccounts(final ClusterOptions options)
    {
        this.options = options;
    }

    @Override
    public void full(final OwnerWatch owner)
    {
        final SlotPool pool = owner.pool();
        found = new long[pool.classCount()][SlotState.COUNT];
        final int[] grantsOfClass = new int[pool.classCount()];
        int assigned = 0;
        for (int grantId = 0; grantId < pool.plan().grantCount(); grantId++)
        {
            final int classIndex = pool.grantClass(grantId);
            if (SlotTable.NONE != classIndex)
            {
                assigned++;
                grantsOfClass[classIndex]++;
                checkGrant(owner, grantId, pool.slotClass(classIndex));
            }
        }
        if (pool.plan().grantCount() != options.grantsPerOwner ||
            assigned + pool.unassignedGrants() != options.grantsPerOwner)
        {
            throw new Violation("S5", owner + ": " + options.grantsPerOwner + " grants are configured, " +
                pool.plan().grantCount() + " are there, " + assigned + " assigned, " + pool.unassignedGrants() +
                " not");
        }
        checkOutside(owner);
        for (int i = 0; i < pool.classCount(); i++)
        {
            checkClass(owner, pool.slotClass(i), grantsOfClass[i]);
        }
    }

    private void checkGrant(final OwnerWatch owner, final int grantId, final SlotClass slotClass)
    {
        final SlotPool pool = owner.pool();
        final SlotTable table = owner.table();
        int used = 0;
        for (int index = 0; index < slotClass.slotsPerGrant(); index++)
        {
            final int slotId = table.slotId(grantId, index);
            final SlotState state = table.state(slotId);
            found[slotClass.index()][state.code()]++;
            used += SlotState.FREE == state ? 0 : 1;
            if (SlotState.FREE != state && (table.slotSize(slotId) != slotClass.slotSize() ||
                slotClass.slotSize() != CapacityPlan.slotSize(Math.max(1, table.valueLength(slotId)))))
            {
                throw new Violation("SLOT-6", owner.describe(slotId) + ": size " + table.slotSize(slotId) +
                    " in a class of " + slotClass.slotSize() + " with a value of " + table.valueLength(slotId));
            }
            final long end = pool.offset(slotId) + slotClass.slotSize();
            if (SlotState.FREE != state &&
                (end > owner.owner().segment().capacity() || index >= pool.grantEnd(grantId)))
            {
                throw new Violation("S5", owner.describe(slotId) + ": lies outside of what its grant has");
            }
        }
        if (used != pool.grantUsed(grantId) || slotClass.slotsPerGrant() - used != pool.countFree(grantId))
        {
            throw new Violation("SLOT-1", owner + " grant " + grantId + ": " + used + " of " +
                slotClass.slotsPerGrant() + " slots are used, counted " + pool.grantUsed(grantId) +
                ", listed as free " + pool.countFree(grantId));
        }
    }

    /** Slots of no class, or behind the last one of their grant, are not used. */
    private static void checkOutside(final OwnerWatch owner)
    {
        final SlotTable table = owner.table();
        for (int slotId = 0; slotId < table.capacity(); slotId++)
        {
            final int classIndex = owner.pool().grantClass(table.grantId(slotId));
            final int slots = SlotTable.NONE == classIndex ? 0 : owner.pool().slotClass(classIndex).slotsPerGrant();
            if (table.slotIndex(slotId) >= slots && SlotState.FREE != table.state(slotId))
            {
                throw new Violation("S5", owner.describe(slotId) + ": is used and no slot of its grant");
            }
        }
    }

    private void checkClass(final OwnerWatch owner, final SlotClass slotClass, final int grants)
    {
        if (slotClass.isActive() && (grants != slotClass.grants() || grants > slotClass.maxGrants()))
        {
            throw new Violation("S5", owner + " class of " + slotClass.slotSize() + ": " + grants +
                " grants of at most " + slotClass.maxGrants() + ", counted " + slotClass.grants());
        }
        boolean isEqual = slotClass.available() >= 0 && slotClass.setAside() >= 0;
        for (int code = 0; code < SlotState.COUNT; code++)
        {
            isEqual &= found[slotClass.index()][code] == slotClass.count(SlotState.get(code));
        }
        if (slotClass.isActive() && !isEqual)
        {
            throw new Violation("SLOT-1", owner + " class of " + slotClass.slotSize() + ": " + grants +
                " grants of at most " + slotClass.maxGrants() + ", counted " + slotClass.grants() + ", set aside " +
                slotClass.setAside() + ", found by state " + Arrays.toString(found[slotClass.index()]) +
                ", free counted " + slotClass.count(SlotState.FREE));
        }
    }
}
