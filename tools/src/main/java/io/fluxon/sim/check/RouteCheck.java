package io.fluxon.sim.check;

import io.fluxon.engine.master.MasterView;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualOwner;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The master's routes are exactly the committed slots of the owners: put id, length, checksum and backing identity
 * (contract V3, LIFE-4).
 */
public final class RouteCheck
{
    private RouteCheck()
    {
    }

    /**
     * Checks a cluster in which nothing is outstanding.
     *
     * @param cluster to check.
     * @return number of committed slots.
     * @throws Violation of V3 when routes and slots differ.
     */
    public static long check(final VirtualCluster cluster)
    {
        final MasterView routes = new MasterView(cluster.master().agent());
        long committed = 0;
        for (final VirtualOwner owner : cluster.owners())
        {
            final SlotTable table = owner.table();
            for (int slotId = 0; slotId < table.capacity(); slotId++)
            {
                if (table.slotIndex(slotId) < owner.pool().grantEnd(table.grantId(slotId)) &&
                    SlotState.COMMITTED == table.state(slotId))
                {
                    committed++;
                    check(routes, owner, slotId);
                }
            }
        }
        Violation.unless(routes.replicas() == committed, "V3",
            "%d replicas in routes, %d slots committed", routes.replicas(), committed);
        return committed;
    }

    private static void check(final MasterView routes, final VirtualOwner owner, final int slotId)
    {
        final SlotTable table = owner.table();
        final String difference =
            routes.difference(owner.ownerId(), table, slotId, owner.pool().offset(slotId));
        Violation.unless(table.isRouteLive(slotId) && null == difference, "V3", "owner %d slot %d key %s: %s",
            owner.ownerId(), slotId, name(table, slotId), difference);
    }

    private static String name(final SlotTable table, final int slotId)
    {
        final UnsafeBuffer key = new UnsafeBuffer(0, 0);
        table.wrapKey(slotId, key);
        return key.getStringWithoutLengthAscii(0, key.capacity());
    }
}
