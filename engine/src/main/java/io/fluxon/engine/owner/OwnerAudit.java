package io.fluxon.engine.owner;

import io.fluxon.engine.memory.SlotAudit;
import io.fluxon.engine.memory.SlotClass;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.ipc.counters.ControlToggle;

/**
 * Keeps the counters of slots current, and on request counts everything anew: the slot records slice by slice, then the
 * holders of plans, jobs, flights and holdings, which must be those that the records have (contract API-9, S2).
 */
final class OwnerAudit
{
    private static final long REFRESH_NS = 100_000_000L;
    private static final int SCAN_STEPS = 256;
    private static final int HALF = 500;
    private static final int NEARLY_ALL = 990;

    private final OwnerCore core;
    private final OwnerCounters counters;
    private final SlotAudit slots;
    private long nextRefreshNs;

    OwnerAudit(final OwnerCore core)
    {
        this.core = core;
        counters = core.counters;
        slots = new SlotAudit(core.pool);
        nextRefreshNs = core.nowNs();
    }

    void request()
    {
        slots.begin();
    }

    int doWork(final long nowNs)
    {
        int work = 0;
        if (nowNs - nextRefreshNs >= 0)
        {
            nextRefreshNs = nowNs + REFRESH_NS;
            refresh();
            pollToggle();
            work++;
        }

        if (slots.isRunning())
        {
            work++;
            if (slots.scan(SCAN_STEPS))
            {
                finish();
            }
        }

        return work;
    }

    private void pollToggle()
    {
        final ControlToggle toggle = core.context.controlToggle();
        if (null != toggle && ControlToggle.State.AUDIT == toggle.get() && !slots.isRunning())
        {
            slots.begin();
        }
    }

    private void refresh()
    {
        counters.set(OwnerCounter.SLOTS_TOTAL, slotsTotal());
        counters.set(OwnerCounter.SLOTS_FREE, core.pool.count(SlotState.FREE));
        counters.set(OwnerCounter.SLOTS_PREPARED, core.pool.count(SlotState.PREPARED));
        counters.set(
            OwnerCounter.SLOTS_PENDING_LOCAL_VISIBLE, core.pool.count(SlotState.PENDING_LOCAL_VISIBLE));
        counters.set(OwnerCounter.SLOTS_PENDING, core.pool.count(SlotState.PENDING));
        counters.set(OwnerCounter.SLOTS_COMMITTED, core.pool.count(SlotState.COMMITTED));
        counters.set(OwnerCounter.SLOTS_QUARANTINED, core.pool.count(SlotState.QUARANTINED));
        counters.set(OwnerCounter.BYTES_FREE, core.pool.freeBytes());
        counters.set(OwnerCounter.BYTES_USED, core.pool.usedBytes());
        counters.set(OwnerCounter.CLAIMS_WAITING, core.claims.waiting());
        counters.set(OwnerCounter.HOT_VALUES, core.windows.hot());
        counters.set(OwnerCounter.HIDDEN_VALUES, core.values.hidden());
        counters.set(OwnerCounter.EVICT_FREE_P50_NS, core.evictions.times().percentileNs(HALF));
        counters.set(OwnerCounter.EVICT_FREE_P99_NS, core.evictions.times().percentileNs(NEARLY_ALL));
        refreshClasses();
    }

    private void refreshClasses()
    {
        for (int i = 0, count = Math.min(core.pool.classCount(), ClassCounter.MAX_CLASSES); i < count; i++)
        {
            final SlotClass slotClass = core.pool.slotClass(i);
            counters.set(i, ClassCounter.SLOT_BYTES, slotClass.slotSize());
            counters.set(i, ClassCounter.TOTAL, slotClass.slots());
            counters.set(i, ClassCounter.FREE, slotClass.count(SlotState.FREE));
            counters.set(i, ClassCounter.USED, slotClass.used());
            counters.set(i, ClassCounter.PREPARED, slotClass.count(SlotState.PREPARED));
            counters.set(i, ClassCounter.PENDING,
                slotClass.count(SlotState.PENDING) + slotClass.count(SlotState.PENDING_LOCAL_VISIBLE));
            counters.set(i, ClassCounter.HOT, core.windows.size(i));
            counters.set(i, ClassCounter.DEBT, core.evictions.ledger().inProgress(i));
            counters.set(i, ClassCounter.WAITED_FOR, slotClass.waitingSlots());
        }
    }

    private long slotsTotal()
    {
        long total = 0;
        for (int i = 0; i < core.pool.classCount(); i++)
        {
            total += core.pool.slotClass(i).slots();
        }

        return total;
    }

    private void finish()
    {
        refresh();
        final long found = foundHolders();
        final long held = core.pool.holders();
        long mismatches = slots.mismatches();
        mismatches += core.values.committedCount() <= core.pool.count(SlotState.COMMITTED) ? 0 : 1;
        mismatches += found == held ? 0 : 1;
        mismatches += isEvictionBalanced() ? 0 : 1;
        counters.set(OwnerCounter.AUDIT_HOLDERS_HELD, held);
        counters.set(OwnerCounter.AUDIT_HOLDERS_FOUND, found);
        counters.set(OwnerCounter.AUDIT_MISMATCHES, mismatches);
        counters.increment(OwnerCounter.AUDITS);
        final ControlToggle toggle = core.context.controlToggle();
        if (null != toggle)
        {
            toggle.reset();
        }
    }

    /**
     * Is each committed value in its window, on its way into it or in one eviction job, and are the books of contract
     * S4 right?
     */
    private boolean isEvictionBalanced()
    {
        final EvictionLedger ledger = core.evictions.ledger();
        final long members = core.evictions.members();
        final long committed = core.windows.hot() + core.windows.awaiting() + members;

        return ledger.isBalanced() && ledger.inProgress() + ledger.inRetry() == members &&
            core.windows.isBalanced() && core.values.committedCount() == committed &&
            core.values.hidden() <= members;
    }

    /** Residents, put plans, publish jobs, flights, rechecks, replica jobs and pulls, reads and holdings. */
    private long foundHolders()
    {
        long found = core.values.committedCount() + core.publishes.slotsHeld() + core.flights.slotsHeld() +
            core.rechecks.slotsHeld() + core.replicas.slotsHeld() + core.pulls.slotsHeld();
        for (int i = 0; i < core.sessions.count(); i++)
        {
            final WorkerSession session = core.sessions.get(i);
            found += session.holdings.size();
            for (final PutPlan plan : session.putPlans.values())
            {
                found += plan.slotsHeld();
            }
            for (final ReadPlan plan : session.readPlans.values())
            {
                found += plan.slotsHeld();
            }
        }

        return found;
    }
}
