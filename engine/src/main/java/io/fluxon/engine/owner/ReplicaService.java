package io.fluxon.engine.owner;

import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.collections.Long2ObjectHashMap;

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
    private static final int DEMOTIONS_OF_MEAN = 16;

    private final OwnerCore core;
    private final Pool<ReplicaJob> pool;
    private final ArrayDeque<ReplicaJob> queue = new ArrayDeque<>();
    private final ArrayDeque<ReplicaJob> demotions = new ArrayDeque<>();
    private final ArrayDeque<ReplicaJob> underWay = new ArrayDeque<>();
    private final Long2ObjectHashMap<ReplicaJob> byOperation = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<ReplicaJob> byKey = new Long2ObjectHashMap<>();
    private long demotingBytes;
    private long demotionNs;

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

        if (queue.size() >= core.settings.replicas().maxQueue())
        {
            core.counters.add(OwnerCounter.REPLICA_PAGES_DROPPED, to - from);
            return;
        }

        queue.addLast(open(null, slots, from, to));
    }

    /**
     * A cohort is about to be evicted: it may get a copy first (contract REPL-3), when somebody could hold one, the
     * bytes that are on their way leave room for it, and its turn would come in time: to wait until the bound and then
     * go without a copy would only keep its slots from whoever needs them.
     *
     * @param eviction that waits for the end.
     * @param slots    of its members.
     * @param count    of members.
     * @return the job, or null when the cohort is evicted without a copy.
     */
    ReplicaJob demote(final EvictionJob eviction, final int[] slots, final int count)
    {
        if (OwnerRole.GPU != core.context.role() || 0 == core.settings.replicas().demotionBoundNs() ||
            !core.master.hasRemoteCache())
        {
            return null;
        }

        core.counters.add(OwnerCounter.DEMOTION_PAGES_SELECTED, count);
        long bytes = 0;
        for (int i = 0; i < count; i++)
        {
            bytes += core.table.slotSize(slots[i]);
        }
        if (demotingBytes + bytes > core.settings.replicas().demotionLimitBytes() || isTooLate())
        {
            core.counters.add(OwnerCounter.DEMOTION_PAGES_SKIPPED, count);
            return null;
        }

        demotingBytes += bytes;
        final ReplicaJob job = open(eviction, slots, 0, count);
        demotions.addLast(job);

        return job;
    }

    /** Would one more demotion have to wait, and not be over within the bound, as those before it took? */
    private boolean isTooLate()
    {
        final int inflight = core.settings.replicas().taskMaxInflight();

        return underWay.size() >= inflight &&
            demotionNs * (2 + demotions.size() / inflight) > core.settings.replicas().demotionBoundNs();
    }

    /** Lets queued jobs begin, as far as the bound of those under way and their keys allow. */
    int doWork(final long nowNs)
    {
        return begin(demotions, nowNs) + begin(queue, nowNs);
    }

    private int begin(final ArrayDeque<ReplicaJob> waiting, final long nowNs)
    {
        int looks = Math.min(LOOKS_PER_CYCLE, waiting.size());
        int work = 0;
        while (looks > 0 && underWay.size() < core.settings.replicas().taskMaxInflight() &&
            core.master.isAvailable() && core.master.availableIds() >= MIN_IDS)
        {
            looks--;
            final ReplicaJob job = waiting.pollFirst();
            if (reserveKeys(job))
            {
                underWay.addLast(job);
                job.begin(nowNs);
                work++;
            }
            else
            {
                waiting.addLast(job);
            }
        }

        return work;
    }

    /** A demotion is given up; if it waits for its turn it does so no longer. */
    void withdraw(final ReplicaJob job)
    {
        if (ReplicaJob.State.QUEUED == job.state())
        {
            demotions.remove(job);
        }
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
        if (underWay.remove(job) && job.isDemotion())
        {
            final long tookNs = job.underWayNs(core.nowNs());
            demotionNs += 0 == demotionNs ? tookNs : (tookNs - demotionNs) / DEMOTIONS_OF_MEAN;
        }
        releaseKeys(job, job.count());
        demotingBytes -= job.isDemotion() ? job.bytes() : 0;
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

    private ReplicaJob open(final EvictionJob eviction, final int[] slots, final int from, final int to)
    {
        final ReplicaJob job = pool.take();
        job.open(eviction);
        for (int i = from; i < to; i++)
        {
            job.add(slots[i]);
        }
        core.budget.charge(to - from);
        core.counters.increment(OwnerCounter.REPLICA_JOBS);

        return job;
    }

    /** Keys of equal digests count as one: copies of two such wait for each other, within a group they do not. */
    private boolean reserveKeys(final ReplicaJob job)
    {
        for (int i = 0; i < job.count(); i++)
        {
            final ReplicaJob other = byKey.putIfAbsent(job.digest(i), job);
            if (null != other && job != other)
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
            byKey.remove(job.digest(i), job);
        }
    }
}
