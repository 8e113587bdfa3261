package io.fluxon.engine.owner;

import org.agrona.collections.Long2LongHashMap;

/**
 * The last requests of one session and their outcomes, so that a repeated request gets the recorded outcome and is
 * never executed twice (contract API-4). Request ids of a session rise; one that is older than all that is kept is
 * refused. Not thread-safe.
 */
final class RequestLog
{
    /** Requests that are kept. */
    static final int CAPACITY = 256;

    /** The request is new; {@link #begin} has not been called for it. */
    static final int UNKNOWN = -1;

    /** The request is older than all that is kept. */
    static final int TOO_OLD = -2;

    private static final int MISSING = -1;

    private final Entry[] entries = new Entry[CAPACITY];
    private final Long2LongHashMap indexById = new Long2LongHashMap(CAPACITY * 2, 0.5f, MISSING);
    private long highestDropped = Long.MIN_VALUE;
    private int next;

    RequestLog()
    {
        for (int i = 0; i < CAPACITY; i++)
        {
            entries[i] = new Entry();
        }
    }

    /**
     * What kind of request an entry is of.
     */
    enum Kind
    {
        PUT_START, PUT_COMMIT, PUT_ABORT, GET_START, GET_TRANSFER, GET_CANCEL, EXISTS
    }

    /**
     * One request. Which of the numbers have a meaning depends on its kind.
     */
    static final class Entry
    {
        Kind kind;
        long requestId;
        boolean isAnswered;
        int status;
        int stage;
        long objectId;
        long firstHoldingId;
        int holdingCount;
        int rawPrefixHitLen;
        int transferableLen;
        int prefixHitGroups;
        int firstMissIndex;
        int firstMissGroupIndex;
        int remoteHits;
        boolean isResultKnown;
        int resultCount;
        boolean areAllResultsOk;
        int[] results;

        private void reset(final long newRequestId, final Kind newKind)
        {
            requestId = newRequestId;
            kind = newKind;
            isAnswered = false;
            status = 0;
            stage = 0;
            objectId = 0;
            firstHoldingId = 0;
            holdingCount = 0;
            isResultKnown = false;
            resultCount = 0;
            areAllResultsOk = true;
        }

        /** Records the per-key results of a commit. */
        void results(final int[] codes, final int count)
        {
            isResultKnown = true;
            resultCount = count;
            areAllResultsOk = true;
            for (int i = 0; i < count && areAllResultsOk; i++)
            {
                areAllResultsOk = 0 == codes[i];
            }

            if (!areAllResultsOk)
            {
                if (null == results || results.length < count)
                {
                    results = new int[count];
                }
                System.arraycopy(codes, 0, results, 0, count);
            }
        }
    }

    /**
     * Looks a request up.
     *
     * @return its index for {@link #entry}, {@link #UNKNOWN} or {@link #TOO_OLD}.
     */
    int find(final long requestId)
    {
        final long index = indexById.get(requestId);
        if (MISSING != index)
        {
            return (int)index;
        }

        return requestId <= highestDropped ? TOO_OLD : UNKNOWN;
    }

    Entry entry(final int index)
    {
        return entries[index];
    }

    /** Entry of a request that may have been dropped meanwhile. */
    Entry entryOf(final long requestId)
    {
        final long index = indexById.get(requestId);

        return MISSING == index ? null : entries[(int)index];
    }

    /** Records a request that is not known; the oldest is dropped for it. */
    Entry begin(final long requestId, final Kind kind)
    {
        final Entry entry = entries[next];
        if (null != entry.kind)
        {
            indexById.remove(entry.requestId);
            highestDropped = Math.max(highestDropped, entry.requestId);
        }

        entry.reset(requestId, kind);
        indexById.put(requestId, next);
        next = (next + 1) & (CAPACITY - 1);

        return entry;
    }
}
