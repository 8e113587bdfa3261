package io.fluxon.sim.run;

import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualOwner;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * How often a run reached each branch that has a counter.
 */
final class Branches
{
    private Branches()
    {
    }

    static Map<String, Long> of(final VirtualCluster cluster)
    {
        final Map<String, Long> map = new LinkedHashMap<>();
        for (final OwnerCounter counter : OwnerCounter.values())
        {
            long sum = 0;
            for (final VirtualOwner owner : cluster.allOwners())
            {
                sum += owner.get(counter);
            }
            map.put("owner_" + counter.name().toLowerCase(Locale.ROOT), sum);
        }
        for (final MasterCounter counter : MasterCounter.values())
        {
            map.put("master_" + counter.name().toLowerCase(Locale.ROOT), cluster.master().get(counter));
        }
        return map;
    }
}
