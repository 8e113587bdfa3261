package io.fluxon.ipc.client.core;

/**
 * A read: the handle of a started get, and after its transfer the read plan. Object of the caller, reused.
 */
public final class GetHandle extends ClientOperation
{
    /** How far the read is. */
    public enum State
    {
        /** Not used yet. */
        IDLE,
        /** The restorable prefix is asked for. */
        STARTING,
        /**
         * The result is there; what is transferable is being brought here. When that is nothing, the handle holds
         * nothing and the object may be used again.
         */
        STARTED,
        /** A prefix was chosen and is waited for; the handle is consumed. */
        TRANSFERRING,
        /** The values are readable here and held. */
        READABLE,
        /** The views were released. The object may be used again. */
        RELEASED,
        /** The cancel was sent. */
        CANCELLING,
        /** Everything was given back. The object may be used again. */
        CANCELLED,
        /** The start or the transfer failed, or the handle ended by time. The object may be used again. */
        FAILED
    }

    final long[] valueAddresses;
    final long[] valueLengths;
    final long[] holdingIds;
    final int[] groupLengths;
    State state = State.IDLE;
    boolean inline;
    boolean bestEffort;
    long handle;
    long planAddress;
    int keyCount;
    int groupCount;
    int count;
    int rawPrefixHitLen;
    int transferableLen;
    int prefixHitGroups;
    int firstMissIndex;
    int firstMissGroupIndex;
    int remoteHits;

    /**
     * A read object for batches up to a size.
     *
     * @param maxKeys of a batch.
     */
    public GetHandle(final int maxKeys)
    {
        super(maxKeys);
        valueAddresses = new long[maxKeys];
        valueLengths = new long[maxKeys];
        holdingIds = new long[maxKeys];
        groupLengths = new int[maxKeys];
    }

    /**
     * How far the read is.
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
            case IDLE, RELEASED, CANCELLED, FAILED -> true;
            case STARTED -> 0 == transferableLen;
            default -> false;
        };
    }

    /**
     * Number of leading hits (contract API-6).
     *
     * @return number of keys.
     */
    public int rawPrefixHitLen()
    {
        return rawPrefixHitLen;
    }

    /**
     * Longest prefix of whole groups that can be had (contract API-6).
     *
     * @return number of keys.
     */
    public int transferableLen()
    {
        return transferableLen;
    }

    /**
     * Number of groups in the transferable prefix.
     *
     * @return number of groups.
     */
    public int prefixHitGroups()
    {
        return prefixHitGroups;
    }

    /**
     * Index of the first key that is a miss.
     *
     * @return the index, -1 when all hit.
     */
    public int firstMissIndex()
    {
        return firstMissIndex;
    }

    /**
     * Index of the group with the first miss.
     *
     * @return the index, -1 when all hit.
     */
    public int firstMissGroupIndex()
    {
        return firstMissGroupIndex;
    }

    /**
     * Can the whole batch be had?
     *
     * @return true when {@link #transferableLen()} is the number of keys asked for.
     */
    public boolean allHit()
    {
        return keyCount > 0 && transferableLen == keyCount;
    }

    /**
     * Number of keys of the transferable prefix that come from another owner.
     *
     * @return number of keys, 0 when the batch is wholly local (contract GET-1).
     */
    public int remoteHits()
    {
        return remoteHits;
    }

    /**
     * Number of keys asked for.
     *
     * @return number of keys.
     */
    public int keyCount()
    {
        return keyCount;
    }

    /**
     * Address of the read plan's blob in this process (contract PLAN-1).
     *
     * @return the address, 0 when not in state {@link State#READABLE}.
     */
    public long planAddress()
    {
        return State.READABLE == state ? planAddress : 0;
    }

    /**
     * Number of values of the read plan.
     *
     * @return number of values, 0 when not in state {@link State#READABLE}.
     */
    public int count()
    {
        return State.READABLE == state ? count : 0;
    }

    /**
     * Where a value lies; readable only in state {@link State#READABLE}.
     *
     * @param index of the key in its batch.
     * @return address in this process.
     */
    public long valueAddress(final int index)
    {
        return valueAddresses[checkIndex(index)];
    }

    /**
     * Length of a value.
     *
     * @param index of the key in its batch.
     * @return length in bytes.
     */
    public long valueLength(final int index)
    {
        return valueLengths[checkIndex(index)];
    }

    @Override
    void onSessionEnd(final int code, final String reason)
    {
        state = State.FAILED;
        planAddress = 0;
        error(code, WaitStage.NONE, reason);
    }

    /**
     * Is a length a prefix of whole groups (contract API-5)?
     *
     * @param length number of keys.
     * @return true when a group ends there.
     */
    boolean isGroupBoundary(final int length)
    {
        int end = 0;
        for (int i = 0; i < groupCount && end < length; i++)
        {
            end += groupLengths[i];
        }
        return end == length;
    }

    private int checkIndex(final int index)
    {
        if (index < 0 || index >= count())
        {
            throw new IndexOutOfBoundsException("index " + index + " of " + count() + " readable values");
        }
        return index;
    }
}
