package io.fluxon.engine.owner;

import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.ReplicaResult;
import io.fluxon.codecs.control.ReplicaStartRequestEncoder;
import io.fluxon.codecs.control.ReplicaStartResponseDecoder;
import io.fluxon.engine.memory.InvariantViolation;
import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.OperationIds;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Has one atomic group copied to a remote_cache owner, at the group's source (contract REPL-1): asks the master for a
 * target, and holds the values in place until it hears how the copy has ended, or for a bounded time. What is queued or
 * waits for its next try holds nothing, so that it never keeps a slot from being freed (contract S3). Pooled.
 * <pre>
 *   QUEUED --&gt; PINNING --&gt; ASKED --&gt; TARGETED --&gt; DONE
 *                 ^           |          |  |
 *                 +--- RETRY &lt;+----------+  +--&gt; GAVE_UP
 * </pre>
 */
final class ReplicaJob extends Job implements OperationListener, OwnerTimers.TimerListener
{
    /**
     * Tries of a group whose keys are being written at the target (contract REPL-1). A victim has them, too: the owner
     * that gives its copy up may be about to evict an older one of the same value, and both would go.
     */
    static final int MAX_TRIES = 3;

    /**
     * Life of a replica job.
     */
    enum State
    {
        /** In the pool. */
        FREE,
        /** Waits for its turn. */
        QUEUED,
        /** Its values are pinned and its request encoded, slice by slice. */
        PINNING,
        /** The master looks for a target. */
        ASKED,
        /** A target has been told to bring the group to it. */
        TARGETED,
        /** Waits for its next try. */
        RETRY,
        /** A remote_cache owner has the whole group; the pins go. */
        DONE,
        /** It has not; the pins go. */
        GAVE_UP
    }

    /**
     * How a copy has ended, and where its pages are counted.
     */
    private enum Outcome
    {
        /** It was made. */
        DONE(OwnerCounter.REPLICA_PAGES_DONE, OwnerCounter.DEMOTION_PAGES_DONE),
        /** It was there. */
        SATISFIED(OwnerCounter.REPLICA_PAGES_SATISFIED, OwnerCounter.DEMOTION_PAGES_SATISFIED),
        /** Nobody has room for it. */
        NO_SPACE(OwnerCounter.REPLICA_PAGES_NO_SPACE, OwnerCounter.DEMOTION_PAGES_NO_SPACE),
        /** A value had gone before. */
        OBSOLETE(OwnerCounter.REPLICA_PAGES_OBSOLETE, OwnerCounter.DEMOTION_PAGES_GAVE_UP),
        /** It failed, or was not heard of in time. */
        GAVE_UP(OwnerCounter.REPLICA_PAGES_GAVE_UP, OwnerCounter.DEMOTION_PAGES_GAVE_UP);

        private final OwnerCounter ofWish;
        private final OwnerCounter ofDemotion;

        Outcome(final OwnerCounter ofWish, final OwnerCounter ofDemotion)
        {
            this.ofWish = ofWish;
            this.ofDemotion = ofDemotion;
        }
    }

    private static final int MIN_CAPACITY = 8;
    private static final long FIRST_DELAY_NS = TimeUnit.MILLISECONDS.toNanos(25);

    private final OwnerCore core;
    private final SlotTable table;
    private final MasterOperation operation;
    private final UnsafeBuffer keyView = new UnsafeBuffer(0, 0);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final ReplicaStartRequestEncoder request = new ReplicaStartRequestEncoder();
    private final ReplicaStartResponseDecoder response = new ReplicaStartResponseDecoder();
    private ReplicaStartRequestEncoder.MembersEncoder encoder;
    private int[] slots = new int[MIN_CAPACITY];
    private long[] uses = new long[MIN_CAPACITY];
    private long[] digests = new long[MIN_CAPACITY];
    private State state = State.FREE;
    private String reason;
    private Outcome outcome;
    private Outcome outcomeOfCopy;
    private long timerId = OwnerTimers.NONE;
    private int count;
    private int pinned;
    private int cursor;
    private int tries;
    private long bytes;
    private long begunNs;
    private long demotionEndNs;
    private EvictionJob eviction;

    ReplicaJob(final OwnerCore core)
    {
        this.core = core;
        table = core.table;
        operation = new MasterOperation(core.master);
        operation.listener = this;
        operation.sent = OwnerCounter.REPLICA_STARTS;
        operation.hasWatermark = true;
    }

    /** Begins a group; what is evicted waits for its end (contract REPL-3), null = a put wishes the copy. */
    void open(final EvictionJob ofEviction)
    {
        eviction = ofEviction;
        demotionEndNs = core.nowNs() + core.settings.replicas().demotionBoundNs();
        outcomeOfCopy = Outcome.DONE;
        bytes = 0;
        count = 0;
        pinned = 0;
        tries = 0;
        state(State.QUEUED, "wished");
    }

    /** The next member of the group: a committed value. */
    void add(final int slotId)
    {
        if (count == slots.length)
        {
            slots = Arrays.copyOf(slots, count << 1);
            uses = Arrays.copyOf(uses, count << 1);
            digests = Arrays.copyOf(digests, count << 1);
        }
        slots[count] = slotId;
        digests[count] = table.digestLow(slotId);
        bytes += table.slotSize(slotId);
        uses[count++] = table.useCounter(slotId);
    }

    State state()
    {
        return state;
    }

    int count()
    {
        return count;
    }

    /** Digest of a member's key. */
    long digest(final int index)
    {
        return digests[index];
    }

    /** Holders that the job has, for audits. */
    int slotsHeld()
    {
        return pinned;
    }

    /** The job as it is now, for inspection. */
    ReplicaView.ReplicaPicture picture()
    {
        return new ReplicaView.ReplicaPicture(
            operation.operationId,
            State.ASKED == state || State.TARGETED == state,
            isDemotion(),
            pinned,
            Arrays.copyOf(slots, count));
    }

    /** Operation by which the master names the job. */
    long operationId()
    {
        return operation.operationId;
    }

    /** Visits the holders of the job, for inspection. */
    void visitHeld(final OwnerView.HolderVisitor visitor)
    {
        for (int i = 0; i < pinned; i++)
        {
            visitor.onHolder(OwnerView.Holder.REPLICA, operation.operationId, slots[i]);
        }
    }

    /** Is the copy one of values that are about to be evicted? */
    boolean isDemotion()
    {
        return null != eviction;
    }

    /** Time since its turn has come; only of a job that has begun. */
    long underWayNs(final long nowNs)
    {
        return nowNs - begunNs;
    }

    /** Slot bytes of the group. */
    long bytes()
    {
        return bytes;
    }

    /** The eviction waits no longer: what is pinned is given back, whatever becomes of the copy. */
    void abandon()
    {
        if (State.DONE != state && State.GAVE_UP != state)
        {
            core.replicas.withdraw(this);
            core.master.close(operation);
            over(State.GAVE_UP, Outcome.GAVE_UP, "too late");
        }
    }

    /** The job's turn has come. */
    void begin(final long nowNs)
    {
        begunNs = 0 == tries ? nowNs : begunNs;
        tries++;
        state(State.PINNING, "its turn");
        core.jobs.start(this, nowNs);
    }

    /** The master says how the copy has ended. */
    void onEnd(final int code)
    {
        if (State.ASKED != state && State.TARGETED != state)
        {
            return;
        }

        core.master.close(operation);
        if (ErrorCode.OK == code)
        {
            over(State.DONE, outcomeOfCopy, "copied");
        }
        else if (ErrorCode.KEY_BEING_WRITTEN == code)
        {
            tryAgain("a key is busy at the target");
        }
        else if (ErrorCode.BACK_PRESSURED == code && !isDemotion())
        {
            tryAgain("the target is busy");
        }
        else
        {
            over(State.GAVE_UP, ErrorCode.NO_SPACE == code ? Outcome.NO_SPACE : Outcome.GAVE_UP, "the target failed");
        }
    }

    /** {@inheritDoc} */
    @Override
    boolean step(final long nowNs)
    {
        return switch (state)
        {
            case PINNING -> pin(nowNs);
            case DONE, GAVE_UP -> end();
            case RETRY -> pinned > 0 && unpin();
            case FREE, QUEUED, ASKED, TARGETED -> false;
        };
    }

    /** {@inheritDoc} */
    @Override
    public void onAnswer(final MasterOperation answered, final int templateId, final DirectBuffer message)
    {
        if (State.ASKED != state)
        {
            return;
        }

        if (ReplicaStartResponseDecoder.TEMPLATE_ID == templateId)
        {
            core.master.close(operation);
            onAnswer(response.wrap(
                message,
                MasterOperation.BLOCK_OFFSET,
                ReplicaStartResponseDecoder.BLOCK_LENGTH,
                ReplicaStartResponseDecoder.SCHEMA_VERSION).result());
        }
        else if (core.master.ackStatus(templateId, message) > ErrorCode.OK)
        {
            core.master.close(operation);
            over(State.GAVE_UP, Outcome.GAVE_UP, "refused");
        }
    }

    /** {@inheritDoc} */
    @Override
    public void onGivenUp(final MasterOperation givenUp)
    {
        throw new InvariantViolation("a replica start was given up");
    }

    /** {@inheritDoc} */
    @Override
    public void onTimer(final long expiredTimerId, final long nowNs)
    {
        timerId = OwnerTimers.NONE;
        if (State.RETRY == state && pinned > 0)
        {
            timerId = core.timers.schedule(nowNs + FIRST_DELAY_NS, this);
        }
        else if (State.RETRY == state)
        {
            begin(nowNs);
        }
        else if (State.ASKED == state || State.TARGETED == state)
        {
            core.master.close(operation);
            over(State.GAVE_UP, Outcome.GAVE_UP, "not heard of in time");
        }
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        throw new InvariantViolation("replica job broke while " + state + " after " + reason + ": " + cause);
    }

    private boolean pin(final long nowNs)
    {
        if (0 == cursor)
        {
            if (OperationIds.NONE == core.master.open(operation))
            {
                return over(State.GAVE_UP, Outcome.GAVE_UP, "no operation id");
            }
            core.replicas.asked(this);
            encoder = request.wrapAndApplyHeader(operation.buffer, 0, header)
                .generation(core.context.generation())
                .correlationId(operation.operationId)
                .timeoutNs(isDemotion() ? Math.max(1, demotionEndNs - nowNs) : core.settings.replicas().timeoutNs())
                .isDemotion((short)(isDemotion() ? 1 : 0))
                .membersCount(count);
        }

        final int end = core.sliceEnd(cursor, count);
        for (int i = cursor; i < end; i++)
        {
            if (!isThere(i))
            {
                core.master.close(operation);
                return over(State.GAVE_UP, Outcome.OBSOLETE, "a member is gone");
            }
            core.pool.holderAdd(slots[i]);
            pinned++;
            encode(slots[i]);
        }
        cursor = end;
        if (end < count)
        {
            return true;
        }

        operation.length = MessageHeaderEncoder.ENCODED_LENGTH + request.encodedLength();
        state(State.ASKED, "request complete");
        timerId = core.timers.schedule(nowNs + core.settings.replicas().timeoutNs(), this);
        core.master.send(operation, Long.MAX_VALUE);

        return false;
    }

    /** Is the member's value the one that the job was made for, and not about to go? */
    private boolean isThere(final int index)
    {
        final int slotId = slots[index];
        final Residence residence = table.residence(slotId);

        return uses[index] == table.useCounter(slotId) && Residence.NONE != residence && Residence.HIDDEN != residence;
    }

    private void encode(final int slotId)
    {
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

    private void onAnswer(final ReplicaResult result)
    {
        switch (result)
        {
            case SCHEDULED, RENEWED -> targeted(ReplicaResult.RENEWED == result ? Outcome.SATISFIED : Outcome.DONE);
            case SATISFIED -> over(State.DONE, Outcome.SATISFIED, "copied already");
            case NO_SPACE -> over(State.GAVE_UP, Outcome.NO_SPACE, "no target");
            case OBSOLETE -> over(State.GAVE_UP, Outcome.OBSOLETE, "a route is gone");
            case BUSY -> onBusy();
            case NULL_VAL -> over(State.GAVE_UP, Outcome.GAVE_UP, "unknown answer");
        }
    }

    private void targeted(final Outcome ofCopy)
    {
        outcomeOfCopy = ofCopy;
        state(State.TARGETED, "a target is told");
    }

    /** A victim does not wait for others' copies to end. */
    private void onBusy()
    {
        if (isDemotion())
        {
            over(State.GAVE_UP, Outcome.GAVE_UP, "the master is busy");
        }
        else
        {
            tryAgain("the master is busy");
        }
    }

    private void tryAgain(final String why)
    {
        if (tries >= MAX_TRIES)
        {
            over(State.GAVE_UP, Outcome.GAVE_UP, why);
            return;
        }

        core.counters.increment(OwnerCounter.REPLICA_RETRIES);
        core.timers.cancel(timerId);
        core.replicas.answered(this);
        state(State.RETRY, why);
        timerId = core.timers.schedule(core.nowNs() + (FIRST_DELAY_NS << tries - 1), this);
        core.resume(this);
    }

    private boolean over(final State next, final Outcome how, final String why)
    {
        core.timers.cancel(timerId);
        timerId = OwnerTimers.NONE;
        core.replicas.answered(this);
        outcome = how;
        state(next, why);
        core.resume(this);

        return true;
    }

    private boolean unpin()
    {
        final int end = Math.max(0, pinned - core.settings.planSliceKeys());
        core.budget.charge(pinned - end);
        while (pinned > end)
        {
            core.pool.holderRelease(slots[--pinned]);
        }

        return pinned > 0;
    }

    private boolean end()
    {
        if (unpin())
        {
            return true;
        }

        core.counters.add(isDemotion() ? outcome.ofDemotion : outcome.ofWish, count);
        final EvictionJob waiting = eviction;
        encoder = null;
        state(State.FREE, "over");
        core.replicas.free(this);
        if (null != waiting)
        {
            waiting.onDemotionOver();
        }

        return false;
    }

    private boolean state(final State next, final String why)
    {
        state = next;
        reason = why;
        cursor = 0;

        return true;
    }
}
