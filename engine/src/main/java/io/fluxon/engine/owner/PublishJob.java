package io.fluxon.engine.owner;

import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PublishRequestEncoder;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.codecs.control.PutIdDecoder;
import io.fluxon.engine.memory.InvariantViolation;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.OperationIds;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Brings a committed put to its terminal result, forward only (contract A2): checksums, one publish request that is
 * repeated under its id until it is answered, promotion of all its keys. Keys that waited behind another put of the
 * same key and have to publish themselves go in a further round.
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
        /** Siblings of refused keys are withdrawn (contract A2: no incomplete group). */
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
        /** Waits for the outcome of other puts of its keys. */
        WAITING,
        /** Tells the worker. */
        FINISHING
    }

    private final OwnerCore core;
    private final MasterOperation operation;
    private final ExpandableArrayBuffer answer = new ExpandableArrayBuffer(256);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final PublishRequestEncoder request = new PublishRequestEncoder();
    private final PublishResponseDecoder response = new PublishResponseDecoder();
    private PublishRequestEncoder.EntriesEncoder entries;
    private PublishResponseDecoder.ResultsDecoder results;
    private int[] round = new int[64];
    private State state = State.FREE;
    private String reason;
    private WorkerSession session;
    private PutBatch batch;
    private long jobId;
    private long planId;
    private long requestId;
    private int cursor;
    private int group;
    private int roundCount;
    private int checksumsPending;
    private int followers;
    private int slotsHeld;
    private int refusal;
    private boolean hasFailures;
    private boolean isGroupFailed;

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
        hasFailures = false;
        if (round.length < batch.count)
        {
            round = new int[batch.count];
        }
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
                case FINISHING -> finish();
                case FREE, LOCAL_READY, QUEUED, PUBLISHING, WAITING -> false;
            };
        }
        while (isRunnable && before != state && isSmall);

        return isRunnable;
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
        hasFailures = true;
        releaseSlot(index);
    }

    /** The key has a committed value here, which wins. */
    void merge(final int index)
    {
        batch.states[index] = PutBatch.MERGED;
        core.counters.increment(OwnerCounter.PAGES_MERGED);
        releaseSlot(index);
    }

    void addFollower()
    {
        followers++;
    }

    /** The put that a key waits for has an outcome that is this key's too. */
    void onLeaderSettled(final int index, final int code)
    {
        followers--;
        if (ErrorCode.OK == code)
        {
            merge(index);
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
        batch.states[index] = PutBatch.OWN;
        wake();
    }

    void onChecksum(final int index, final long checksum)
    {
        core.table.checksum(batch.slots[index], checksum);
        batch.hasChecksum[index] = true;
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
        if (hasFailures || cursor > 0)
        {
            settleGroups();
            return true;
        }

        for (int i = 0; i < batch.count; i++)
        {
            if (PutBatch.OWN == batch.states[i])
            {
                return state(State.CHECKSUMMING, "keys to publish");
            }
        }

        if (followers > 0)
        {
            state(State.WAITING, "keys behind other puts");
            return false;
        }

        return state(State.FINISHING, "all keys have a result");
    }

    private void settleGroups()
    {
        final int end = Math.min(batch.count, cursor + core.settings.planSliceKeys());
        for (int i = cursor; i < end; i++)
        {
            if (0 == i)
            {
                hasFailures = false;
                group = 0;
                isGroupFailed = isFailed(0);
            }
            else if (i == batch.groupEnds[group])
            {
                group++;
                isGroupFailed = isFailed(group);
            }

            if (isGroupFailed)
            {
                withdraw(i);
            }
        }
        cursor = end == batch.count ? 0 : end;
    }

    private boolean isFailed(final int ofGroup)
    {
        for (int i = batch.groupStart(ofGroup); i < batch.groupEnds[ofGroup]; i++)
        {
            if (PutBatch.FAILED == batch.states[i])
            {
                return true;
            }
        }

        return false;
    }

    private void withdraw(final int index)
    {
        final byte entry = batch.states[index];
        if (PutBatch.OWN == entry)
        {
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
        final int end = Math.min(batch.count, cursor + core.settings.planSliceKeys());
        int i = cursor;
        while (i < end)
        {
            if (PutBatch.OWN == batch.states[i] && !batch.hasChecksum[i])
            {
                if (!core.context.checksumQueue().offer(
                    PublishService.token(jobId, i), core.pool.offset(batch.slots[i]), batch.valueLength))
                {
                    core.counters.increment(OwnerCounter.QUEUE_FULL);
                    break;
                }
                checksumsPending++;
            }
            i++;
        }
        cursor = i;
        if (i < batch.count)
        {
            return true;
        }

        if (checksumsPending > 0)
        {
            return false;
        }

        collectRound();
        state(State.QUEUED, "checksums known");
        core.publishes.enqueue(this);

        return false;
    }

    private void collectRound()
    {
        roundCount = 0;
        for (int i = 0; i < batch.count; i++)
        {
            if (PutBatch.OWN == batch.states[i] && batch.hasChecksum[i])
            {
                round[roundCount++] = i;
            }
        }
    }

    private boolean encode()
    {
        if (0 == cursor)
        {
            if (OperationIds.NONE == core.master.open(operation))
            {
                return true;
            }
            beginRequest();
        }

        final int end = Math.min(roundCount, cursor + core.settings.planSliceKeys());
        for (int i = cursor; i < end; i++)
        {
            encodeEntry(round[i]);
        }
        cursor = end;
        if (end < roundCount)
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
        encodeGroups();
        entries = request.entriesCount(roundCount);
    }

    private void encodeGroups()
    {
        int groups = 0;
        int last = -1;
        for (int i = 0; i < roundCount; i++)
        {
            last = nextGroup(last, round[i]);
            groups += 0 == i || round[i - 1] < batch.groupStart(last) ? 1 : 0;
        }

        final PublishRequestEncoder.AtomicGroupsEncoder encoder = request.atomicGroupsCount(groups);
        int i = 0;
        last = -1;
        while (i < roundCount)
        {
            last = nextGroup(last, round[i]);
            final int first = i;
            while (i < roundCount && round[i] < batch.groupEnds[last])
            {
                i++;
            }
            final int length = batch.groupLength(last);
            encoder.next().keyCount(i - first).mergedCount(length - (i - first)).groupLength(length);
        }
    }

    private int nextGroup(final int last, final int index)
    {
        int found = Math.max(0, last);
        while (index >= batch.groupEnds[found])
        {
            found++;
        }

        return found;
    }

    private void encodeEntry(final int index)
    {
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
        final int end = Math.min(roundCount, cursor + core.settings.planSliceKeys());
        for (int i = cursor; i < end; i++)
        {
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
            }
        }
        cursor = end;
        if (end < roundCount)
        {
            return true;
        }

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
        core.publishes.settleFollowers(slotId, ErrorCode.OK);
        if (LocalValues.NONE != core.values.commit(slotId))
        {
            core.pool.holderRelease(slotId);
        }
        batch.states[index] = PutBatch.PUBLISHED;
        batch.slots[index] = SlotTable.NONE;
        slotsHeld--;
    }

    private boolean finish()
    {
        if (session.isReachable() &&
            !core.puts.sendResult(session, requestId, planId, batch.codes, batch.count))
        {
            return true;
        }

        final RequestLog.Entry entry = session.requests.entryOf(requestId);
        if (null != entry)
        {
            entry.results(batch.codes, batch.count);
        }
        count();

        core.puts.onReservationOver(batch.reserveOperationId);
        final PutBatch done = batch;
        batch = null;
        session = null;
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
