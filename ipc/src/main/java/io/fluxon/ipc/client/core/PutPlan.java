package io.fluxon.ipc.client.core;

/**
 * A put: from the claim of one writable slot per key to the global result of each key. Object of the caller, reused.
 * The plan blob (contract PLAN-1) is valid from {@link State#STARTED} until commit or abort, and never longer.
 */
public final class PutPlan extends ClientOperation
{
    /** How far the put is. */
    public enum State
    {
        /** Not used yet. */
        IDLE,
        /** Slots are asked for. */
        STARTING,
        /** Slots are there and may be written. */
        STARTED,
        /** The commit was sent; the slots must not be written any more. */
        COMMITTING,
        /** The values are readable on this owner (contract V1); the global publish goes on. */
        LOCAL_READY,
        /** Every key has its result (contract PUT-2). The object may be used again. */
        DONE,
        /** The abort was sent. */
        ABORTING,
        /** The slots were given back. The object may be used again. */
        ABORTED,
        /** The start or the commit failed, see the error code. The object may be used again. */
        FAILED
    }

    final long[] valueAddresses;
    final int[] results;
    State state = State.IDLE;
    long planId;
    long planAddress;
    long valueLength;
    int count;

    /**
     * A put object for batches up to a size.
     *
     * @param maxKeys of a batch.
     */
    public PutPlan(final int maxKeys)
    {
        super(maxKeys);
        valueAddresses = new long[maxKeys];
        results = new int[maxKeys];
    }

    /**
     * How far the put is.
     *
     * @return the state.
     */
    public State state()
    {
        return state;
    }

    @Override
    public boolean isReusable()
    {
        return switch (state)
        {
            case IDLE, DONE, ABORTED, FAILED -> true;
            default -> false;
        };
    }

    /**
     * Address of the plan blob in this process (contract PLAN-1).
     *
     * @return the address, 0 when the plan is not valid (before the start's answer, after commit or abort).
     */
    public long planAddress()
    {
        return State.STARTED == state ? planAddress : 0;
    }

    /**
     * Number of keys of the batch.
     *
     * @return number of keys, 0 when not used.
     */
    public int count()
    {
        return count;
    }

    /**
     * Length of each value.
     *
     * @return length in bytes.
     */
    public long valueLength()
    {
        return valueLength;
    }

    /**
     * Where the value of a key is to be written.
     *
     * @param index of the key in its batch.
     * @return address in this process; writable only in state {@link State#STARTED}.
     */
    public long valueAddress(final int index)
    {
        return valueAddresses[checkIndex(index)];
    }

    /**
     * Result of a key; valid in state {@link State#DONE}.
     *
     * @param index of the key in its batch.
     * @return 0, or a negative error code (contract PUT-1, PUT-2).
     */
    public int result(final int index)
    {
        return results[checkIndex(index)];
    }

    /**
     * Number of keys whose result is not 0; valid in state {@link State#DONE}.
     *
     * @return number of keys that were not published.
     */
    public int failedCount()
    {
        int failed = 0;
        for (int i = 0; i < count; i++)
        {
            failed += 0 == results[i] ? 0 : 1;
        }
        return failed;
    }

    @Override
    void onSessionEnd(final int code, final String reason)
    {
        state = State.FAILED;
        planAddress = 0;
        error(code, WaitStage.NONE, reason);
    }

    private int checkIndex(final int index)
    {
        if (index < 0 || index >= count)
        {
            throw new IndexOutOfBoundsException("index " + index + " of " + count + " keys");
        }
        return index;
    }
}
