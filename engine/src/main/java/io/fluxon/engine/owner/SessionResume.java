package io.fluxon.engine.owner;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.engine.memory.InvariantViolation;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongArrayList;
import org.agrona.collections.LongHashSet;

/**
 * Lets a worker that came back go on (contract API-10), slice by slice: plans that it names are taken out of
 * quarantine; plans, handles and holdings that it does not name are released, each exactly once. What a request brought
 * whose answer the worker waits for counts as named, since that is sent again. Nothing of the session is executed
 * meanwhile. When the process is proven gone first, the end of the session takes over.
 */
final class SessionResume extends Job
{
    private static final int UNKNOWN = -1;

    private final OwnerCore core;
    private final WorkerSession session;
    private final LongHashSet plans = new LongHashSet();
    private final IdRuns holdings = new IdRuns();
    private final LongHashSet requests = new LongHashSet();
    private final LongArrayList putPlans = new LongArrayList();
    private final LongArrayList readPlans = new LongArrayList();
    private final LongArrayList restored = new LongArrayList();
    private final LongArrayList unnamed = new LongArrayList();
    private Long2LongHashMap.EntryIterator scan;
    private long holdingIdLimit;
    private long seenChanges = UNKNOWN;
    private boolean isBegun;
    private boolean isScanned;

    SessionResume(final OwnerCore core, final WorkerSession session, final ConnectRequestDecoder request)
    {
        this.core = core;
        this.session = session;
        for (final ConnectRequestDecoder.PlansDecoder plan : request.plans())
        {
            plans.add(plan.planId());
        }
        for (final ConnectRequestDecoder.HoldingsDecoder run : request.holdings())
        {
            holdings.add(run.firstHoldingId(), run.holdingCount());
        }
        for (final ConnectRequestDecoder.RequestsDecoder open : request.requests())
        {
            requests.add(open.requestId());
        }
    }

    /** {@inheritDoc} */
    @Override
    boolean step(final long nowNs)
    {
        if (WorkerSession.State.RESUMING != session.state || this != session.resume)
        {
            return false;
        }

        if (!isBegun)
        {
            begin();
        }

        int budget = sortPutPlans(core.settings.planSliceKeys());
        budget = sortReadPlans(budget);
        if (budget > 0 && !isScanned)
        {
            budget = findUnnamed(budget);
        }
        budget = releaseUnnamed(budget);
        core.budget.charge(core.settings.planSliceKeys() - budget);
        if (budget > 0 && isScanned && areRestored())
        {
            core.sessions.onResumed(session);
            return false;
        }

        return budget < core.settings.planSliceKeys() || stalled();
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        throw new InvariantViolation("session " + session.sessionId + " could not be resumed: " + cause);
    }

    private void begin()
    {
        isBegun = true;
        collect(session.putPlans.keySet().iterator(), putPlans);
        collect(session.readPlans.keySet().iterator(), readPlans);
        // what is handed out from here on is the answer to a request that the worker waits for
        holdingIdLimit = core.holdingIdLimit();
        final LongHashSet.LongIterator open = requests.iterator();
        while (open.hasNext())
        {
            final RequestLog.Entry entry = session.requests.entryOf(open.nextValue());
            if (null != entry && entry.holdingCount > 0)
            {
                holdings.add(entry.firstHoldingId, entry.holdingCount);
            }
        }
    }

    private int sortPutPlans(final int budget)
    {
        int left = budget;
        while (left > 0 && !putPlans.isEmpty())
        {
            final long planId = pop(putPlans);
            final PutPlan plan = session.putPlans.get(planId);
            if (null != plan)
            {
                if (plans.contains(planId) || requests.contains(plan.requestId()))
                {
                    plan.onSessionResumed();
                    restored.addLong(planId);
                }
                else
                {
                    plan.onSessionResumedWithout();
                }
            }
            left--;
        }

        return left;
    }

    private int sortReadPlans(final int budget)
    {
        int left = budget;
        while (left > 0 && !readPlans.isEmpty())
        {
            final ReadPlan plan = session.readPlans.get(pop(readPlans));
            if (null != plan && !plan.isNamed(plans, requests))
            {
                plan.onSessionResumedWithout();
            }
            left--;
        }

        return left;
    }

    /** Goes over the holdings, from the beginning again when they have changed meanwhile. */
    private int findUnnamed(final int budget)
    {
        if (seenChanges != session.holdingChanges)
        {
            seenChanges = session.holdingChanges;
            scan = session.holdings.entrySet().iterator();
            unnamed.clear();
        }

        int left = budget;
        while (left > 0 && scan.hasNext())
        {
            scan.next();
            final long holdingId = scan.getLongKey();
            if (holdingId < holdingIdLimit && !holdings.contains(holdingId))
            {
                unnamed.addLong(holdingId);
            }
            left--;
        }
        isScanned = !scan.hasNext();

        return left;
    }

    private int releaseUnnamed(final int budget)
    {
        int left = budget;
        while (left > 0 && isScanned && !unnamed.isEmpty())
        {
            final int slotId = session.removeHolding(pop(unnamed));
            if (SlotTable.NONE != slotId)
            {
                core.pool.holderRelease(slotId);
                core.counters.closed(OwnerCounter.HOLDINGS, OwnerCounter.HOLDINGS_CLOSED);
            }
            left--;
        }

        return left;
    }

    private boolean areRestored()
    {
        while (!restored.isEmpty())
        {
            final PutPlan plan = session.putPlans.get(restored.getLong(restored.size() - 1));
            if (null != plan && PutPlan.State.RESTORING == plan.state())
            {
                return false;
            }
            pop(restored);
        }

        return true;
    }

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
}
