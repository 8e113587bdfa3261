package io.fluxon.engine.harness;

import io.fluxon.engine.master.RouteView;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.concurrent.UnsafeBuffer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The master's routes are exactly the committed slots of the owners: put id, length, checksum and backing identity
 * (contract V3, LIFE-4).
 */
final class RouteCheck
{
    private RouteCheck()
    {
    }

    /** Checks a cluster in which nothing is outstanding; returns the number of committed slots. */
    static long check(final VirtualCluster cluster)
    {
        final RouteView routes = new RouteView(cluster.master().agent());
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
                    assertThat(table.isRouteLive(slotId)).isTrue();
                    assertThat(routes.difference(owner.ownerId(), table, slotId, owner.pool().offset(slotId)))
                        .as("owner %s slot %s key %s", owner.ownerId(), slotId, name(table, slotId)).isNull();
                }
            }
        }
        assertThat(routes.replicas()).as("replicas = committed slots").isEqualTo(committed);
        return committed;
    }

    private static String name(final SlotTable table, final int slotId)
    {
        final UnsafeBuffer key = new UnsafeBuffer(0, 0);
        table.wrapKey(slotId, key);
        return key.getStringWithoutLengthAscii(0, key.capacity());
    }
}
