package io.fluxon.engine.owner;

import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.PutOptionBits;
import io.fluxon.ipc.ErrorCode;
import org.agrona.collections.Long2ObjectHashMap;

import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * The publish jobs of all sessions: what happens to a put at its commit (contract V1, PUT-1), the bound of keys that
 * the master has not answered (contract P1), and puts that wait for the outcome of an earlier put of the same key.
 */
final class PublishService
{
    private static final int INDEX_BITS = 14;

    /** Left for the operations of gets, which release what they hold only with them. */
    private static final int MIN_IDS_TO_PUBLISH = 4096;

    private static final long INDEX_MASK = (1L << INDEX_BITS) - 1;

    private final OwnerCore core;
    private final Pool<PublishJob> pool;
    private final Long2ObjectHashMap<PublishJob> jobs = new Long2ObjectHashMap<>();
    private final ArrayDeque<PublishJob> waiting = new ArrayDeque<>();
    private final CommitTurn commitTurn;
    private int unacknowledgedKeys;
    private int allKeys;

    PublishService(final OwnerCore core)
    {
        this.core = core;
        pool = new Pool<>(() -> new PublishJob(core));
        commitTurn = new CommitTurn(core);
    }

    CommitTurn commitTurn()
    {
        return commitTurn;
    }

    /** Would further keys pass the bound of what can wait for the master (contract BOUND-1)? */
    boolean isFull(final int keyCount)
    {
        return allKeys > core.settings.maxPublishKeys() - keyCount;
    }

    /** Job of a put that is being committed. */
    PublishJob open(final WorkerSession session, final PutBatch batch, final long planId, final long requestId)
    {
        final PublishJob job = pool.take();
        job.open(session, batch, planId, requestId);
        jobs.put(job.jobId(), job);
        allKeys += batch.count;
        core.counters.opened(OwnerCounter.PUBLISH_JOBS, OwnerCounter.PUBLISH_JOBS_OPENED);

        return job;
    }

    /** Commits one key: it becomes local-visible, or joins what is here, or is refused (contract PUT-1). */
    void makeVisible(final PublishJob job, final int index)
    {
        final PutBatch batch = job.batch();
        final SlotTable table = core.table;
        final int slotId = batch.slots[index];
        job.adopt();
        core.inflightPuts.remove(slotId);
        table.sessionId(slotId, 0);
        table.jobId(slotId, job.jobId());
        table.batchIndex(slotId, index);

        final int existing = core.values.findSameKey(slotId);
        if (LocalValues.NONE == existing)
        {
            core.values.addLocalVisible(slotId);
            batch.states[index] = PutBatch.OWN;
            if (core.values.isHiddenSameKey(slotId))
            {
                job.fence(index);
            }
            return;
        }

        final boolean isCommitted = core.values.isCommitted(existing);
        final int code = conflict(batch, existing, isCommitted);
        if (ErrorCode.OK != code)
        {
            job.refuse(index, -code);
        }
        else if (isCommitted)
        {
            job.merge(index, existing);
        }
        else
        {
            core.pool.advance(slotId, SlotState.PENDING_LOCAL_VISIBLE);
            batch.states[index] = PutBatch.FOLLOWER;
            job.addFollower();
            appendFollower(existing, slotId);
        }
    }

    /** The first put of a key has its outcome; those behind it take it, or the next one publishes itself. */
    void settleFollowers(final int leaderSlot, final int code)
    {
        int follower = core.table.nextPut(leaderSlot);
        core.table.nextPut(leaderSlot, SlotTable.NONE);
        if (SlotTable.NONE == follower)
        {
            return;
        }

        final int existing = core.values.findSameKey(leaderSlot);
        final boolean isAnswered = ErrorCode.OK == code || isAboutKey(code);
        if (!isAnswered && LocalValues.NONE == existing)
        {
            core.values.addLocalVisible(follower);
            final PublishJob job = jobOf(follower);
            final int index = core.table.batchIndex(follower);
            job.onLeaderGone(index);
            if (core.values.isHiddenSameKey(follower))
            {
                job.fence(index);
            }
            return;
        }

        while (SlotTable.NONE != follower)
        {
            final int next = core.table.nextPut(follower);
            core.table.nextPut(follower, SlotTable.NONE);
            jobOf(follower).onLeaderSettled(
                core.table.batchIndex(follower), isAnswered ? code : ErrorCode.OK, existing);
            follower = next;
        }
    }

    /** The eviction that had hidden the key of a put has removed the old value: the put may publish. */
    void onBackingGone(final int slotId)
    {
        jobOf(slotId).onBackingGone(core.table.batchIndex(slotId));
    }

    /** The eviction that had hidden the key of a put has restored the old value: that one wins (contract GET-4). */
    void onBackingShown(final int slotId, final int committedSlot)
    {
        final PublishJob job = jobOf(slotId);
        job.onBackingShown(
            core.table.batchIndex(slotId), committedSlot, conflict(job.batch(), committedSlot, true));
    }

    /** A put no longer waits for the first one. */
    void removeFollower(final int slotId)
    {
        int previous = core.values.findPendingSameKey(slotId);
        while (LocalValues.NONE != previous && slotId != core.table.nextPut(previous))
        {
            previous = core.table.nextPut(previous);
        }

        if (LocalValues.NONE != previous)
        {
            core.table.nextPut(previous, core.table.nextPut(slotId));
            core.table.nextPut(slotId, SlotTable.NONE);
        }
    }

    /** A job's request is due: it goes on when its keys fit under the limit, in order. */
    void enqueue(final PublishJob job)
    {
        waiting.addLast(job);
    }

    /** Lets waiting jobs go on as far as the limit and the open operations allow. */
    int doWork()
    {
        int work = 0;
        while (work < core.settings.jobStepLimit() && !waiting.isEmpty())
        {
            final PublishJob job = waiting.peekFirst();
            final int keys = job.roundCount();
            if (unacknowledgedKeys > 0 && unacknowledgedKeys > core.settings.publishLimit() - keys ||
                core.master.availableIds() < MIN_IDS_TO_PUBLISH)
            {
                break;
            }

            waiting.pollFirst();
            unacknowledged(unacknowledgedKeys + keys);
            job.onAdmitted();
            work++;
        }

        return work;
    }

    /** The master has answered for some keys. */
    void acknowledged(final int keys)
    {
        unacknowledged(unacknowledgedKeys - keys);
    }

    /** Token of an entry's checksum; {@link OwnerCore#onChecksum} takes its lowest bits off again. */
    static long token(final long jobId, final int index)
    {
        return (jobId << INDEX_BITS | index) << OwnerCore.CHECKSUM_KIND_BITS | OwnerCore.CHECKSUM_OF_PUBLISH;
    }

    /** A value's checksum is there. */
    void onChecksum(final long token, final long checksum)
    {
        final PublishJob job = jobs.get(token >>> INDEX_BITS);
        if (null != job)
        {
            job.onChecksum((int)(token & INDEX_MASK), checksum);
        }
    }

    void free(final PublishJob job, final PutBatch batch)
    {
        jobs.remove(job.jobId());
        allKeys -= batch.count;
        core.counters.closed(OwnerCounter.PUBLISH_JOBS, OwnerCounter.PUBLISH_JOBS_CLOSED);
        core.puts.free(batch);
        pool.giveBack(job);
    }

    /** Is it the id of a job that has not ended? */
    boolean isRunning(final long jobId)
    {
        return jobs.containsKey(jobId);
    }

    /** Holders of all jobs, for audits. */
    long slotsHeld()
    {
        long held = 0;
        for (final PublishJob job : jobs.values())
        {
            held += job.slotsHeld();
        }

        return held;
    }

    /** Visits all jobs, for inspection. */
    void forEachJob(final Consumer<PublishJob> consumer)
    {
        jobs.forEachLong((id, job) -> consumer.accept(job));
    }

    private void unacknowledged(final int keys)
    {
        unacknowledgedKeys = keys;
        core.counters.set(OwnerCounter.PUBLISH_KEYS_UNACKNOWLEDGED, keys);
    }

    private PublishJob jobOf(final int slotId)
    {
        return jobs.get(core.table.jobId(slotId));
    }

    private void appendFollower(final int leaderSlot, final int slotId)
    {
        int last = leaderSlot;
        while (SlotTable.NONE != core.table.nextPut(last))
        {
            last = core.table.nextPut(last);
        }
        core.table.nextPut(last, slotId);
    }

    private int conflict(final PutBatch batch, final int existing, final boolean isCommitted)
    {
        if (batch.valueLength != core.table.valueLength(existing))
        {
            return ErrorCode.INVALID_ARGUMENT;
        }

        if (batch.isSet(PutOptionBits.REJECT_IF_EXISTS))
        {
            return ErrorCode.KEY_ALREADY_EXISTS;
        }

        return !isCommitted && batch.isSet(PutOptionBits.REJECT_IF_INFLIGHT) ?
            ErrorCode.KEY_BEING_WRITTEN : ErrorCode.OK;
    }

    /**
     * Is a bad result one of the key, so that it is that of all who wait (contract PUT-1)? Its length is; that it
     * exists or is being written elsewhere is what only the reject flags of the first put forbid, and who has such
     * flags does not wait but is refused at once.
     */
    private static boolean isAboutKey(final int code)
    {
        return -ErrorCode.INVALID_ARGUMENT == code;
    }
}
