package io.fluxon.sim.check;

import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.owner.OwnerView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A read whose result its worker has holds nothing beyond the transferable prefix (G5), and everything of it: each key
 * of the prefix is held, or is on its way (G2, G4).
 */
@Watches({"G5", "G2", "G4"})
final class ReadPrefixes implements Checker
{
    private final Map<OwnerWatch, Reads> readsOf = new HashMap<>();

    @Override
    public void onOwner(final OwnerWatch owner)
    {
        readsOf.put(owner, new Reads(owner));
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        readsOf.get(owner).look();
    }

    /** The reads of one owner. */
    private static final class Reads implements OwnerView.ReadVisitor
    {
        private final OwnerWatch owner;
        private Set<Long> started = new HashSet<>();
        private Set<Long> startedBefore = new HashSet<>();
        private long failed;
        private boolean hasFailed;

        private Reads(final OwnerWatch owner)
        {
            this.owner = owner;
        }

        private void look()
        {
            final Set<Long> before = startedBefore;
            startedBefore = started;
            started = before;
            started.clear();
            final long failedNow = owner.owner().get(OwnerCounter.FLIGHTS_FAILED);
            hasFailed = failedNow != failed;
            failed = failedNow;
            owner.view().reads(this);
        }

        @Override
        public void onRead(final OwnerView.ReadPicture read)
        {
            if (OwnerView.ReadState.STARTED != read.state())
            {
                return;
            }
            started.add(read.planId());
            if (read.tail() > 0)
            {
                throw new Violation("G5", owner + " " + read + ": holds " + read.tail() + " keys beyond its prefix");
            }
            if (!startedBefore.contains(read.planId()) && !hasFailed && read.misses() > 0)
            {
                throw new Violation("G4", owner + " " + read + ": lacks " + read.misses() + " keys of its prefix");
            }
        }
    }
}
