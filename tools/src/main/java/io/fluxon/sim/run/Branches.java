package io.fluxon.sim.run;

import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualOwner;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How often a run reached each branch that has a counter. Counters that say what there is now are no branches.
 */
final class Branches
{
    private static final EnumSet<OwnerCounter> NOW_AT_OWNERS = EnumSet.of(
        OwnerCounter.SLOTS_TOTAL,
        OwnerCounter.SLOTS_FREE,
        OwnerCounter.SLOTS_PREPARED,
        OwnerCounter.SLOTS_PENDING_LOCAL_VISIBLE,
        OwnerCounter.SLOTS_PENDING,
        OwnerCounter.SLOTS_COMMITTED,
        OwnerCounter.SLOTS_QUARANTINED,
        OwnerCounter.BYTES_FREE,
        OwnerCounter.BYTES_USED,
        OwnerCounter.CLAIMS_WAITING,
        OwnerCounter.SESSIONS,
        OwnerCounter.SESSIONS_HUNG,
        OwnerCounter.PUT_PLANS,
        OwnerCounter.READ_PLANS,
        OwnerCounter.HANDLES,
        OwnerCounter.HOLDINGS,
        OwnerCounter.FLIGHTS,
        OwnerCounter.RESERVATIONS,
        OwnerCounter.PUBLISH_JOBS,
        OwnerCounter.PUBLISH_KEYS_UNACKNOWLEDGED,
        OwnerCounter.OPERATIONS_OPEN,
        OwnerCounter.EVICTION_JOBS,
        OwnerCounter.EVICT_IN_PROGRESS,
        OwnerCounter.EVICT_IN_RETRY,
        OwnerCounter.HOT_VALUES,
        OwnerCounter.HIDDEN_VALUES,
        OwnerCounter.MASTER_AVAILABLE,
        OwnerCounter.PEERS);
    private static final EnumSet<MasterCounter> NOW_AT_MASTER = EnumSet.of(
        MasterCounter.OWNERS_LIVE,
        MasterCounter.TENURES_DRAINING,
        MasterCounter.ROUTES,
        MasterCounter.REPLICAS,
        MasterCounter.REPLICAS_DETACHED,
        MasterCounter.RESERVATIONS,
        MasterCounter.GETS_IN_FLIGHT,
        MasterCounter.FENCES,
        MasterCounter.REMOVALS,
        MasterCounter.PUT_IDS_DELETED,
        MasterCounter.OUTCOMES,
        MasterCounter.OUTCOME_BYTES,
        MasterCounter.OPERATIONS_QUEUED,
        MasterCounter.OPERATION_BYTES);

    private Branches()
    {
    }

    static Map<String, Long> of(final VirtualCluster cluster)
    {
        final Map<String, Long> map = new LinkedHashMap<>();
        for (final OwnerCounter counter : EnumSet.complementOf(NOW_AT_OWNERS))
        {
            long sum = 0;
            for (final VirtualOwner owner : cluster.allOwners())
            {
                sum += owner.get(counter);
            }
            map.put("owner_" + counter.name().toLowerCase(Locale.ROOT), sum);
        }
        for (final MasterCounter counter : EnumSet.complementOf(NOW_AT_MASTER))
        {
            map.put("master_" + counter.name().toLowerCase(Locale.ROOT), cluster.master().total(counter));
        }
        return map;
    }
}
