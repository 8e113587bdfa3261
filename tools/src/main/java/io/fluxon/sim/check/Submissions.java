package io.fluxon.sim.check;

import io.fluxon.engine.owner.InterestView;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.owner.OwnerView.Holder;
import io.fluxon.sim.cluster.VirtualTransfers;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one read asks for goes out in one submission for each peer (G8), whoever leads its flights and however many
 * steps it takes, unless the queue was full in between; likewise what a copy of a group needs. A flight is of one asker
 * when no other that may have asked for its payload was ever seen to wait for it.
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

    /** Who has asked. */
    private record Asker(Holder kind, long id)
    {
    }

    /** Who has asked, and which peer. */
    private record Pull(Asker asker, int peerOwnerId, long peerGeneration)
    {
    }

    /** The flights of one owner, and who may have asked for them. */
    private static final class Flights implements InterestView.InterestVisitor
    {
        private final OwnerWatch owner;
        private final Map<Long, Set<Asker>> askersOf = new HashMap<>();
        private final Map<Pull, VirtualTransfers.Offer> lastOf = new HashMap<>();
        private final Set<Long> flights = new HashSet<>();
        private final Set<Asker> present = new HashSet<>();

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
            present.clear();
            owner.interestView().interests(this);
            askersOf.keySet().retainAll(flights);
            final List<VirtualTransfers.Offer> offers = owner.owner().transfers().offers();
            for (int i = 0; i < offers.size(); i++)
            {
                onOffer(offers.get(i));
            }
            lastOf.keySet().removeIf((pull) -> !present.contains(pull.asker));
        }

        @Override
        public void onInterest(final Holder kind, final long id, final boolean hasAsked, final long flightId)
        {
            final Asker asker = new Asker(kind, id);
            flights.add(flightId);
            present.add(asker);
            if (hasAsked)
            {
                askersOf.computeIfAbsent(flightId, (flight) -> new HashSet<>()).add(asker);
            }
        }

        private void onOffer(final VirtualTransfers.Offer offer)
        {
            final Set<Asker> askers = askersOf.get(offer.token());
            if (null == askers || askers.size() > 1)
            {
                return;
            }
            final Pull pull = new Pull(askers.iterator().next(), offer.peerOwnerId(), offer.peerGeneration());
            final VirtualTransfers.Offer last = lastOf.put(pull, offer);
            if (null != last && last.submission() != offer.submission() && last.fullCount() == offer.fullCount())
            {
                throw new Violation("G8", owner + ": two submissions of one asker to one peer: " + pull + ": " +
                    last + ", " + offer);
            }
        }
    }
}
