package io.fluxon.engine.memory;

import io.fluxon.codecs.control.Stage;

/**
 * A wish for a number of slots of one class, all or nothing (contract SLOT-4). Reusable: a pooled job has one for life
 * and submits it to the {@link ClaimQueue} when it needs slots.
 */
public final class Claim
{
    /** Where a claim is in its life. */
    public enum State
    {
        /** Not in use. */
        IDLE,
        /** Waits in its class's queue. */
        WAITING,
        /** Its slots are set aside; some are still to be taken. */
        GRANTED,
        /** Its time is over; its listener is about to hear so. */
        EXPIRED
    }

    private final ClaimListener listener;

    State state = State.IDLE;
    ClaimKind kind;
    Stage failedStage = Stage.NONE;
    int classIndex = SlotTable.NONE;
    int count;
    int remaining;
    int overtaken;
    long sequence;
    long startNs;
    long deadlineNs;
    Claim previous;
    Claim next;

    /**
     * An idle claim.
     *
     * @param listener that hears how a wait ended.
     */
    public Claim(final ClaimListener listener)
    {
        this.listener = listener;
    }

    /**
     * Where the claim is in its life.
     *
     * @return its state.
     */
    public State state()
    {
        return state;
    }

    /**
     * What the claim is for.
     *
     * @return its kind.
     */
    public ClaimKind kind()
    {
        return kind;
    }

    /**
     * Place in the order in which claims arrived (contract SLOT-4).
     *
     * @return a number that rises from claim to claim.
     */
    public long sequence()
    {
        return sequence;
    }

    /**
     * Class of the slots.
     *
     * @return class index.
     */
    public int classIndex()
    {
        return classIndex;
    }

    /**
     * Number of slots that were asked for.
     *
     * @return number of slots.
     */
    public int count()
    {
        return count;
    }

    /**
     * Number of slots that are set aside and not yet taken.
     *
     * @return number of slots, 0 unless granted.
     */
    public int remaining()
    {
        return remaining;
    }

    /**
     * When the wait ends.
     *
     * @return time in nanoseconds.
     */
    public long deadlineNs()
    {
        return deadlineNs;
    }

    ClaimListener listener()
    {
        return listener;
    }
}
