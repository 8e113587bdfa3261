package io.fluxon.ipc.client.core;

/**
 * The question which keys exist. Never extends a value's life and never counts as a use. Object of the caller, reused.
 */
public final class ExistsCall extends ClientOperation
{
    /** How far the call is. */
    public enum State
    {
        /** Not used yet. */
        IDLE,
        /** The owner was asked. */
        ASKED,
        /** The answer is there. The object may be used again. */
        DONE,
        /** The call failed, see the error code. The object may be used again. */
        FAILED
    }

    final boolean[] flags;
    State state = State.IDLE;
    int count;
    int leadingCount;

    /**
     * A call object for batches up to a size.
     *
     * @param maxKeys of a batch.
     */
    public ExistsCall(final int maxKeys)
    {
        super(maxKeys);
        flags = new boolean[maxKeys];
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
     * Number of keys asked for.
     *
     * @return number of keys.
     */
    public int count()
    {
        return count;
    }

    /**
     * Number of keys from the first on that exist without a gap; valid in state {@link State#DONE}.
     *
     * @return number of keys.
     */
    public int leadingCount()
    {
        return leadingCount;
    }

    /**
     * Does a key exist? Valid in state {@link State#DONE}.
     *
     * @param index of the key in its batch.
     * @return true when it exists.
     */
    public boolean exists(final int index)
    {
        if (index < 0 || index >= count)
        {
            throw new IndexOutOfBoundsException("index " + index + " of " + count + " keys");
        }
        return flags[index];
    }

    @Override
    void onSessionEnd(final int code, final String reason)
    {
        state = State.FAILED;
        error(code, WaitStage.NONE, reason);
    }
}
