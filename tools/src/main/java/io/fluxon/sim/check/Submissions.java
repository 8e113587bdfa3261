package io.fluxon.sim.check;

import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.owner.OwnerView;
import io.fluxon.engine.owner.OwnerView.ReadState;
import io.fluxon.sim.cluster.VirtualTransfers;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one read asks for goes out in one submission for each peer (G8), whoever leads its flights and however many
 * steps it takes, unless the queue was full in between. A flight is a read's own when no other read that has come as
 * far as its prefix was ever seen to wait for it: else that one may have asked.
 */
@Watches({"G8"})
final class Submissions implements Checker
{
    private final Map<OwnerWatch, Flights> flightsOf = new HashMap<>();

    @Override
    public void onOwner(final OwnerWatch owner)
    {
        flightsOf.put(owner, new Flights(owner));
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        flightsOf.get(owner).look();
    }

    /** Which read, and which peer. */
    private record Pull(long planId, int peerOwnerId, long peerGeneration)
    {
    }

    /** The flights of one owner, and who may have asked for them. */
    private static final class Flights implements OwnerView.InterestVisitor
    {
        private final OwnerWatch owner;
        private final Map<Long, Set<Long>> askersOf = new HashMap<>();
        private final Map<Pull, VirtualTransfers.Offer> lastOf = new HashMap<>();
        private final Set<Long> flights = new HashSet<>();
        private final Set<Long> reads = new HashSet<>();

        private Flights(final OwnerWatch owner)
        {
            this.owner = owner;
        }

        private void look()
        {
            if (0 == owner.owner().get(OwnerCounter.FLIGHTS))
            {
                askersOf.clear();
                lastOf.clear();
                return;
            }
            flights.clear();
            reads.clear();
            owner.view().interests(this);
            askersOf.keySet().retainAll(flights);
            final List<VirtualTransfers.Offer> offers = owner.owner().transfers().offers();
            for (int i = 0; i < offers.size(); i++)
            {
                onOffer(offers.get(i));
            }
            lastOf.keySet().removeIf((pull) -> !reads.contains(pull.planId));
        }

        @Override
        public void onInterest(final long planId, final ReadState state, final long flightId)
        {
            flights.add(flightId);
            reads.add(planId);
            if (state.compareTo(ReadState.PREFIX) >= 0)
            {
                askersOf.computeIfAbsent(flightId, (id) -> new HashSet<>()).add(planId);
            }
        }

        private void onOffer(final VirtualTransfers.Offer offer)
        {
            final Set<Long> askers = askersOf.get(offer.token());
            if (null == askers || askers.size() > 1)
            {
                return;
            }
            final Pull pull = new Pull(askers.iterator().next(), offer.peerOwnerId(), offer.peerGeneration());
            final VirtualTransfers.Offer last = lastOf.put(pull, offer);
            if (null != last && last.submission() != offer.submission() && last.fullCount() == offer.fullCount())
            {
                throw new Violation("G8", owner + ": two submissions of one read to one peer: " + pull + ": " +
                    last + ", " + offer);
            }
        }
    }
}
