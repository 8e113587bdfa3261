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
            collect(session.putPlans.keySet().iterator(), putPlans);
            collect(session.readPlans.keySet().iterator(), readPlans);
        }

        int budget = core.settings.planSliceKeys();
        while (budget > 0 && !putPlans.isEmpty())
        {
            final PutPlan plan = session.putPlans.get(pop(putPlans));
            if (null != plan)
            {
                plan.onSessionEnded();
            }
            budget--;
        }

        while (budget > 0 && !readPlans.isEmpty())
        {
            final ReadPlan plan = session.readPlans.get(pop(readPlans));
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
            final int slotId = (int)holdings.getLongValue();
            holdings.remove();
            core.pool.holderRelease(slotId);
            core.counters.closed(OwnerCounter.HOLDINGS, OwnerCounter.HOLDINGS_CLOSED);
            budget--;
        }

        budget -= session.resumeParked(core.jobs, budget);
        core.budget.charge(core.settings.planSliceKeys() - budget);
        final boolean isEmpty = budget > 0 && session.putPlans.isEmpty() && session.readPlans.isEmpty();
        if (isEmpty && core.sessions.unwatch(session))
        {
            core.sessions.onEnded(session);
            return false;
        }

        return budget < core.settings.planSliceKeys() || stalled();
    }

    /** A plan may have ended, and be in use by another session, when its turn comes: only its id is kept. */
    private static void collect(final Long2ObjectHashMap<?>.KeyIterator ids, final LongArrayList collected)
    {
        while (ids.hasNext())
        {
            collected.addLong(ids.nextLong());
        }
    }

    private static long pop(final LongArrayList ids)
    {
        return ids.removeAt(ids.size() - 1);
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        throw new InvariantViolation("session " + session.sessionId + " could not be released: " + cause);
    }
}
