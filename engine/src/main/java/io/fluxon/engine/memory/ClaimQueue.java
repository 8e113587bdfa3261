package io.fluxon.engine.memory;

import io.fluxon.codecs.control.Stage;
import io.fluxon.ipc.ErrorCode;

/**
 * Claims that wait for slots, in arrival order per class (contract SLOT-4).
 * <p>
 * A claim gets all its slots or none: they are <em>set aside</em> in one step and then taken one by one, so nobody
 * waits while holding a part. Only the oldest claim of a class is served, and a later one never passes it. Between
 * classes, a younger claim may take grants while an older one of another class waits for more than there are, but not
 * for ever: after {@link #MAX_OVERTAKES} times no younger claim gets a grant until the older one is served or has
 * ended.
 * <p>
 * Waits end by time: puts after the hard timeout, gets after the soft one, with RESERVE_TIMEOUT. Confined to one
 * thread; allocates nothing but the text of {@link #describe}.
 */
public final class ClaimQueue
{
    /** Answer of {@link #submit}: the claim waits and its listener will hear. */
    public static final int WAITING = -1;

    /** How often younger claims of other classes may take grants while an older claim waits for some. */
    public static final int MAX_OVERTAKES = 16;

    private final SlotPool pool;
    private final Claim[] heads;
    private final Claim[] tails;
    private final int maxWaiting;
    private final long softTimeoutNs;
    private final long hardTimeoutNs;
    private Claim expiredHead;
    private Claim expiredTail;
    private int waiting;
    private long nextSequence;
    private long earliestDeadlineNs = Long.MAX_VALUE;
    private long seenChanges;
    private boolean isDirty;
    private boolean isMasterAway;

    /**
     * An empty queue.
     *
     * @param pool whose slots are claimed.
     */
    public ClaimQueue(final SlotPool pool)
    {
        this.pool = pool;
        heads = new Claim[pool.classCount()];
        tails = new Claim[pool.classCount()];
        maxWaiting = pool.plan().maxWaitingClaims();
        softTimeoutNs = pool.plan().softTimeoutNs();
        hardTimeoutNs = pool.plan().hardTimeoutNs();
    }

    /**
     * Asks for slots.
     *
     * @param claim       idle.
     * @param kind        what for; decides how long it may wait.
     * @param valueLength of each value, in bytes.
     * @param count       number of slots, at least 1.
     * @param maxWaitNs   how long the caller waits at most, {@link Long#MAX_VALUE} when it has no bound of its own.
     * @param nowNs       time.
     * @return {@link ErrorCode#OK}: the slots are set aside, {@link #take} them; {@link #WAITING}: the listener will
     * hear; else nothing happened and the claim is idle: NO_SPACE (more slots than the class can ever have),
     * BACK_PRESSURED (too many claims wait, or too many slot classes are in use), INVALID_ARGUMENT (the value fits no
     * slot, or count is less than 1).
     */
    public int submit(
        final Claim claim,
        final ClaimKind kind,
        final long valueLength,
        final int count,
        final long maxWaitNs,
        final long nowNs)
    {
        if (Claim.State.IDLE != claim.state)
        {
            throw new InvariantViolation("claim is in use: " + claim.state);
        }

        claim.kind = kind;
        claim.count = count;
        claim.startNs = nowNs;
        claim.failedStage = Stage.NONE;
        claim.classIndex = SlotTable.NONE;
        if (count < 1 || valueLength < 1 || valueLength > pool.plan().maxValueLength())
        {
            return ErrorCode.INVALID_ARGUMENT;
        }

        claim.classIndex = pool.classFor(valueLength);
        if (SlotTable.NONE == claim.classIndex)
        {
            return ErrorCode.BACK_PRESSURED;
        }

        final SlotClass slotClass = pool.slotClass(claim.classIndex);
        if (count > slotClass.maxSlots())
        {
            return ErrorCode.NO_SPACE;
        }

        claim.sequence = nextSequence++;
        claim.overtaken = 0;
        claim.deadlineNs = nowNs + Math.min(maxWaitNs, ClaimKind.PUT == kind ? hardTimeoutNs : softTimeoutNs);
        if (0 == slotClass.waitingClaims && setAside(claim))
        {
            return ErrorCode.OK;
        }

        if (waiting >= maxWaiting)
        {
            return ErrorCode.BACK_PRESSURED;
        }

        enqueue(claim, slotClass);

        return WAITING;
    }

    /**
     * Takes the next slot of a granted claim. With the last one the claim becomes idle.
     *
     * @param claim granted, with {@link Claim#remaining()} more than 0.
     * @return a slot that is {@link SlotState#PREPARED} with one holder.
     */
    public int take(final Claim claim)
    {
        if (Claim.State.GRANTED != claim.state)
        {
            throw new InvariantViolation("claim is not granted: " + claim.state);
        }

        final int slotId = pool.take(claim.classIndex);
        if (0 == --claim.remaining)
        {
            claim.state = Claim.State.IDLE;
        }

        return slotId;
    }

    /**
     * Ends a claim in any state: it leaves the queue, and slots that are set aside but not taken are given back. Slots
     * that were taken are not touched. The listener hears nothing. An idle claim stays idle.
     *
     * @param claim to end.
     */
    public void cancel(final Claim claim)
    {
        switch (claim.state)
        {
            case WAITING ->
            {
                dequeue(claim);
                waiting--;
                isDirty = true;
            }
            case GRANTED -> pool.putBack(claim.classIndex, claim.remaining);
            case EXPIRED ->
            {
                unlinkExpired(claim);
                waiting--;
            }
            case IDLE ->
            {
            }
        }

        claim.remaining = 0;
        claim.state = Claim.State.IDLE;
    }

    /**
     * One duty cycle: ends claims whose time is over, then serves waiting claims if something was given back since the
     * last time, oldest first.
     *
     * @param nowNs time.
     * @param limit most calls of listeners; what is left over is done in the next duty cycle.
     * @return number of listeners that were called.
     */
    public int poll(final long nowNs, final int limit)
    {
        if (0 == waiting)
        {
            return 0;
        }

        if (nowNs >= earliestDeadlineNs)
        {
            expire(nowNs);
        }

        int work = 0;
        while (work < limit && null != expiredHead)
        {
            fail(expiredHead, nowNs);
            work++;
        }

        if (isDirty || seenChanges != pool.changes())
        {
            work += serve(nowNs, limit - work);
        }

        return work;
    }

    /**
     * Says whether the master is away, for the stage of waits that end meanwhile (contract LIFE-3).
     *
     * @param isMasterAway true while it cannot confirm anything, so that no put can finish.
     */
    public void masterAway(final boolean isMasterAway)
    {
        this.isMasterAway = isMasterAway;
    }

    /**
     * Number of claims that wait, or whose listener is still to hear that their time is over.
     *
     * @return from 0 to {@link CapacityPlan#maxWaitingClaims()}.
     */
    public int waiting()
    {
        return waiting;
    }

    /**
     * What a claim's end looked like, for the caller of an operation that failed: stage and state of the pool
     * (contract API-8, SLOT-4). Allocates; only for failures.
     *
     * @param claim that was refused by {@link #submit} or is being failed.
     * @param nowNs time.
     * @return text for the error message.
     */
    public String describe(final Claim claim, final long nowNs)
    {
        final StringBuilder text = new StringBuilder(400)
            .append(claim.count).append(" slots for a ").append(ClaimKind.PUT == claim.kind ? "put" : "get");
        if (Stage.NONE != claim.failedStage)
        {
            text.append(": stage ").append(stageName(claim.failedStage))
                .append(" ended after ").append((nowNs - claim.startNs) / 1_000_000).append(" ms");
        }
        if (SlotTable.NONE != claim.classIndex)
        {
            describeClass(text, pool.slotClass(claim.classIndex));
        }

        return text
            .append("; grants unassigned ").append(pool.unassignedGrants())
            .append(" of ").append(pool.plan().grantCount())
            .append(", slot classes ").append(pool.activeClasses()).append(" of ").append(pool.classCount())
            .append(", claims waiting ").append(waiting).append(" of ").append(maxWaiting)
            .append(", longest value ").append(pool.plan().maxValueLength()).append(" B")
            .toString();
    }

    /**
     * Name of a claim's stage as error texts have it.
     *
     * @param stage CLAIM_TURN, REFILL or MASTER_AWAY.
     * @return its name in small letters.
     */
    public static String stageName(final Stage stage)
    {
        return switch (stage)
        {
            case CLAIM_TURN -> "claim_turn";
            case REFILL -> "refill";
            case MASTER_AWAY -> "master_away";
            default -> "none";
        };
    }

    private static void describeClass(final StringBuilder text, final SlotClass slotClass)
    {
        text.append("; class of ").append(slotClass.slotSize()).append(" B: grants ").append(slotClass.grants())
            .append(" of at most ").append(slotClass.maxGrants())
            .append(", slots ").append(slotClass.slots()).append(" of at most ").append(slotClass.maxSlots());
        for (int code = 0; code < SlotState.COUNT; code++)
        {
            final SlotState state = SlotState.get(code);
            text.append(", ").append(state).append(' ').append(slotClass.count(state));
        }
        text.append(", set aside ").append(slotClass.setAside())
            .append(", waiting ").append(slotClass.waitingClaims()).append(" claims for ")
            .append(slotClass.waitingSlots()).append(" slots");
    }

    private boolean setAside(final Claim claim)
    {
        final SlotClass slotClass = pool.slotClass(claim.classIndex);
        final boolean grows = slotClass.available() < claim.count;
        if (!pool.setAside(claim.classIndex, claim.count, claim.sequence, !grows || mayTakeGrants(claim)))
        {
            return false;
        }

        if (grows)
        {
            countOvertake(claim);
        }
        claim.state = Claim.State.GRANTED;
        claim.remaining = claim.count;

        return true;
    }

    private boolean mayTakeGrants(final Claim claim)
    {
        for (int i = 0; i < heads.length && waiting > 0; i++)
        {
            final Claim head = heads[i];
            if (null != head && head.sequence < claim.sequence && head.overtaken >= MAX_OVERTAKES)
            {
                return false;
            }
        }

        return true;
    }

    private void countOvertake(final Claim claim)
    {
        for (int i = 0; i < heads.length && waiting > 0; i++)
        {
            final Claim head = heads[i];
            if (null != head && head.sequence < claim.sequence && canGrow(pool.slotClass(i)))
            {
                head.overtaken++;
            }
        }
    }

    private static boolean canGrow(final SlotClass slotClass)
    {
        return slotClass.minGrants() < slotClass.maxGrants();
    }

    private int serve(final long nowNs, final int limit)
    {
        final long changes = pool.changes();
        long lastSequence = -1;
        int work = 0;
        isDirty = false;
        for (Claim head = oldestAfter(lastSequence); null != head; head = oldestAfter(lastSequence))
        {
            if (work == limit)
            {
                isDirty = true;
                break;
            }

            lastSequence = head.sequence;
            if (setAside(head))
            {
                dequeue(head);
                waiting--;
                head.listener().onClaimGranted(head, nowNs);
                work++;
            }
        }
        seenChanges = changes;

        return work;
    }

    private Claim oldestAfter(final long sequence)
    {
        Claim oldest = null;
        for (int i = 0; i < heads.length && waiting > 0; i++)
        {
            final Claim head = heads[i];
            if (null != head && head.sequence > sequence && (null == oldest || head.sequence < oldest.sequence))
            {
                oldest = head;
            }
        }

        return oldest;
    }

    private void expire(final long nowNs)
    {
        long earliest = Long.MAX_VALUE;
        for (int i = 0; i < heads.length; i++)
        {
            final Claim head = heads[i];
            Claim claim = head;
            while (null != claim)
            {
                final Claim next = claim.next;
                if (nowNs >= claim.deadlineNs)
                {
                    dequeue(claim);
                    claim.failedStage = stage(claim == head);
                    linkExpired(claim);
                    isDirty = true;
                }
                else
                {
                    earliest = Math.min(earliest, claim.deadlineNs);
                }
                claim = next;
            }
        }
        earliestDeadlineNs = earliest;
    }

    private Stage stage(final boolean isHead)
    {
        if (isMasterAway)
        {
            return Stage.MASTER_AWAY;
        }

        return isHead ? Stage.REFILL : Stage.CLAIM_TURN;
    }

    private void fail(final Claim claim, final long nowNs)
    {
        unlinkExpired(claim);
        waiting--;
        claim.state = Claim.State.IDLE;
        claim.listener().onClaimFailed(claim, ErrorCode.RESERVE_TIMEOUT, claim.failedStage, nowNs);
    }

    private void enqueue(final Claim claim, final SlotClass slotClass)
    {
        final int classIndex = claim.classIndex;
        claim.state = Claim.State.WAITING;
        claim.next = null;
        claim.previous = tails[classIndex];
        if (null == claim.previous)
        {
            heads[classIndex] = claim;
            slotClass.oldestClaim = claim.sequence;
        }
        else
        {
            claim.previous.next = claim;
        }
        tails[classIndex] = claim;

        slotClass.waitingClaims++;
        slotClass.waitingSlots += claim.count;
        waiting++;
        earliestDeadlineNs = Math.min(earliestDeadlineNs, claim.deadlineNs);
    }

    private void dequeue(final Claim claim)
    {
        final int classIndex = claim.classIndex;
        final SlotClass slotClass = pool.slotClass(classIndex);
        if (null == claim.previous)
        {
            heads[classIndex] = claim.next;
            slotClass.oldestClaim = null == claim.next ? Long.MAX_VALUE : claim.next.sequence;
        }
        else
        {
            claim.previous.next = claim.next;
        }

        if (null == claim.next)
        {
            tails[classIndex] = claim.previous;
        }
        else
        {
            claim.next.previous = claim.previous;
        }

        claim.previous = null;
        claim.next = null;
        slotClass.waitingClaims--;
        slotClass.waitingSlots -= claim.count;
    }

    private void linkExpired(final Claim claim)
    {
        claim.state = Claim.State.EXPIRED;
        claim.previous = expiredTail;
        if (null == expiredTail)
        {
            expiredHead = claim;
        }
        else
        {
            expiredTail.next = claim;
        }
        expiredTail = claim;
    }

    private void unlinkExpired(final Claim claim)
    {
        if (null == claim.previous)
        {
            expiredHead = claim.next;
        }
        else
        {
            claim.previous.next = claim.next;
        }

        if (null == claim.next)
        {
            expiredTail = claim.previous;
        }
        else
        {
            claim.next.previous = claim.previous;
        }
        claim.previous = null;
        claim.next = null;
    }
}
