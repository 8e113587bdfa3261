package io.fluxon.sim.check;

import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.owner.OwnerView;
import io.fluxon.engine.owner.OwnerView.FlightPhase;
import io.fluxon.sim.cluster.ClusterOptions;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * One leader per key and owner (G1, G3): of the flights of a key at most one is not being revoked, and exactly that one
 * is found by readers. A flight goes through its phases in their order (G7), and one that is being revoked has nobody
 * who waits for it. None starts for ever (GET-5).
 */
@Watches({"G3", "G1", "G7", "GET-5"})
final class FlightPhases implements Checker
{
    private static final long SLACK_NS = 1_000_000_000;

    /** Own running time that one gap between duty cycles counts for, at most. */
    private static final long LONGEST_CYCLE_NS = 20_000_000;

    private final Map<OwnerWatch, Flights> flightsOf = new HashMap<>();
    private final long startingBoundNs;

    FlightPhases(final ClusterOptions options)
    {
        startingBoundNs = 2 * options.ownerSettings.get().getTimeoutNs() + SLACK_NS;
    }

    @Override
    public void onOwner(final OwnerWatch owner)
    {
        flightsOf.put(owner, new Flights(owner, startingBoundNs));
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        flightsOf.get(owner).look();
    }

    /** Phases in which a flight brings a key here. */
    static boolean isRunning(final FlightPhase phase)
    {
        return FlightPhase.STARTING == phase || FlightPhase.STARTED == phase || FlightPhase.FINISHING == phase;
    }

    private static boolean isAllowed(final FlightPhase before, final FlightPhase after)
    {
        return before == after || switch (before)
        {
            case STARTING -> FlightPhase.FREE != after;
            case STARTED -> FlightPhase.STARTING != after && FlightPhase.FREE != after;
            case FINISHING -> FlightPhase.READY == after || FlightPhase.FAILED == after;
            case REVOKING -> FlightPhase.FAILED == after;
            default -> false;
        };
    }

    /** The flights of one owner. */
    private static final class Flights implements OwnerView.FlightVisitor
    {
        private final Map<Long, Seen> seen = new HashMap<>();
        private final Map<String, OwnerView.FlightPicture> running = new HashMap<>();
        private final OwnerWatch owner;
        private final long startingBoundNs;
        private long runningNs;
        private long lastNs;
        private long look;

        private Flights(final OwnerWatch owner, final long startingBoundNs)
        {
            this.owner = owner;
            this.startingBoundNs = startingBoundNs;
            lastNs = owner.view().nowNs();
        }

        private void look()
        {
            look++;
            runningNs += Math.min(LONGEST_CYCLE_NS, owner.view().nowNs() - lastNs);
            lastNs = owner.view().nowNs();
            running.clear();
            owner.view().flights(this);
            if (!seen.isEmpty())
            {
                final Iterator<Seen> flights = seen.values().iterator();
                while (flights.hasNext())
                {
                    if (flights.next().look != look)
                    {
                        flights.remove();
                    }
                }
            }
        }

        @Override
        public void onFlight(final OwnerView.FlightPicture flight)
        {
            final Seen known = seen.computeIfAbsent(flight.flightId(), (id) -> new Seen(flight.phase(), runningNs));
            if (!isAllowed(known.phase, flight.phase()))
            {
                throw new Violation("G7", owner + " " + flight + ": was " + known.phase);
            }
            if (FlightPhase.STARTING == flight.phase() && runningNs - known.sinceNs > startingBoundNs)
            {
                throw new Violation("GET-5", owner + " " + flight + ": starts for " +
                    (runningNs - known.sinceNs) + " ns");
            }
            known.phase = flight.phase();
            known.look = look;
            if (isRunning(flight.phase()) != flight.isJoinable())
            {
                throw new Violation(isRunning(flight.phase()) ? "G3" : "G7", owner + " " + flight +
                    ": readers find it only while it brings its key here");
            }
            if (isRunning(flight.phase()))
            {
                final OwnerView.FlightPicture other = running.put(flight.key(), flight);
                if (null != other)
                {
                    throw new Violation("G3", owner + ": two flights of one key: " + other + ", " + flight);
                }
            }
            else if (FlightPhase.REVOKING == flight.phase() && flight.interests() > 0)
            {
                throw new Violation("G7", owner + " " + flight + ": is waited for while it is being revoked");
            }
            if (flight.isInMotion() && SlotTable.NONE == flight.slotId())
            {
                throw new Violation("G7", owner + " " + flight + ": moves without a target");
            }
        }
    }

    /** What a flight was at the last look. */
    private static final class Seen
    {
        private final long sinceNs;
        private FlightPhase phase;
        private long look;

        private Seen(final FlightPhase phase, final long sinceNs)
        {
            this.phase = phase;
            this.sinceNs = sinceNs;
        }
    }
}
