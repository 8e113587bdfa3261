package io.fluxon.sim.check;

import io.fluxon.engine.memory.Claim;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.owner.OwnerView;
import io.fluxon.engine.owner.ReplicaView;
import io.fluxon.sim.cluster.ClusterOptions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Claims of a class are served in the order of their arrival, and a get waits for slots no longer than the soft limit
 * (SLOT-4): no claim has its slots while an older one of its class waits, and no flight takes one past a waiting claim.
 */
@Watches("SLOT-4")
final class ClaimOrder implements Checker
{
    private final Map<OwnerWatch, Claims> claimsOf = new HashMap<>();
    private final ClusterOptions options;

    ClaimOrder(final ClusterOptions options)
    {
        this.options = options;
    }

    @Override
    public void onOwner(final OwnerWatch owner)
    {
        claimsOf.put(owner, new Claims(owner, options));
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        claimsOf.get(owner).look();
    }

    /** The claims of one owner. */
    private static final class Claims implements
        OwnerView.PutVisitor, OwnerView.ReadVisitor, OwnerView.FlightVisitor, ReplicaView.PullVisitor
    {
        private final OwnerWatch owner;
        private final long[] oldestWaiting;
        private final long[] newestGranted;
        private final long[] oldestWaitingBefore;
        private Set<Long> withSlot = new HashSet<>();
        private Set<Long> withSlotBefore = new HashSet<>();
        private final long softLimitNs;
        private final Map<Long, Long> getWaitsSinceNs = new HashMap<>();
        private final Map<Long, Long> getWaitsBefore = new HashMap<>();
        private final Map<Long, Long> claimOfFlight = new HashMap<>();
        private long cycleNs;
        private long lastNs;

        private Claims(final OwnerWatch owner, final ClusterOptions options)
        {
            this.owner = owner;
            oldestWaiting = new long[owner.pool().classCount()];
            newestGranted = new long[oldestWaiting.length];
            oldestWaitingBefore = new long[oldestWaiting.length];
            Arrays.fill(oldestWaiting, Long.MAX_VALUE);
            softLimitNs = Math.max(options.reserveSoftTimeoutNs, options.ownerSettings.get().claimSoftTimeoutNs());
            lastNs = owner.view().nowNs();
        }

        private void look()
        {
            cycleNs = owner.view().nowNs() - lastNs;
            lastNs = owner.view().nowNs();
            System.arraycopy(oldestWaiting, 0, oldestWaitingBefore, 0, oldestWaiting.length);
            Arrays.fill(oldestWaiting, Long.MAX_VALUE);
            Arrays.fill(newestGranted, -1);
            getWaitsBefore.clear();
            getWaitsBefore.putAll(getWaitsSinceNs);
            getWaitsSinceNs.clear();
            owner.view().puts(this);
            owner.view().reads(this);
            claimOfFlight.clear();
            owner.replicaView().pulls(this);
            final Set<Long> before = withSlotBefore;
            withSlotBefore = withSlot;
            withSlot = before;
            withSlot.clear();
            owner.view().flights(this);
            for (int i = 0; i < oldestWaiting.length; i++)
            {
                if (newestGranted[i] > oldestWaiting[i])
                {
                    throw new Violation("SLOT-4", owner + ": claim " + newestGranted[i] + " of class " + i +
                        " has its slots while claim " + oldestWaiting[i] + " waits");
                }
            }
        }

        @Override
        public void onPut(final OwnerView.PutPicture put)
        {
            final OwnerView.ClaimPicture claim = put.claim();
            if (Claim.State.WAITING == claim.state())
            {
                oldestWaiting[claim.classIndex()] = Math.min(oldestWaiting[claim.classIndex()], claim.sequence());
            }
            else if (OwnerView.PutState.FILLING == put.state() || OwnerView.PutState.STARTED == put.state())
            {
                newestGranted[claim.classIndex()] = Math.max(newestGranted[claim.classIndex()], claim.sequence());
            }
        }

        @Override
        public void onRead(final OwnerView.ReadPicture read)
        {
            final OwnerView.ClaimPicture claim = read.claim();
            if (Claim.State.WAITING != claim.state())
            {
                return;
            }
            oldestWaiting[claim.classIndex()] = Math.min(oldestWaiting[claim.classIndex()], claim.sequence());
            final long nowNs = owner.view().nowNs();
            final long sinceNs = getWaitsBefore.getOrDefault(read.planId(), nowNs);
            getWaitsSinceNs.put(read.planId(), sinceNs);
            if (nowNs - sinceNs > softLimitNs + cycleNs)
            {
                throw new Violation("SLOT-4", owner + " " + read + ": waits for slots since " + sinceNs + ", for " +
                    (nowNs - sinceNs) + " ns");
            }
        }

        /** The slots of all flights of a pull are claimed together, in the order of all claims. */
        @Override
        public void onPull(final ReplicaView.PullPicture pull)
        {
            final OwnerView.ClaimPicture claim = pull.claim();
            if (Claim.State.WAITING == claim.state())
            {
                oldestWaiting[claim.classIndex()] = Math.min(oldestWaiting[claim.classIndex()], claim.sequence());
            }
            for (final long flightId : pull.flights())
            {
                claimOfFlight.put(flightId, claim.sequence());
            }
        }

        @Override
        public void onFlight(final OwnerView.FlightPicture flight)
        {
            if (SlotTable.NONE == flight.slotId() || OwnerView.FlightPhase.STARTED != flight.phase())
            {
                return;
            }
            withSlot.add(flight.flightId());
            final int classIndex = owner.pool().classIndex(flight.slotId());
            final long oldest = oldestWaiting[classIndex];
            final long claim = claimOfFlight.getOrDefault(flight.flightId(), Long.MAX_VALUE);
            if (Long.MAX_VALUE != oldest && oldest == oldestWaitingBefore[classIndex] && claim > oldest &&
                !withSlotBefore.contains(flight.flightId()))
            {
                throw new Violation("SLOT-4", owner + " " + flight + ": got its slot while claim " + oldest + " waits");
            }
        }
    }
}
