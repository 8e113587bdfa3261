package io.fluxon.engine.owner;

import io.fluxon.ipc.ErrorCode;
import org.agrona.collections.Long2ObjectHashMap;

import java.util.ArrayDeque;

/**
 * The requests of one session and their outcomes, so that a repeated request gets the recorded outcome and is never
 * executed twice (contract API-4). An outcome is kept until the worker says that it has it: ids of requests rise, and
 * the worker names one below which each has its answer, and one below which each commit has its results, but those that
 * it lists. Commits are kept apart, so that those which wait for an absent master keep nothing else here. A request
 * that is settled and not kept was answered. Bounded (contract BOUND-1): the last quarter of the room is for requests
 * that end what others began. Not thread-safe.
 */
final class RequestLog
{
    private static final int INITIAL_CAPACITY = 512;

    /** So many of the oldest are looked at for each new request: two keep pace, however many have to be kept. */
    private static final int EXAMINED_EACH = 2;

    private static final int EXAMINED_WHEN_FULL = 1024;

    private final Long2ObjectHashMap<Entry> byId = new Long2ObjectHashMap<>(INITIAL_CAPACITY, 0.5f);
    private final Room commits;
    private final Room others;
    private Entry free;
    private long lastKeepAliveId = Long.MIN_VALUE;
    private long highestRefused = Long.MIN_VALUE;

    /**
     * An empty log.
     *
     * @param capacity       most requests that are kept, without commits.
     * @param commitCapacity most commits that are kept.
     */
    RequestLog(final int capacity, final int commitCapacity)
    {
        others = new Room(capacity);
        commits = new Room(commitCapacity);
    }

    /**
     * The capacity that a session needs. What its worker has not settled are the requests under way, those that it may
     * list, since an answer can be lost, and the few since its last keep-alive. As many settled ones lie between them,
     * as two are looked at for each that comes; and half as much again are those of a few keep-alives that were lost,
     * and the quarter that is not for starts.
     *
     * @param maxOutstanding requests of the session that can be under way.
     * @return number of requests.
     */
    static int capacity(final int maxOutstanding)
    {
        return 4 * (maxOutstanding + SettledMark.MAX_OPEN);
    }

    /**
     * What kind of request an entry is of.
     */
    enum Kind
    {
        PUT_START, PUT_COMMIT, PUT_ABORT, GET_START, GET_TRANSFER, GET_CANCEL, EXISTS, DELETE, INSPECT;

        /** Does it change nothing, so that it is executed once more when it comes again? */
        boolean isQuestion()
        {
            return EXISTS == this || INSPECT == this;
        }

        /**
         * Does it begin something? A worker gives such a request up when the owner is too busy for it, so a copy that
         * comes later must not be executed. The others end what one of these began, and are asked again.
         */
        boolean isStart()
        {
            return PUT_START == this || GET_START == this || EXISTS == this || DELETE == this ||
                INSPECT == this;
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

        /** Records the per-key results of a commit or delete. */
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

    /** Entry of a request, or null when it is not kept. */
    Entry entryOf(final long requestId)
    {
        return byId.get(requestId);
    }

    /**
     * A keep-alive says what the worker has. One that comes after a later one says nothing new.
     *
     * @param keepAliveId its id.
     * @param answers     requests with an answer; changed.
     * @param results     commits with results; changed.
     * @return false when a mark is lower than the worker has said before: nothing is changed.
     */
    boolean settle(final long keepAliveId, final SettledMark answers, final SettledMark results)
    {
        if (keepAliveId <= lastKeepAliveId)
        {
            return true;
        }
        if (answers.isBelow(others.mark) || results.isBelow(commits.mark))
        {
            return false;
        }
        lastKeepAliveId = keepAliveId;
        others.mark.raiseTo(answers);
        commits.mark.raiseTo(results);

        return true;
    }

    /** Does the worker have all that is to be expected of the request? */
    boolean isSettled(final long requestId, final Kind kind)
    {
        return roomOf(kind).mark.isSettled(requestId);
    }

    /**
     * Records a request that is neither kept nor settled.
     *
     * @return its entry; null when there is no room, or it may be the copy of a request that was refused.
     */
    Entry begin(final long requestId, final Kind kind)
    {
        final Room room = roomOf(kind);
        // what is put is to be committed, too
        if (!hasRoom(room, kind.isStart()) || Kind.PUT_START == kind && !hasRoom(commits, true) ||
            kind.isStart() && requestId <= highestRefused)
        {
            return null;
        }

        final Entry entry = null == free ? new Entry() : free;
        free = entry.nextFree;
        entry.reset(requestId, kind);
        room.entries.addLast(entry);
        byId.put(requestId, entry);

        return entry;
    }

    /** A request is not executed. When it begins something neither is a copy that comes later, or one before it. */
    void refuse(final long requestId, final Kind kind)
    {
        if (kind.isStart())
        {
            highestRefused = Math.max(highestRefused, requestId);
        }
    }

    /** Requests that are kept. */
    int size()
    {
        return byId.size();
    }

    private Room roomOf(final Kind kind)
    {
        return Kind.PUT_COMMIT == kind ? commits : others;
    }

    private boolean hasRoom(final Room room, final boolean isForStart)
    {
        final int limit = isForStart ? room.capacity - room.capacity / 4 : room.capacity;
        dropSettled(room, room.entries.size() < limit ? EXAMINED_EACH : EXAMINED_WHEN_FULL);

        return room.entries.size() < limit;
    }

    private void dropSettled(final Room room, final int limit)
    {
        for (int i = Math.min(limit, room.entries.size()); i > 0; i--)
        {
            final Entry next = room.entries.pollFirst();
            if (next.isOver() && isSettled(next.requestId, next.kind))
            {
                byId.remove(next.requestId);
                next.nextFree = free;
                free = next;
            }
            else
            {
                room.entries.addLast(next);
            }
        }
    }

    /** Requests that are kept, the one that was looked at last behind, and which of them the worker has settled. */
    private static final class Room
    {
        private final ArrayDeque<Entry> entries = new ArrayDeque<>(INITIAL_CAPACITY);
        private final SettledMark mark = new SettledMark();
        private final int capacity;

        private Room(final int capacity)
        {
            this.capacity = capacity;
        }
    }
}
