package io.fluxon.engine.owner;

import io.fluxon.ipc.ErrorCode;
import org.agrona.collections.Long2ObjectHashMap;

import java.util.ArrayDeque;

/**
 * The requests of one session and their outcomes, so that a repeated request gets the recorded outcome and is never
 * executed twice (contract API-4). Kept are those under way, a commit until its keys have their results, and beside
 * them the last {@link #CAPACITY}. Request ids of a session rise; one that is older than what was dropped is refused.
 * Not thread-safe.
 */
final class RequestLog
{
    /** Requests that are kept when none of them is under way. */
    static final int CAPACITY = 256;

    /** So many of the oldest are looked at for each new request: two keep pace, however many are under way. */
    private static final int EXAMINED_EACH = 2;

    private final Long2ObjectHashMap<Entry> byId = new Long2ObjectHashMap<>(CAPACITY * 2, 0.5f);
    private final ArrayDeque<Entry> entries = new ArrayDeque<>(CAPACITY * 2);
    private Entry free;
    private long highestDropped = Long.MIN_VALUE;

    /**
     * What kind of request an entry is of.
     */
    enum Kind
    {
        PUT_START, PUT_COMMIT, PUT_ABORT, GET_START, GET_TRANSFER, GET_CANCEL, EXISTS;

        /**
         * Does a worker whose request is refused because the owner is busy give it up? Then a copy of it that comes
         * later must not be executed. The others are asked again under their ids.
         */
        boolean isRefusalFinal()
        {
            return PUT_START == this || GET_START == this || EXISTS == this;
        }
    }

    /**
     * One request. Which of the numbers have a meaning depends on its kind.
     */
    static final class Entry
    {
        Kind kind;
        long requestId;
        boolean isAnswered;
        boolean isBeingRepeated;
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
        private Entry nextFree;

        private void reset(final long newRequestId, final Kind newKind)
        {
            requestId = newRequestId;
            kind = newKind;
            isAnswered = false;
            isBeingRepeated = false;
            status = 0;
            stage = 0;
            objectId = 0;
            firstHoldingId = 0;
            holdingCount = 0;
            isResultKnown = false;
            resultCount = 0;
            areAllResultsOk = true;
            nextFree = null;
        }

        /** Records that the request is not executed. */
        void refused(final int errorCode)
        {
            isAnswered = true;
            status = errorCode;
        }

        /** Is nothing of the request to be expected any more? */
        boolean isOver()
        {
            return isAnswered && (Kind.PUT_COMMIT != kind || ErrorCode.OK != status || isResultKnown);
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

    /** Was the request dropped, or is it so old that this cannot be told? */
    boolean isTooOld(final long requestId)
    {
        return requestId <= highestDropped && !byId.containsKey(requestId);
    }

    /** Entry of a request, or null when it is not known, or was dropped. */
    Entry entryOf(final long requestId)
    {
        return byId.get(requestId);
    }

    /** Records a request that is not known; the oldest that is over is dropped for it. */
    Entry begin(final long requestId, final Kind kind)
    {
        for (int i = 0; i < EXAMINED_EACH && entries.size() >= CAPACITY; i++)
        {
            dropOldest();
        }

        final Entry entry = null == free ? new Entry() : free;
        free = entry.nextFree;
        entry.reset(requestId, kind);
        entries.addLast(entry);
        byId.put(requestId, entry);

        return entry;
    }

    /** Requests that are kept. */
    int size()
    {
        return entries.size();
    }

    private void dropOldest()
    {
        final Entry oldest = entries.pollFirst();
        if (oldest.isOver())
        {
            byId.remove(oldest.requestId);
            highestDropped = Math.max(highestDropped, oldest.requestId);
            oldest.nextFree = free;
            free = oldest;
        }
        else
        {
            entries.addLast(oldest);
        }
    }
}
