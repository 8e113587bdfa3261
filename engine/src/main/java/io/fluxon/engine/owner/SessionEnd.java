package io.fluxon.engine.owner;

import io.fluxon.engine.memory.InvariantViolation;
import org.agrona.collections.Long2LongHashMap;

import java.util.ArrayList;

/**
 * Releases what an ended session had: plans, handles, holdings, each exactly once (contract API-9), slice by slice. The
 * plans release what they hold in steps of their own; the session has ended when the last of them has.
 */
final class SessionEnd extends Job
{
    private final OwnerCore core;
    private final WorkerSession session;
    private final ArrayList<PutPlan> putPlans = new ArrayList<>();
    private final ArrayList<ReadPlan> readPlans = new ArrayList<>();
    private Long2LongHashMap.EntryIterator holdings;
    private boolean isBegun;

    SessionEnd(final OwnerCore core, final WorkerSession session)
    {
        this.core = core;
        this.session = session;
    }

    /** {@inheritDoc} */
    @Override
    boolean step(final long nowNs)
    {
        if (!isBegun)
        {
            isBegun = true;
            putPlans.addAll(session.putPlans.values());
            readPlans.addAll(session.readPlans.values());
        }

        int budget = core.settings.planSliceKeys();
        while (budget > 0 && !putPlans.isEmpty())
        {
            putPlans.removeLast().onSessionEnded();
            budget--;
        }

        while (budget > 0 && !readPlans.isEmpty())
        {
            readPlans.removeLast().onSessionEnded();
            budget--;
        }

        if (null == holdings && putPlans.isEmpty() && readPlans.isEmpty())
        {
            holdings = session.holdings.entrySet().iterator();
        }

        while (budget > 0 && holdings.hasNext())
        {
            holdings.next();
            core.pool.holderRelease((int)holdings.getLongValue());
            core.counters.closed(OwnerCounter.HOLDINGS, OwnerCounter.HOLDINGS_CLOSED);
            budget--;
        }

        if (budget > 0 && session.putPlans.isEmpty() && session.readPlans.isEmpty())
        {
            session.holdings.clear();
            core.sessions.onEnded(session);
            return false;
        }

        return true;
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        throw new InvariantViolation("session " + session.sessionId + " could not be released: " + cause);
    }
}
