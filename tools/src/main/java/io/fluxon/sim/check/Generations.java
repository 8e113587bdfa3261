package io.fluxon.sim.check;

import io.fluxon.sim.cluster.VirtualOwner;
import java.util.HashMap;
import java.util.Map;

/**
 * A master that has known a generation of an owner takes no older one for that owner (API-8).
 */
@Watches("API-8")
final class Generations implements Checker
{
    private final Map<Integer, Long> newest = new HashMap<>();
    private final Checks checks;
    private long epoch;

    Generations(final Checks checks)
    {
        this.checks = checks;
    }

    @Override
    public void afterMaster()
    {
        if (checks.cluster().master().isDead())
        {
            return;
        }
        if (epoch != checks.cluster().master().epoch())
        {
            epoch = checks.cluster().master().epoch();
            newest.clear();
        }
        for (final VirtualOwner owner : checks.cluster().owners())
        {
            final int ownerId = owner.ownerId();
            final long generation = checks.master().generation(ownerId);
            final long before = newest.getOrDefault(ownerId, 0L);
            if (generation > before)
            {
                newest.put(ownerId, generation);
            }
            else if (0 != generation && generation < before)
            {
                throw new Violation("API-8", "master: owner " + ownerId + " is of generation " + generation +
                    ", it was of " + before);
            }
        }
    }
}
