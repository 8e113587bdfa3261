package io.fluxon.engine.owner;

import io.fluxon.codecs.control.EvictResult;
import io.fluxon.codecs.control.EvictSourceRequestEncoder;
import io.fluxon.codecs.control.EvictSourceResponseDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.RemovalStep;
import io.fluxon.engine.memory.InvariantViolation;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.engine.protocol.OperationIds;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.Arrays;

/**
 * Evicts one exact cohort, all or nothing (contract EVICT-1, EVICT-2): its members are hidden from readers, the master
 * is asked to remove their routes, and on its answer their slots are given back. Until that answer they stay hidden,
 * whatever happens; what is busy is shown again and tried later, and after {@link #MAX_ROUNDS} rounds goes back to the
 * hot window. One that the master has asked for, to delete a value of the cohort, has one round, and the master decides
 * whether there is another. A cohort of which no other owner may have a copy is offered to a remote_cache owner first,
 * for a bounded time (contract REPL-3). Pooled.
 * <pre>
 *   DEMOTING --copied, refused, or too late--&gt; SELECTED
 *
 *   SELECTED --all hidden--> PREPARED --sent--> ASKED --removed--> FREED
 *    ^  ^ |                   |                  |  |
 *    |  | +---in use---> BUSY &lt;---not offered----+  +--part absent--> STALE: these are obsolete
 *    |  |                 |  ^----busy-----------+                      |
 *    |  +-----RETRY &lt;-----+----8 rounds--> RESTORED                     |
 *    +------------------------------------------------- the rest -------+
 * </pre>
 */
final class EvictionJob extends Job implements OperationListener, OwnerTimers.TimerListener
{
    /** Rounds without success after which a cohort goes back to the window (contract EVICT-2). */
    static final int MAX_ROUNDS = 8;

    /**
     * Life of an eviction job.
     */
    enum State
    {
        /** In the pool. */
        FREE,
        /** A remote_cache owner may get a copy first; readers find the members (contract REPL-3). */
        DEMOTING,
        /** Its members are checked and hidden, slice by slice. */
        SELECTED,
        /** All are hidden; the request is encoded. */
        PREPARED,
        /** The master has been asked; members stay hidden until its answer. */
        ASKED,
        /** The routes are removed: references are dropped. */
        FREED,
        /** Some members were absent: these are dropped, the rest is selected anew. */
        STALE,
        /** A member is in use, or the master is away or busy: what is hidden is shown again. */
        BUSY,
        /** Waits before the next round; readers find the members. */
        RETRY,
        /** The members go back to their window. */
        RESTORED
    }

    private static final int MIN_CAPACITY = 8;
    private static final int MIN_IDS_TO_EVICT = 4096;

    private final OwnerCore core;
    private final SlotTable table;
    private final MasterOperation operation;
    private final UnsafeBuffer keyView = new UnsafeBuffer(0, 0);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final EvictSourceRequestEncoder request = new EvictSourceRequestEncoder();
    private final EvictSourceResponseDecoder response = new EvictSourceResponseDecoder();
    private EvictSourceRequestEncoder.MembersEncoder encoder;
    private int[] slots = new int[MIN_CAPACITY];
    private int[] asked = new int[MIN_CAPACITY];
    private boolean[] isAbsent = new boolean[MIN_CAPACITY];
    private ReplicaJob demotion;
    private State state = State.FREE;
    private String reason;
    private long jobId;
    private long removalId;
    private long selectedNs;
    private long delayNs;
    private long timerId = OwnerTimers.NONE;
    private int classIndex;
    private int count;
    private int live;
    private int askedCount;
    private int rounds;
    private int cursor;
    private long joins;
    private boolean hasMemberLeft;

    EvictionJob(final OwnerCore core)
    {
        this.core = core;
        table = core.table;
        operation = new MasterOperation(core.master);
        operation.listener = this;
        operation.sent = OwnerCounter.EVICT_SOURCES;
        operation.hasWatermark = true;
    }

    /**
     * Takes a victim, which has left its window, and all that go with it; they leave theirs.
     *
     * @param mayBeCopied to a remote_cache owner first.
     * @param ofRemovalId of the round of the master's that asks for it, {@link EvictionService#NO_REMOVAL} for none.
     */
    void open(final int victim, final boolean mayBeCopied, final long ofRemovalId)
    {
        jobId = core.nextId();
        removalId = ofRemovalId;
        selectedNs = core.nowNs();
        classIndex = core.pool.classIndex(victim);
        count = 0;
        rounds = 0;
        delayNs = 0;
        add(victim);
        addRing(victim);
        live = count;
        joins = core.rings.joins();
        core.budget.charge(count);
        core.evictions.ledger().select(classIndex, count);
        demotion = mayBeCopied ? core.replicas.demote(this, slots, count) : null;
        if (null == demotion)
        {
            state(State.SELECTED, "victim");
        }
        else
        {
            state(State.DEMOTING, "victim");
            timerId = core.timers.schedule(core.nowNs() + core.settings.replicas().demotionBoundNs(), this);
        }
    }

    /** The copy is made, or will not be. */
    void onDemotionOver()
    {
        demotion = null;
        core.timers.cancel(timerId);
        timerId = OwnerTimers.NONE;
        state(State.SELECTED, "demotion over");
        core.resume(this);
    }

    long jobId()
    {
        return jobId;
    }

    State state()
    {
        return state;
    }

    /** Round of the master's that has brought the job about, or {@link EvictionService#NO_REMOVAL}. */
    long removalId()
    {
        return removalId;
    }

    /** Members that the job still has. */
    int live()
    {
        return live;
    }

    /** The job as it is now, for inspection. */
    OwnerView.EvictionPicture picture()
    {
        return new OwnerView.EvictionPicture(
            jobId,
            OwnerView.EvictionState.valueOf(state.name()),
            State.ASKED == state ? operation.operationId : OperationIds.NONE,
            removalId,
            rounds,
            Arrays.stream(slots, 0, count).filter((slotId) -> SlotTable.NONE != slotId).toArray());
    }

    /** {@inheritDoc} */
    @Override
    boolean step(final long nowNs)
    {
        final boolean isSmall = count <= core.settings.planSliceKeys();
        boolean isRunnable;
        State before;
        do
        {
            before = state;
            isRunnable = switch (state)
            {
                case SELECTED -> hide();
                case PREPARED -> ask();
                case FREED -> free();
                case STALE -> dropAbsent();
                case BUSY -> show(nowNs);
                case RESTORED -> restore();
                case FREE, DEMOTING, ASKED, RETRY -> false;
            };
        }
        while (isRunnable && before != state && isSmall);

        return isRunnable;
    }

    /**
     * The master asks for the removal of a cohort that is waiting for its next round: this is the next one.
     *
     * @return false when the job is not waiting.
     */
    boolean adopt(final long ofRemovalId, final long nowNs)
    {
        final boolean isWaiting = State.RETRY == state;
        if (isWaiting)
        {
            core.timers.cancel(timerId);
            removalId = ofRemovalId;
            onTimer(timerId, nowNs);
        }

        return isWaiting;
    }

    /** A member is no committed backing any more, by other means than this job. */
    void onMemberLeft(final int index)
    {
        slots[index] = SlotTable.NONE;
        live--;
        hasMemberLeft = true;
        core.evictions.ledger().dropObsolete(classIndex, State.RETRY == state);
    }

    /** {@inheritDoc} */
    @Override
    public void onAnswer(final MasterOperation answered, final int templateId, final DirectBuffer message)
    {
        if (State.ASKED != state)
        {
            return;
        }

        if (EvictSourceResponseDecoder.TEMPLATE_ID == templateId)
        {
            onAnswer(response.wrap(
                message,
                MasterOperation.BLOCK_OFFSET,
                EvictSourceResponseDecoder.BLOCK_LENGTH,
                EvictSourceResponseDecoder.SCHEMA_VERSION));
        }
        else if (core.master.ackStatus(templateId, message) > ErrorCode.OK)
        {
            onAnswered(State.BUSY, "the master refuses");
        }
    }

    /** {@inheritDoc} */
    @Override
    public void onGivenUp(final MasterOperation givenUp)
    {
        throw new InvariantViolation("an eviction was given up");
    }

    /** {@inheritDoc} */
    @Override
    public void onTimer(final long expiredTimerId, final long nowNs)
    {
        timerId = OwnerTimers.NONE;
        if (State.DEMOTING == state)
        {
            demotion.abandon();
            return;
        }

        core.evictions.ledger().toProgress(classIndex, live);
        state(State.SELECTED, "next round");
        core.resume(this);
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        throw new InvariantViolation("eviction broke while " + state + " after " + reason + ": " + cause);
    }

    /** Takes what goes with a member and can be selected, as much as goes into one message. */
    private void addRing(final int member)
    {
        final int maxCount = core.settings.maxKeysPerBatch();
        for (int slotId = core.rings.next(member);
            member != slotId && count < maxCount;
            slotId = core.rings.next(slotId))
        {
            if (core.windows.isSelectable(slotId))
            {
                core.windows.onSelected(slotId);
                add(slotId);
            }
        }
    }

    private void add(final int slotId)
    {
        if (count == slots.length)
        {
            slots = Arrays.copyOf(slots, count << 1);
            asked = new int[count << 1];
            isAbsent = new boolean[count << 1];
        }
        table.eviction(slotId, jobId, count);
        slots[count++] = slotId;
    }

    private boolean hide()
    {
        if (0 == live)
        {
            return done("no member is left");
        }

        if (!core.master.isAvailable() || core.master.isBackPressured() ||
            core.master.availableIds() < MIN_IDS_TO_EVICT)
        {
            return state(State.BUSY, "no question to the master now");
        }

        if (0 == cursor && joins != core.rings.joins())
        {
            addJoined();
        }

        final int end = core.sliceEnd(cursor, count);
        for (int i = cursor; i < end; i++)
        {
            if (SlotTable.NONE != slots[i])
            {
                if (isInUse(slots[i]))
                {
                    return state(State.BUSY, "a member is in use");
                }
                core.values.hide(slots[i]);
            }
        }
        cursor = end;

        return end < count || state(State.PREPARED, "all hidden");
    }

    /** What goes with the members since they were selected is selected, too (contract EVICT-1). */
    private void addJoined()
    {
        joins = core.rings.joins();
        int member = SlotTable.NONE;
        for (int i = 0; i < count && SlotTable.NONE == member; i++)
        {
            member = slots[i];
        }

        final int before = count;
        addRing(member);
        live += count - before;
        core.budget.charge(count);
        core.evictions.ledger().select(classIndex, count - before);
    }

    /**
     * Has the value a reader beside the index, or is a put or transfer of its key, a put of its cohort, or the publish
     * that it is part of running? That one's group gets its ring value by value.
     */
    private boolean isInUse(final int slotId)
    {
        if (table.holderCount(slotId) > 1 || core.rings.isPublishing(slotId) ||
            core.publishes.isRunning(table.jobId(slotId)) ||
            LocalValues.NONE != core.values.findPendingSameKey(slotId))
        {
            return true;
        }

        final long low = table.digestLow(slotId);
        final long high = table.digestHigh(slotId);
        table.wrapKey(slotId, keyView);

        return core.inflightPuts.contains(low, high, keyView, 0, keyView.capacity()) ||
            null != core.flights.find(low, high, keyView, 0, keyView.capacity());
    }

    private boolean ask()
    {
        if (0 == cursor)
        {
            if (0 == live || OperationIds.NONE == core.master.open(operation))
            {
                return state(State.BUSY, "no operation id");
            }
            askedCount = 0;
            hasMemberLeft = false;
            encoder = request.wrapAndApplyHeader(operation.buffer, 0, header)
                .generation(core.context.generation())
                .correlationId(operation.operationId)
                .removalId(removalId)
                .membersCount(live);
        }

        final int end = core.sliceEnd(cursor, count);
        for (int i = cursor; i < end && !hasMemberLeft; i++)
        {
            if (SlotTable.NONE != slots[i])
            {
                encode(i);
            }
        }
        cursor = end;
        if (end < count && !hasMemberLeft)
        {
            return true;
        }

        return send();
    }

    private void encode(final int index)
    {
        final int slotId = slots[index];
        asked[askedCount++] = index;
        encoder.next();
        encoder.version()
            .ownerId(table.putOwnerId(slotId))
            .generation(table.putGeneration(slotId))
            .sequence(table.putSequence(slotId));
        encoder.backing()
            .grantId(table.grantId(slotId))
            .slotIndex(table.slotIndex(slotId))
            .slotSize(table.slotSize(slotId))
            .useCounter(table.useCounter(slotId))
            .slotOffset(core.pool.offset(slotId));
        table.wrapKey(slotId, keyView);
        encoder.putKey(keyView, 0, keyView.capacity());
    }

    /** The first send decides: what was not offered then never is, so that it can be shown again (contract EVICT-2). */
    private boolean send()
    {
        operation.length = MessageHeaderEncoder.ENCODED_LENGTH + request.encodedLength();
        if (!hasMemberLeft)
        {
            state(State.ASKED, "request complete");
            core.master.send(operation, Long.MAX_VALUE);
        }

        if (0 == operation.sends)
        {
            core.master.close(operation);
            return state(State.BUSY, "never offered");
        }

        return false;
    }

    private void onAnswer(final EvictSourceResponseDecoder answer)
    {
        final EvictResult result = answer.result();
        final EvictSourceResponseDecoder.MembersDecoder members = answer.members();
        if (EvictResult.BUSY == result)
        {
            onAnswered(State.BUSY, "the master is busy");
        }
        else if (askedCount != members.count() || EvictResult.NULL_VAL == result)
        {
            core.counters.increment(OwnerCounter.MESSAGES_MALFORMED);
        }
        else if (EvictResult.REMOVED == result)
        {
            core.master.beginApplying();
            onAnswered(State.FREED, "removed");
        }
        else
        {
            boolean isAnyAbsent = false;
            for (int i = 0; i < askedCount; i++)
            {
                isAbsent[i] = 0 != members.next().absent();
                isAnyAbsent |= isAbsent[i];
            }
            core.master.beginApplying();
            core.counters.increment(OwnerCounter.EVICT_STALE);
            rounds += isAnyAbsent ? 0 : 1;
            // the rest goes by itself: what it was to go with is gone
            endRemoval();
            onAnswered(State.STALE, "a part is absent");
        }
    }

    private void onAnswered(final State next, final String why)
    {
        core.master.close(operation);
        state(next, why);
        core.resume(this);
    }

    private boolean free()
    {
        final int end = core.sliceEnd(cursor, count);
        for (int i = cursor; i < end; i++)
        {
            if (SlotTable.NONE != slots[i])
            {
                final int slotId = slots[i];
                core.evictions.ledger().free(classIndex);
                drop(i);
                if (SlotState.FREE == table.state(slotId))
                {
                    core.evictions.times().record(core.nowNs() - selectedNs);
                }
            }
        }
        cursor = end;
        if (end < count)
        {
            return true;
        }

        if (EvictionService.NO_REMOVAL != removalId)
        {
            core.master.removal(removalId, RemovalStep.FINALIZED);
        }
        core.master.endApplying();
        core.evictions.tellReaders();

        return done("removed");
    }

    private boolean dropAbsent()
    {
        final int end = core.sliceEnd(cursor, askedCount);
        for (int i = cursor; i < end; i++)
        {
            final int index = asked[i];
            if (SlotTable.NONE != slots[index])
            {
                if (isAbsent[i])
                {
                    core.evictions.ledger().dropObsolete(classIndex, false);
                    drop(index);
                }
                else
                {
                    core.values.show(slots[index]);
                }
            }
        }
        cursor = end;
        if (end < askedCount)
        {
            return true;
        }

        core.master.endApplying();
        core.evictions.tellReaders();

        return state(rounds < MAX_ROUNDS ? State.SELECTED : State.RESTORED, "absent members dropped");
    }

    /** The route's reference and the resident holder go in one step (contract EVICT-2). */
    private void drop(final int index)
    {
        final int slotId = slots[index];
        slots[index] = SlotTable.NONE;
        live--;
        table.eviction(slotId, 0, 0);
        core.values.retire(slotId);
    }

    private boolean show(final long nowNs)
    {
        final int end = core.sliceEnd(cursor, count);
        for (int i = cursor; i < end; i++)
        {
            if (SlotTable.NONE != slots[i] && Residence.HIDDEN == table.residence(slots[i]))
            {
                core.values.show(slots[i]);
            }
        }
        cursor = end;
        if (end < count)
        {
            return true;
        }

        core.evictions.tellReaders();
        core.counters.increment(OwnerCounter.EVICT_BUSY);
        if (EvictionService.NO_REMOVAL != removalId)
        {
            core.master.removal(removalId, RemovalStep.IN_USE);
            return state(State.RESTORED, reason);
        }

        if (++rounds >= MAX_ROUNDS)
        {
            return state(State.RESTORED, reason);
        }

        core.evictions.ledger().toRetry(classIndex, live);
        delayNs = Limits.nextRetryDelayNs(delayNs);
        timerId = core.timers.schedule(nowNs + delayNs, this);
        state(State.RETRY, reason);

        return false;
    }

    private boolean restore()
    {
        core.windows.beginRun();
        for (int i = 0; i < count; i++)
        {
            if (SlotTable.NONE != slots[i])
            {
                table.eviction(slots[i], 0, 0);
                core.evictions.ledger().restore(classIndex);
                core.windows.append(slots[i]);
                live--;
            }
        }
        core.budget.charge(count);
        core.windows.admitRun();

        return done("busy for too long");
    }

    private boolean done(final String why)
    {
        encoder = null;
        endRemoval();
        state(State.FREE, why);
        core.evictions.free(this);

        return false;
    }

    private void endRemoval()
    {
        if (EvictionService.NO_REMOVAL != removalId)
        {
            core.evictions.endRemoval(removalId);
            removalId = EvictionService.NO_REMOVAL;
        }
    }

    private boolean state(final State next, final String why)
    {
        state = next;
        reason = why;
        cursor = 0;

        return true;
    }
}
