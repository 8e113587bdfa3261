package io.fluxon.sim.check;

import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.owner.OwnerSettings;
import io.fluxon.sim.cluster.ClusterOptions;

/**
 * What is configured as a bound is one (BOUND-1): sessions, plans, reads and holdings of a session, claims that wait,
 * and keys that the master has not answered; one job may pass the publish limit when nothing else is under way.
 */
@Watches("BOUND-1")
final class Bounds implements Checker
{
    private static final long MOST_OPERATIONS = 65_536;

    private final OwnerSettings settings;
    private final long maxWaitingClaims;

    Bounds(final ClusterOptions options)
    {
        settings = options.ownerSettings.get();
        maxWaitingClaims = options.maxWaitingClaims;
    }

    @Override
    public void full(final OwnerWatch owner)
    {
        final int[] sessions = new int[1];
        owner.view().sessions((session) ->
        {
            sessions[0]++;
            check(owner, "put plans of " + session.sessionId(), session.putPlans(), settings.maxPlansPerSession());
            check(owner, "reads of " + session.sessionId(), session.readPlans(), settings.maxPlansPerSession());
            check(owner, "holdings of " + session.sessionId(), session.holdings(), settings.maxHoldingsPerSession());
        });
        check(owner, "sessions", sessions[0], settings.maxSessions());
        check(owner, "waiting claims", owner.view().waitingClaims(), maxWaitingClaims);
        check(owner, "open operations", owner.owner().get(OwnerCounter.OPERATIONS_OPEN), MOST_OPERATIONS);
        check(owner, "keys without an answer", owner.owner().get(OwnerCounter.PUBLISH_KEYS_UNACKNOWLEDGED),
            Math.max(settings.publishLimit(), settings.maxKeysPerBatch()));
    }

    private static void check(final OwnerWatch owner, final String what, final long value, final long bound)
    {
        if (value > bound)
        {
            throw new Violation("BOUND-1", owner + ": " + value + " " + what + ", allowed are " + bound);
        }
    }
}
