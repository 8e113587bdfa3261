package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.PutIdDecoder;
import io.fluxon.codecs.control.RemovalStep;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongHashSet;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.function.Consumer;

/**
 * The eviction jobs of this owner: selects victims when a hot window overflows (contract HOT-1) or a class is short
 * (contract PRESS-1), keeps the ledger of contract S4, and knows which reads wait for hidden keys (contract GET-4).
 */
final class EvictionService
{
    /** Names no round of a removal. */
    static final long NO_REMOVAL = 0;

    private final OwnerCore core;
    private final UnsafeBuffer keyView = new UnsafeBuffer(0, 0);
    private final EvictionLedger ledger;
    private final EvictionTimes times = new EvictionTimes();
    private final Pool<EvictionJob> pool;
    private final Long2ObjectHashMap<EvictionJob> jobs = new Long2ObjectHashMap<>();
    private final LongHashSet removals = new LongHashSet();
    private final ArrayList<ReadPlan> waitingReads = new ArrayList<>();
    private final CopiedValues copied;
    private final Pressure pressure;

    EvictionService(final OwnerCore core)
    {
        this.core = core;
        ledger = new EvictionLedger(core.counters, core.pool.classCount());
        pool = new Pool<>(() -> new EvictionJob(core));
        copied = new CopiedValues(core);
        pressure = new Pressure(core, this);
    }

    EvictionLedger ledger()
    {
        return ledger;
    }

    /** Values of which others have copies. */
    CopiedValues copied()
    {
        return copied;
    }

    /** How long slots took from selection until they were free. */
    EvictionTimes times()
    {
        return times;
    }

    /** One duty cycle: victims of full windows, then those of classes that are short. */
    int doWork(final long nowNs)
    {
        int work = 0;
        core.windows.noteGrants();
        for (int i = 0; core.windows.isAnyOver() && i < core.pool.classCount(); i++)
        {
            work += relieve(i);
        }

        return work + pressure.doWork(nowNs);
    }

    /** Can further cohorts be selected? While the master is away none is hidden, so none is selected. */
    boolean maySelect()
    {
        return jobs.size() < core.settings.maxEvictionJobs() && core.master.isAvailable();
    }

    /**
     * Selects the value of a class that goes first, and what goes with it: what another owner has got, if there is any.
     *
     * @return slots selected, 0 when the window is empty.
     */
    int select(final int classIndex)
    {
        final int ofCopied = copied.take(classIndex);
        if (SlotTable.NONE != ofCopied)
        {
            core.windows.onSelected(ofCopied);
            final int slots = begin(ofCopied, true, NO_REMOVAL);
            core.counters.add(OwnerCounter.EVICT_COPIED, slots);
            return slots;
        }

        final int victim = core.windows.takeVictim(classIndex);

        return SlotTable.NONE == victim ? 0 : begin(victim, true, NO_REMOVAL);
    }

    /**
     * The master wants to delete a value: it is hidden with its cohort, and the master asked to remove them, in one
     * round. What cannot be hidden now is said at once, and that it is not there: then it may have been deleted.
     */
    void onPrepare(final long removalId, final PutIdDecoder version, final BackingDecoder backing)
    {
        if (removals.contains(removalId))
        {
            return;
        }

        final int slotId = core.values.committed(version, backing);
        if (SlotTable.NONE == slotId)
        {
            core.master.removal(removalId, RemovalStep.FINALIZED);
        }
        else if (isBeingWritten(slotId))
        {
            core.master.removal(removalId, RemovalStep.BEING_WRITTEN);
        }
        else if (0 != core.table.evictionJobId(slotId))
        {
            adopt(jobs.get(core.table.evictionJobId(slotId)), removalId);
        }
        else if (Residence.HOT != core.table.residence(slotId) || !maySelect())
        {
            core.master.removal(removalId, RemovalStep.IN_USE);
        }
        else
        {
            removals.add(removalId);
            core.windows.onSelected(slotId);
            begin(slotId, false, removalId);
        }
    }

    /** A round of a removal is over here. */
    void endRemoval(final long removalId)
    {
        removals.remove(removalId);
    }

    /**
     * Selects a value that has to go, and what goes with it (contract CRC-1), without a copy, which would fail and cost
     * time. Nothing when a job has it already, or when no job can begin now.
     */
    void selectWrong(final int slotId)
    {
        if (maySelect() && core.windows.isSelectable(slotId))
        {
            core.windows.onSelected(slotId);
            begin(slotId, false, NO_REMOVAL);
        }
    }

    /** A committed backing leaves the index, and with that its window, job and cohort. */
    void onLeaving(final int slotId)
    {
        final long jobId = core.table.evictionJobId(slotId);
        switch (core.table.residence(slotId))
        {
            case AWAITING, HOT -> core.windows.onLeft(slotId);
            case SELECTED, HIDDEN ->
            {
                core.table.residence(slotId, Residence.NONE);
                if (0 != jobId)
                {
                    jobs.get(jobId).onMemberLeft(core.table.evictionIndex(slotId));
                    core.table.eviction(slotId, 0, 0);
                }
            }
            case NONE ->
            {
            }
        }
        copied.unmark(slotId);
        core.rings.leave(slotId);
    }

    void free(final EvictionJob job)
    {
        jobs.remove(job.jobId());
        core.counters.closed(OwnerCounter.EVICTION_JOBS, OwnerCounter.EVICTION_JOBS_CLOSED);
        pool.giveBack(job);
    }

    /** A read waits for a key that is hidden. */
    void addWaiting(final ReadPlan read)
    {
        waitingReads.add(read);
    }

    /** Some keys are no longer hidden: reads that wait for any look again. */
    void tellReaders()
    {
        for (int i = 0, size = waitingReads.size(); i < size; i++)
        {
            waitingReads.get(i).onShown();
        }
        waitingReads.clear();
    }

    /** Members of all jobs, counted anew for audits. */
    long members()
    {
        long members = 0;
        for (final EvictionJob job : jobs.values())
        {
            members += job.live();
        }

        return members;
    }

    /** Visits all jobs, for inspection. */
    void forEachJob(final Consumer<EvictionJob> consumer)
    {
        jobs.forEachLong((id, job) -> consumer.accept(job));
    }

    /** What keeps a class from having free slots, for the error of a claim that waited in vain (contract PRESS-2). */
    String describe(final int classIndex)
    {
        final long hot = core.windows.size(classIndex);
        final long inProgress = ledger.inProgress(classIndex);
        final String pinned = 0 == hot && 0 == inProgress ? "; everything is pinned: " : "; ";

        return pinned + "hot window " + hot + " slots of the class, evictions in progress " + inProgress +
            ", of all classes in retry " + ledger.inRetry() + ", awaiting admission " + core.windows.awaiting();
    }

    /** What goes anyway goes now; while the master is asked about it by another question it has to wait. */
    private void adopt(final EvictionJob job, final long removalId)
    {
        if (job.adopt(removalId, core.nowNs()))
        {
            removals.add(removalId);
        }
        else
        {
            core.master.removal(removalId, RemovalStep.IN_USE);
        }
    }

    private boolean isBeingWritten(final int slotId)
    {
        core.table.wrapKey(slotId, keyView);

        return LocalValues.NONE != core.values.findPendingSameKey(slotId) || core.inflightPuts.contains(
            core.table.digestLow(slotId), core.table.digestHigh(slotId), keyView, 0, keyView.capacity());
    }

    private int begin(final int victim, final boolean mayBeCopied, final long removalId)
    {
        final EvictionJob job = pool.take();
        job.open(victim, mayBeCopied, removalId);
        jobs.put(job.jobId(), job);
        core.counters.opened(OwnerCounter.EVICTION_JOBS, OwnerCounter.EVICTION_JOBS_OPENED);
        core.resume(job);

        return job.live();
    }

    private int relieve(final int classIndex)
    {
        final long slotSize = core.pool.slotClass(classIndex).slotSize();
        int selected = 0;
        long overflow = core.windows.overflowBytes(classIndex);
        while (overflow > 0 && core.pool.addGrant(classIndex))
        {
            overflow = core.windows.overflowBytes(classIndex);
        }

        while (overflow > 0 && selected < core.settings.planSliceKeys() && maySelect())
        {
            final int slots = select(classIndex);
            selected += slots;
            overflow -= slots * slotSize;
        }

        return selected;
    }
}
