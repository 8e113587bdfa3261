package io.fluxon.engine.owner;

import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PublishRequestEncoder;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.codecs.control.PutIdDecoder;
import io.fluxon.engine.memory.InvariantViolation;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.OperationIds;
import io.fluxon.engine.protocol.PutOptionBits;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

import java.util.Arrays;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Brings a committed put to its terminal result, forward only (contract A2): checksums, one publish request that is
 * repeated under its id until it is answered, promotion of all its keys.
 * <p>
 * What is published is whole groups. A group goes in the first round in which none of its keys waits for another put
 * and none has failed: each key is then either published by this job or has joined a value that is committed here. A
 * group with a failed key is withdrawn, and none of it is ever published. Why groups that wait for each other's keys
 * cannot do so for ever is said in {@link CommitTurn}.
 * <pre>
 *   job --- batch: keys, group ends, and per key: state, code, slot
 *    |                                             |
 *    |      slot record: job id, index in batch <--+--> local-visible index (first put of the key only)
 *    |                   next put -----> slot of the next put of the key (FOLLOWER of another job) -----> ...
 *    |
 *    +----- round: indexes of what is being published, and its groups; the master's answer has their order
 *
 *   key: WRITING -commit-> OWN ------round answered-----> PUBLISHED
 *                   |       ^ \--------------------.
 *                   |       | first put failed      v
 *                   +--> FOLLOWER ---------------> FAILED (also siblings of a failed key)
 *                   |       | first put published   ^
 *                   +--> MERGED --------------------+ (its put wins; withdrawn only in the result)
 *                   |       ^ old value restored    ^
 *                   +--> FENCED ---removed--> OWN   |
 *                           +-----------------------+
 * </pre>
 */
final class PublishJob extends Job implements OperationListener
{
    /**
     * Life of a publish job.
     */
    enum State
    {
        /** In the pool. */
        FREE,
        /** Its keys are becoming local-visible. */
        LOCAL_READY,
        /** Siblings of refused keys are withdrawn, complete groups collected (contract A2: no incomplete group). */
        SETTLING,
        /** Checksums are computed (contract CRC-1). */
        CHECKSUMMING,
        /** Waits for room under the publish limit (contract P1). */
        QUEUED,
        /** Its request is encoded. */
        ENCODING,
        /** Waits for the master's answer. */
        PUBLISHING,
        /** The answer is carried out (contract V3). */
        PROMOTING,
        /** Waits for the outcome of other puts of its keys, or of evictions of their old values. */
        WAITING,
        /** All its keys are promoted: they come into the hot window (contract A1, V3). */
        ADMITTING,
        /** Values that its keys have joined are released. */
        RELEASING,
        /** Tells the worker. */
        FINISHING
    }

    private static final int MIN_CAPACITY = 64;

    private final OwnerCore core;
    private final MasterOperation operation;
    private final ExpandableArrayBuffer answer = new ExpandableArrayBuffer(256);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final PublishRequestEncoder request = new PublishRequestEncoder();
    private final PublishResponseDecoder response = new PublishResponseDecoder();
    private PublishRequestEncoder.AtomicGroupsEncoder groups;
    private PublishRequestEncoder.EntriesEncoder entries;
    private PublishResponseDecoder.ResultsDecoder results;
    private int[] round = new int[MIN_CAPACITY];
    private int[] backings = new int[MIN_CAPACITY];
    private long[] groupDigests = new long[MIN_CAPACITY];
    private int[] roundGroupKeys = new int[MIN_CAPACITY];
    private int[] roundGroupJoined = new int[MIN_CAPACITY];
    private int[] roundGroupLengths = new int[MIN_CAPACITY];
    private State state = State.FREE;
    private String reason;
    private WorkerSession session;
    private PutBatch batch;
    private long jobId;
    private long planId;
    private long requestId;
    private int cursor;
    private int group;
    private int groupFirst;
    private int batchGroup;
    private int groupJoined;
    private int roundCount;
    private int roundGroupCount;
    private int checksumsPending;
    private int followers;
    private int slotsHeld;
    private int refusal;
    private boolean isChanged;
    private boolean isAnyPromoted;
    private boolean isGroupFailed;
    private boolean isGroupWaiting;
    private boolean isGroupInRound;

    PublishJob(final OwnerCore core)
    {
        this.core = core;
        operation = new MasterOperation(core.master);
        operation.listener = this;
        operation.sent = OwnerCounter.PUBLISHES;
        operation.hasWatermark = true;
    }

    void open(final WorkerSession ofSession, final PutBatch ofBatch, final long ofPlanId, final long ofRequestId)
    {
        session = ofSession;
        batch = ofBatch;
        planId = ofPlanId;
        requestId = ofRequestId;
        jobId = core.nextId();
        slotsHeld = 0;
        followers = 0;
        checksumsPending = 0;
        roundCount = 0;
        isChanged = false;
        if (round.length < batch.count)
        {
            round = new int[batch.count];
            backings = new int[batch.count];
            groupDigests = new long[batch.count];
            roundGroupKeys = new int[batch.count];
            roundGroupJoined = new int[batch.count];
            roundGroupLengths = new int[batch.count];
        }
        isAnyPromoted = false;
        Arrays.fill(backings, 0, batch.count, SlotTable.NONE);
        state(State.LOCAL_READY, "commit");
    }

    long jobId()
    {
        return jobId;
    }

    PutBatch batch()
    {
        return batch;
    }

    int roundCount()
    {
        return roundCount;
    }

    int slotsHeld()
    {
        return slotsHeld;
    }

    State state()
    {
        return state;
    }

    /** All keys of the put are committed here. */
    void start(final long nowNs)
    {
        state(State.SETTLING, "local ready");
        core.jobs.start(this, nowNs);
    }

    /** {@inheritDoc} */
    @Override
    boolean step(final long nowNs)
    {
        if (State.FREE == state)
        {
            return false;
        }

        final boolean isSmall = batch.count <= core.settings.planSliceKeys();
        boolean isRunnable;
        State before;
        do
        {
            before = state;
            isRunnable = switch (state)
            {
                case SETTLING -> settle();
                case CHECKSUMMING -> checksum();
                case ENCODING -> encode();
                case PROMOTING -> promote();
                case ADMITTING -> admit();
                case RELEASING -> release();
                case FINISHING -> finish();
                case FREE, LOCAL_READY, QUEUED, PUBLISHING, WAITING -> false;
            };
        }
        while (isRunnable && before != state && isSmall);

        return isRunnable;
    }

    /** All keys of a group are committed here. */
    void onGroup(final int committedGroup)
    {
        final long digest = TpCohort.digest(batch, committedGroup, core.settings.maxKeysPerBatch());
        groupDigests[committedGroup] = digest;
        if (TpCohort.NONE != digest)
        {
            core.rings.publishing(digest, 1);
        }
    }

    /** A slot of the plan is the job's now. */
    void adopt()
    {
        slotsHeld++;
    }

    /** The key is refused at its commit; its slot goes at once. */
    void refuse(final int index, final int code)
    {
        batch.states[index] = PutBatch.FAILED;
        batch.codes[index] = code;
        releaseSlot(index);
    }

    /** The key has a committed value here, which wins, and is held until the job ends: its group is to be whole. */
    void merge(final int index, final int existing)
    {
        batch.states[index] = PutBatch.MERGED;
        core.counters.increment(OwnerCounter.PAGES_MERGED);
        releaseSlot(index);
        core.pool.holderAdd(existing);
        batch.slots[index] = existing;
        slotsHeld++;
    }

    void addFollower()
    {
        followers++;
    }

    /** The put that a key waits for has an outcome that is this key's too. */
    void onLeaderSettled(final int index, final int code, final int existing)
    {
        followers--;
        isChanged = true;
        if (ErrorCode.OK == code)
        {
            merge(index, existing);
        }
        else
        {
            refuse(index, code);
        }
        wake();
    }

    /** The put that a key waits for has failed for a reason that is not this key's: it publishes itself. */
    void onLeaderGone(final int index)
    {
        followers--;
        isChanged = true;
        batch.states[index] = PutBatch.OWN;
        wake();
    }

    /** The key's old value is being evicted: what the master knows of it is decided first (contract GET-4). */
    void fence(final int index)
    {
        batch.states[index] = PutBatch.FENCED;
        followers++;
    }

    /** The old value is gone: the key is published. */
    void onBackingGone(final int index)
    {
        followers--;
        isChanged = true;
        batch.states[index] = PutBatch.OWN;
        wake();
    }

    /**
     * The old value is there again, and wins.
     *
     * @param code 0, or why the put is refused for that.
     */
    void onBackingShown(final int index, final int existing, final int code)
    {
        followers--;
        isChanged = true;
        if (ErrorCode.OK == code)
        {
            final int slotId = batch.slots[index];
            core.values.removeLocalVisible(slotId);
            core.publishes.settleFollowers(slotId, ErrorCode.OK);
            merge(index, existing);
        }
        else
        {
            fail(index, -code);
        }
        wake();
    }

    void onChecksum(final int index, final long checksum)
    {
        core.table.checksum(batch.slots[index], checksum);
        checksumsPending--;
        if (0 == checksumsPending && State.CHECKSUMMING == state)
        {
            core.resume(this);
        }
    }

    /** There is room under the publish limit. */
    void onAdmitted()
    {
        state(State.ENCODING, "admitted");
        core.resume(this);
    }

    /** {@inheritDoc} */
    @Override
    public void onAnswer(final MasterOperation answered, final int templateId, final DirectBuffer message)
    {
        if (PublishResponseDecoder.TEMPLATE_ID == templateId)
        {
            answer.putBytes(0, message, 0, message.capacity());
            results = response.wrap(
                answer,
                MasterOperation.BLOCK_OFFSET,
                PublishResponseDecoder.BLOCK_LENGTH,
                PublishResponseDecoder.SCHEMA_VERSION).results();
            if (results.count() != roundCount)
            {
                core.counters.increment(OwnerCounter.MESSAGES_MALFORMED);
                return;
            }
            refusal = ErrorCode.OK;
        }
        else
        {
            refusal = core.master.ackStatus(templateId, message);
            if (refusal <= ErrorCode.OK)
            {
                return;
            }
        }

        core.master.close(operation);
        core.master.beginApplying();
        state(State.PROMOTING, "answered");
        core.resume(this);
    }

    /** {@inheritDoc} */
    @Override
    public void onGivenUp(final MasterOperation givenUp)
    {
        throw new InvariantViolation("a publish was given up");
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        throw new InvariantViolation("publish job broke while " + state + " after " + reason + ": " + cause);
    }

    private void wake()
    {
        if (State.WAITING == state)
        {
            state(State.SETTLING, "outcome of another put");
            core.resume(this);
        }
    }

    private boolean settle()
    {
        if (0 == cursor)
        {
            group = 0;
            roundCount = 0;
            roundGroupCount = 0;
            isChanged = false;
        }

        final int end = core.sliceEnd(cursor, batch.count);
        for (int i = cursor; i < end; i++)
        {
            if (i == batch.groupStart(group))
            {
                lookAtGroup();
            }
            settle(i);
            group += i + 1 == batch.groupEnds[group] ? 1 : 0;
        }
        cursor = end;

        return end < batch.count || settled();
    }

    /** What becomes of a group is decided once, at its first key. */
    private void lookAtGroup()
    {
        isGroupFailed = false;
        isGroupWaiting = false;
        isGroupInRound = false;
        groupJoined = 0;
        for (int i = batch.groupStart(group); i < batch.groupEnds[group]; i++)
        {
            final byte entry = batch.states[i];
            isGroupFailed |= PutBatch.FAILED == entry;
            isGroupWaiting |= PutBatch.FOLLOWER == entry || PutBatch.FENCED == entry;
            groupJoined += PutBatch.MERGED == entry || PutBatch.PUBLISHED == entry ? 1 : 0;
        }
    }

    private void settle(final int index)
    {
        if (isGroupFailed)
        {
            withdraw(index);
        }
        else if (!isGroupWaiting && PutBatch.OWN == batch.states[index])
        {
            if (!isGroupInRound)
            {
                isGroupInRound = true;
                roundGroupKeys[roundGroupCount] = 0;
                roundGroupJoined[roundGroupCount] = groupJoined;
                roundGroupLengths[roundGroupCount] = batch.groupLength(group);
                roundGroupCount++;
            }
            roundGroupKeys[roundGroupCount - 1]++;
            round[roundCount++] = index;
        }
    }

    private boolean settled()
    {
        if (roundCount > 0)
        {
            return state(State.CHECKSUMMING, "groups to publish");
        }

        if (isChanged)
        {
            return state(State.SETTLING, "outcome of another put meanwhile");
        }

        if (followers > 0)
        {
            state(State.WAITING, "keys behind other puts or evictions");
            return false;
        }

        return state(State.ADMITTING, "all keys have a result");
    }

    private void withdraw(final int index)
    {
        final byte entry = batch.states[index];
        if (PutBatch.OWN == entry)
        {
            fail(index, -ErrorCode.GROUP_ABORTED);
        }
        else if (PutBatch.FENCED == entry)
        {
            followers--;
            fail(index, -ErrorCode.GROUP_ABORTED);
        }
        else if (PutBatch.FOLLOWER == entry)
        {
            core.publishes.removeFollower(batch.slots[index]);
            followers--;
            refuse(index, -ErrorCode.GROUP_ABORTED);
        }
        else if (PutBatch.MERGED == entry)
        {
            batch.states[index] = PutBatch.FAILED;
            batch.codes[index] = -ErrorCode.GROUP_ABORTED;
            releaseSlot(index);
        }
    }

    /**
     * A local-visible key has failed: no reader finds it any more, its slot goes with the last one (contract PUT-4).
     */
    private void fail(final int index, final int code)
    {
        final int slotId = batch.slots[index];
        core.values.removeLocalVisible(slotId);
        core.publishes.settleFollowers(slotId, code);
        refuse(index, code);
    }

    private boolean checksum()
    {
        final int from = cursor;
        final int end = core.sliceEnd(from, roundCount);
        int i = from;
        while (i < end)
        {
            final int index = round[i];
            if (!core.context.checksumQueue().offer(
                PublishService.token(jobId, index), core.pool.offset(batch.slots[index]), batch.valueLength))
            {
                core.counters.increment(OwnerCounter.QUEUE_FULL);
                break;
            }
            checksumsPending++;
            i++;
        }
        cursor = i;
        if (i < roundCount)
        {
            return i > from || stalled();
        }

        if (checksumsPending > 0)
        {
            return false;
        }

        state(State.QUEUED, "checksums known");
        core.publishes.enqueue(this);

        return false;
    }

    private boolean encode()
    {
        if (0 == cursor)
        {
            if (OperationIds.NONE == core.master.open(operation))
            {
                return stalled();
            }
            beginRequest();
        }

        final int end = core.sliceEnd(cursor, roundGroupCount + roundCount);
        for (int i = cursor; i < end; i++)
        {
            if (i < roundGroupCount)
            {
                encodeGroup(i);
            }
            else
            {
                encodeEntry(i - roundGroupCount);
            }
        }
        cursor = end;
        if (end < roundGroupCount + roundCount)
        {
            return true;
        }

        operation.length = MessageHeaderEncoder.ENCODED_LENGTH + request.encodedLength();
        state(State.PUBLISHING, "request complete");
        core.master.send(operation, Long.MAX_VALUE);

        return false;
    }

    private void beginRequest()
    {
        request.wrapAndApplyHeader(operation.buffer, 0, header)
            .generation(core.context.generation())
            .correlationId(operation.operationId)
            .reserveOperationId(batch.reserveOperationId)
            .cohortId(batch.cohortId)
            .cohortRank(batch.cohortRank)
            .cohortSize(batch.cohortSize);
        operation.buffer.putShort(
            MasterOperation.BLOCK_OFFSET + PublishRequestEncoder.optionsEncodingOffset(),
            (short)batch.options,
            LITTLE_ENDIAN);
        groups = request.atomicGroupsCount(roundGroupCount);
    }

    private void encodeGroup(final int roundGroup)
    {
        groups.next()
            .keyCount(roundGroupKeys[roundGroup])
            .mergedCount(roundGroupJoined[roundGroup])
            .groupLength(roundGroupLengths[roundGroup]);
    }

    private void encodeEntry(final int roundIndex)
    {
        if (0 == roundIndex)
        {
            entries = request.entriesCount(roundCount);
        }

        final int index = round[roundIndex];
        final int slotId = batch.slots[index];
        final SlotTable table = core.table;
        entries.next()
            .putSequence(batch.firstSequence + index)
            .valueLength(batch.valueLength)
            .checksum(table.checksum(slotId));
        entries.backing()
            .grantId(table.grantId(slotId))
            .slotIndex(table.slotIndex(slotId))
            .slotSize(table.slotSize(slotId))
            .useCounter(table.useCounter(slotId))
            .slotOffset(core.pool.offset(slotId));
        entries.putKey(batch.keys.buffer(), batch.keys.keyOffset(index), batch.keys.keyLength(index));
    }

    private boolean promote()
    {
        if (0 == cursor)
        {
            group = 0;
            groupFirst = 0;
            batchGroup = 0;
        }

        final int end = core.sliceEnd(cursor, roundCount);
        for (int i = cursor; i < end; i++)
        {
            if (i == groupFirst + roundGroupKeys[group])
            {
                groupFirst = i;
                group++;
            }

            while (round[i] >= batch.groupEnds[batchGroup])
            {
                batchGroup++;
            }

            int code = -refusal;
            if (ErrorCode.OK == refusal)
            {
                results.next();
                code = results.code();
            }

            if (code < ErrorCode.OK)
            {
                fail(round[i], code);
            }
            else
            {
                promote(round[i]);
                joinCohort(i);
            }
        }
        cursor = end;
        if (end < roundCount)
        {
            return true;
        }

        core.master.endApplying();
        core.publishes.acknowledged(roundCount);
        core.puts.onReservationOver(batch.reserveOperationId);
        batch.reserveOperationId = 0;
        roundCount = 0;

        return state(State.SETTLING, "round complete");
    }

    private void promote(final int index)
    {
        final int slotId = batch.slots[index];
        final PutIdDecoder canonical = results.canonical();
        core.values.removeLocalVisible(slotId);
        core.table.putId(slotId, canonical.ownerId(), canonical.generation(), canonical.sequence());
        final int other = core.values.commit(slotId);
        core.publishes.settleFollowers(slotId, ErrorCode.OK);
        if (LocalValues.NONE == other)
        {
            backings[index] = slotId;
            isAnyPromoted = true;
        }
        else
        {
            standIn(index, other);
            core.pool.holderRelease(slotId);
        }
        batch.states[index] = PutBatch.PUBLISHED;
        batch.slots[index] = SlotTable.NONE;
        slotsHeld--;
    }

    /** Another backing of the key has come here meanwhile and stays; it is the group's from now on. */
    private void standIn(final int index, final int slotId)
    {
        if (!core.publishes.isRunning(core.table.jobId(slotId)))
        {
            core.table.jobId(slotId, jobId);
            backings[index] = slotId;
        }
    }

    /** A value goes together with those of its group that were promoted before it (contract EVICT-1). */
    private void joinCohort(final int roundIndex)
    {
        final int slotId = backings[round[roundIndex]];
        for (int i = roundIndex - 1; SlotTable.NONE != slotId && i >= groupFirst; i--)
        {
            final int sibling = backings[round[i]];
            if (isPromoted(sibling))
            {
                core.rings.joinGroup(sibling, slotId);
                return;
            }
        }

        final long digest = groupDigests[batchGroup];
        if (SlotTable.NONE != slotId && TpCohort.NONE != digest)
        {
            core.rings.joinRanks(
                slotId, digest, batch.groupLength(batchGroup), TpCohort.ranks(batch, batchGroup));
        }
    }

    /** Is a value that was promoted still what it was? */
    private boolean isPromoted(final int slotId)
    {
        return SlotTable.NONE != slotId && jobId == core.table.jobId(slotId) &&
            Residence.NONE != core.table.residence(slotId);
    }

    /** One run of the whole batch, in which values that it has joined are renewed. */
    private boolean admit()
    {
        core.windows.beginRun();
        for (int i = 0; i < batch.count; i++)
        {
            final int slotId = batch.slots[i];
            if (SlotTable.NONE == slotId)
            {
                if (isPromoted(backings[i]) && Residence.AWAITING == core.table.residence(backings[i]))
                {
                    core.windows.append(backings[i]);
                }
            }
            else if (isAnyPromoted && Residence.HOT == core.table.residence(slotId))
            {
                core.windows.append(slotId);
            }
        }
        core.budget.charge(batch.count);
        core.windows.admitRun();
        wishReplicas();

        return state(State.RELEASING, "admitted");
    }

    /** Copies of whole groups, of which each value is one that this put has committed or joined (contract PUT-3). */
    private void wishReplicas()
    {
        if (!batch.isSet(PutOptionBits.MAKE_REPLICA_TASK) || batch.isSet(PutOptionBits.WRITE_THROUGH))
        {
            return;
        }

        for (int i = 0; i < batch.count; i++)
        {
            if (SlotTable.NONE != batch.slots[i])
            {
                backings[i] = batch.slots[i];
            }
            else if (!isPromoted(backings[i]))
            {
                backings[i] = SlotTable.NONE;
            }
        }

        for (int i = 0; i < batch.groupCount; i++)
        {
            final int start = batch.groupStart(i);
            if (batch.isReplicaWished(start) && ErrorCode.OK == batch.codes[start])
            {
                core.replicas.wish(backings, start, batch.groupEnds[i]);
            }
        }
    }

    /** The values that keys have joined need not be held any more. */
    private boolean release()
    {
        if (0 == cursor)
        {
            batchGroup = 0;
        }

        final int end = core.sliceEnd(cursor, batch.count);
        for (int i = cursor; i < end; i++)
        {
            if (SlotTable.NONE != batch.slots[i])
            {
                releaseSlot(i);
            }
            if (i + 1 == batch.groupEnds[batchGroup])
            {
                endGroup();
            }
        }
        cursor = end;

        return end < batch.count || state(State.FINISHING, "nothing is held");
    }

    private void endGroup()
    {
        final long digest = groupDigests[batchGroup++];
        if (TpCohort.NONE != digest)
        {
            core.rings.publishing(digest, -1);
        }
    }

    private boolean finish()
    {
        if (session.isReachable() &&
            !core.puts.sendResult(this, session, requestId, planId, batch.codes, batch.count))
        {
            return false;
        }

        final RequestLog.Entry entry = session.requests.entryOf(requestId);
        if (null != entry)
        {
            entry.results(batch.codes, batch.count);
        }
        count();

        core.puts.unreserve(batch, null);
        final PutBatch done = batch;
        batch = null;
        session = null;
        groups = null;
        entries = null;
        results = null;
        state(State.FREE, "done");
        core.publishes.free(this, done);

        return false;
    }

    private void count()
    {
        int written = 0;
        for (int i = 0; i < batch.count; i++)
        {
            written += ErrorCode.OK == batch.codes[i] ? 1 : 0;
            core.counters.error(batch.codes[i]);
        }
        core.counters.add(OwnerCounter.PAGES_WRITTEN, written);
        core.counters.add(OwnerCounter.PAGES_REFUSED, batch.count - written);
    }

    private void releaseSlot(final int index)
    {
        core.pool.holderRelease(batch.slots[index]);
        batch.slots[index] = SlotTable.NONE;
        slotsHeld--;
    }

    private boolean state(final State next, final String why)
    {
        state = next;
        reason = why;
        cursor = 0;

        return true;
    }
}
