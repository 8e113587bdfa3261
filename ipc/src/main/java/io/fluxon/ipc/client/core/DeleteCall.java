package io.fluxon.ipc.client.core;

/**
 * The wish that the values of keys be gone from all owners (contract EVICT-2). Object of the caller, reused.
 */
public final class DeleteCall extends ClientOperation
{
    /** How far the call is. */
    public enum State
    {
        /** Not used yet. */
        IDLE,
        /** The owner was asked. */
        ASKED,
        /** Every key has its result. The object may be used again. */
        DONE,
        /** The call failed, see the error code; keys may be gone, or go yet. The object may be used again. */
        FAILED
    }

    final int[] codes;
    State state = State.IDLE;
    int count;

    /**
     * A call object for batches up to a size.
     *
     * @param maxKeys of a batch.
     */
    public DeleteCall(final int maxKeys)
    {
        super(maxKeys);
        codes = new int[maxKeys];
    }

    /**
     * How far the call is.
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
        return State.ASKED != state;
    }

    /**
     * Number of keys.
     *
     * @return number of keys.
     */
    public int count()
    {
        return count;
    }

    /**
     * What has become of a key? Valid in state {@link State#DONE}.
     *
     * @param index of the key in its batch.
     * @return 0 = its value is gone; or negative: −105 = there was none, −122 = it is being written, −1002 = it was in
     * use for too long.
     */
    public int code(final int index)
    {
        if (index < 0 || index >= count)
        {
            throw new IndexOutOfBoundsException("index " + index + " of " + count + " keys");
        }
        return codes[index];
    }

    @Override
    void onSessionEnd(final int code, final String reason)
    {
        state = State.FAILED;
        error(code, WaitStage.NONE, reason);
    }
}
