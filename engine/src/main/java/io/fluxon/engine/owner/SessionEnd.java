package io.fluxon.engine.owner;

import io.fluxon.engine.memory.InvariantViolation;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongArrayList;

/**
 * Releases what an ended session had: plans, handles, holdings, each exactly once (contract API-9), slice by slice. The
 * plans release what they hold in steps of their own; the session has ended when the last of them has.
 */
final class SessionEnd extends Job
{
    private final OwnerCore core;
    private final WorkerSession session;
    private final LongArrayList putPlans = new LongArrayList();
    private final LongArrayList readPlans = new LongArrayList();
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
            copyIds(session.putPlans, putPlans);
            copyIds(session.readPlans, readPlans);
        }

        int budget = core.settings.planSliceKeys();
        while (budget > 0 && !putPlans.isEmpty())
        {
            final PutPlan plan = session.putPlans.get(putPlans.removeLast());
            if (null != plan)
            {
                plan.onSessionEnded();
            }
            budget--;
        }

        while (budget > 0 && !readPlans.isEmpty())
        {
            final ReadPlan plan = session.readPlans.get(readPlans.removeLast());
            if (null != plan)
            {
                plan.onSessionEnded();
            }
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

    /** Ids, since a plan may be over, and in use by another session, when its turn comes. */
    private static void copyIds(final Long2ObjectHashMap<?> plans, final LongArrayList ids)
    {
        final Long2ObjectHashMap<?>.KeyIterator keys = plans.keySet().iterator();
        while (keys.hasNext())
        {
            ids.addLong(keys.nextLong());
        }
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        throw new InvariantViolation("session " + session.sessionId + " could not be released: " + cause);
    }
}
