package io.fluxon.sim.check;

import io.fluxon.engine.memory.SlotClass;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.VirtualWorker;

/**
 * When all is quiet no slot is set aside, no claim waits, and no client has anything that it did not give back
 * (LIFE-1).
 */
@Watches("LIFE-1")
final class Leftovers implements Checker
{
    private final Checks checks;

    Leftovers(final Checks checks)
    {
        this.checks = checks;
    }

    @Override
    public void atQuiet()
    {
        for (final VirtualOwner owner : checks.cluster().owners())
        {
            for (int i = 0; i < owner.pool().classCount(); i++)
            {
                final SlotClass slotClass = owner.pool().slotClass(i);
                if (0 != slotClass.setAside() || 0 != slotClass.waitingClaims())
                {
                    throw new Violation("LIFE-1", owner + " class of " + slotClass.slotSize() + ": set aside " +
                        slotClass.setAside() + ", claims waiting " + slotClass.waitingClaims());
                }
            }
        }
        for (final VirtualWorker worker : checks.cluster().workers())
        {
            if (!worker.isDead() && (worker.client().planBlobs() > 0 || worker.client().unsentReleases() > 0 ||
                worker.client().liveOperations() > 0))
            {
                throw new Violation("LIFE-1", worker + ": plans " + worker.client().planBlobs() +
                    ", releases unsent " + worker.client().unsentReleases() + ", operations " +
                    worker.client().liveOperations());
            }
        }
    }
}
