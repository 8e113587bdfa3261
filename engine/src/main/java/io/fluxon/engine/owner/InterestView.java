package io.fluxon.engine.owner;

import io.fluxon.engine.owner.OwnerView.Holder;
import io.fluxon.engine.owner.OwnerView.ReadState;

/**
 * A read-only picture of who waits for which flights, for inspection, like {@link OwnerView}. Only for the core's own
 * thread.
 */
public final class InterestView
{
    private final OwnerCore core;

    /**
     * A view of an owner.
     *
     * @param agent the owner.
     */
    public InterestView(final OwnerAgent agent)
    {
        core = agent.core();
    }

    /**
     * Hears of each share in a flight.
     */
    public interface InterestVisitor
    {
        /**
         * One share.
         *
         * @param kind       {@link Holder#READ} or {@link Holder#PULL}.
         * @param id         of the read's plan, or of the task that the pull is for.
         * @param hasAsked   may it have asked for the payload already?
         * @param flightId   of the flight.
         */
        void onInterest(Holder kind, long id, boolean hasAsked, long flightId);
    }

    /**
     * Visits the shares that reads and pulls have in flights.
     *
     * @param visitor hears of each.
     */
    public void interests(final InterestVisitor visitor)
    {
        for (int i = 0; i < core.sessions.count(); i++)
        {
            core.sessions.get(i).readPlans.forEachLong((id, plan) -> plan.items().visitInterests(
                id, ReadState.valueOf(plan.state().name()).compareTo(ReadState.PREFIX) >= 0, visitor));
        }
        core.pulls.forEachPull((pull) -> pull.visitInterests(visitor));
    }
}
