package io.fluxon.engine.owner;

import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongHashSet;

import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * The groups of this owner of which a copy is to be made elsewhere (contract REPL-1): a bounded queue, a bounded number
 * under way, one at a time of each key.
 */
final class ReplicaService
{
    private static final int MIN_IDS = 4096;
    private static final int LOOKS_PER_CYCLE = 16;

    private final OwnerCore core;
    private final Pool<ReplicaJob> pool;
    private final ArrayDeque<ReplicaJob> queue = new ArrayDeque<>();
    private final ArrayDeque<ReplicaJob> underWay = new ArrayDeque<>();
    private final Long2ObjectHashMap<ReplicaJob> byOperation = new Long2ObjectHashMap<>();
    private final LongHashSet keys = new LongHashSet();

    ReplicaService(final OwnerCore core)
    {
        this.core = core;
        pool = new Pool<>(() -> new ReplicaJob(core));
    }

    /**
     * A group has been committed whose put wishes a copy; without one of its values here there is nothing to copy.
     *
     * @param slots of committed values, {@link SlotTable#NONE} for one that is not here.
     * @param from  first of the group.
     * @param to    behind the last one.
     */
    void wish(final int[] slots, final int from, final int to)
    {
        core.counters.add(OwnerCounter.REPLICA_PAGES_WISHED, to - from);
        for (int i = from; i < to; i++)
        {
            if (SlotTable.NONE == slots[i] || Residence.NONE == core.table.residence(slots[i]))
            {
                core.counters.add(OwnerCounter.REPLICA_PAGES_OBSOLETE, to - from);
                return;
            }
        }

        if (queue.size() >= core.settings.maxReplicaQueue())
        {
            core.counters.add(OwnerCounter.REPLICA_PAGES_DROPPED, to - from);
            return;
        }

        final ReplicaJob job = pool.take();
        job.open();
        for (int i = from; i < to; i++)
        {
            job.add(slots[i]);
        }
        core.budget.charge(to - from);
        core.counters.increment(OwnerCounter.REPLICA_JOBS);
        queue.addLast(job);
    }

    /** Lets queued jobs begin, as far as the bound of those under way and their keys allow. */
    int doWork(final long nowNs)
    {
        int looks = Math.min(LOOKS_PER_CYCLE, queue.size());
        int work = 0;
        while (looks > 0 && underWay.size() < core.settings.replicaTaskMaxInflight() &&
            core.master.isAvailable() && core.master.availableIds() >= MIN_IDS)
        {
            looks--;
            final ReplicaJob job = queue.pollFirst();
            if (reserveKeys(job))
            {
                underWay.addLast(job);
                job.begin(nowNs);
                work++;
            }
            else
            {
                queue.addLast(job);
            }
        }

        return work;
    }

    /** A job asks the master. */
    void asked(final ReplicaJob job)
    {
        byOperation.put(job.operationId(), job);
    }

    /** A job needs no word of the master any more. */
    void answered(final ReplicaJob job)
    {
        byOperation.remove(job.operationId());
    }

    /** The master says how a copy has ended; who does not wait for that any more has given up. */
    void onEnd(final long operationId, final int code)
    {
        final ReplicaJob job = byOperation.get(operationId);
        if (null != job)
        {
            job.onEnd(code);
        }
    }

    void free(final ReplicaJob job)
    {
        underWay.remove(job);
        releaseKeys(job, job.count());
        core.counters.add(OwnerCounter.REPLICA_JOBS, -1);
        pool.giveBack(job);
    }

    /** Holders of all jobs, for audits. */
    long slotsHeld()
    {
        long held = 0;
        for (final ReplicaJob job : underWay)
        {
            held += job.slotsHeld();
        }

        return held;
    }

    /** Visits the jobs under way, for inspection. */
    void forEachUnderWay(final Consumer<ReplicaJob> consumer)
    {
        underWay.forEach(consumer);
    }

    /** Jobs that wait for their turn, for inspection. */
    int queued()
    {
        return queue.size();
    }

    private boolean reserveKeys(final ReplicaJob job)
    {
        for (int i = 0; i < job.count(); i++)
        {
            if (!keys.add(job.digest(i)))
            {
                releaseKeys(job, i);
                return false;
            }
        }
        core.budget.charge(job.count());

        return true;
    }

    private void releaseKeys(final ReplicaJob job, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            keys.remove(job.digest(i));
        }
    }
}
