package io.fluxon.ipc.client.core;

import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongArrayList;

import java.util.ArrayList;
import java.util.Arrays;

/**
 * The requests without an answer, by id, and their pools. Counts those that bounds apply to (contract BOUND-1).
 */
final class PendingRequests
{
    private final Long2ObjectHashMap<PendingRequest> byId = new Long2ObjectHashMap<>();
    private final ArrayList<PendingRequest> freeStored = new ArrayList<>();
    private final ArrayList<PendingRequest> freeFollowUps = new ArrayList<>();
    private long lastId;
    private int awaited;
    private int abandoned;
    private int commits;
    private int releases;
    private long answers;

    /**
     * A request of a kind with a new id, not yet pending.
     */
    PendingRequest claim(final RequestKind kind)
    {
        final ArrayList<PendingRequest> pool = kind.isStored ? freeStored : freeFollowUps;
        final PendingRequest request = pool.isEmpty() ?
            new PendingRequest(kind.isStored) : pool.remove(pool.size() - 1);
        request.kind = kind;
        request.correlationId = nextId();
        return request;
    }

    /**
     * Gives a request back that is not pending.
     */
    void free(final PendingRequest request)
    {
        request.operation = null;
        request.hasDeadline = false;
        request.isAccepted = false;
        (request.kind.isStored ? freeStored : freeFollowUps).add(request);
    }

    void add(final PendingRequest request)
    {
        byId.put(request.correlationId, request);
        count(request, 1);
        if (null != request.operation)
        {
            request.operation.pending = request;
        }
    }

    /**
     * All pending requests, in the order of their ids.
     *
     * @param ids to be filled.
     * @param plans to which those that a request names are added.
     */
    void collect(final LongArrayList ids, final LongArrayList plans)
    {
        ids.clear();
        for (final PendingRequest request : byId.values())
        {
            ids.addLong(request.correlationId);
            if (request.kind.isFollowUp() && 0 != request.objectId)
            {
                plans.addLong(request.objectId);
            }
        }
        final long[] sorted = ids.toLongArray();
        Arrays.sort(sorted);
        for (int i = 0; i < sorted.length; i++)
        {
            ids.setLong(i, sorted[i]);
        }
    }

    PendingRequest get(final long correlationId)
    {
        return byId.get(correlationId);
    }

    /**
     * The answer is there: the request is no longer pending; it is still to be freed.
     */
    void remove(final PendingRequest request)
    {
        byId.remove(request.correlationId);
        count(request, -1);
        answers++;
        if (null != request.operation)
        {
            request.operation.pending = null;
        }
    }

    /**
     * The first answer to a commit is there.
     */
    void accept(final PendingRequest request)
    {
        answers += request.isAccepted ? 0 : 1;
        request.isAccepted = true;
    }

    /**
     * The call gave up; the answer is awaited all the same.
     */
    void abandon(final PendingRequest request)
    {
        count(request, -1);
        request.operation.pending = null;
        request.operation = null;
        request.hasDeadline = false;
        count(request, 1);
    }

    void clear()
    {
        byId.clear();
        awaited = 0;
        abandoned = 0;
        commits = 0;
        releases = 0;
    }

    long nextId()
    {
        return ++lastId;
    }

    /** The last id that was given out. */
    long lastId()
    {
        return lastId;
    }

    /** Answers that came: two for a commit that was accepted. */
    long answers()
    {
        return answers;
    }

    /**
     * Is this a request without an answer, whose outcome the owner keeps? That of a commit is that it was accepted; of
     * releases no outcome is kept.
     */
    boolean isUnanswered(final long correlationId)
    {
        final PendingRequest request = byId.get(correlationId);
        return null != request && !request.isAccepted && RequestKind.RELEASE != request.kind;
    }

    /** Is this a commit without a global result? */
    boolean isUnfinished(final long correlationId)
    {
        final PendingRequest request = byId.get(correlationId);
        return null != request && RequestKind.PUT_COMMIT == request.kind;
    }

    /** Requests whose call waits, without commits. */
    int awaited()
    {
        return awaited;
    }

    /** Requests whose call gave up, without commits. */
    int abandoned()
    {
        return abandoned;
    }

    /** Commits without a global result. */
    int commits()
    {
        return commits;
    }

    /** Batches of releases that are not acknowledged. */
    int releases()
    {
        return releases;
    }

    int size()
    {
        return byId.size();
    }

    private void count(final PendingRequest request, final int delta)
    {
        if (RequestKind.PUT_COMMIT == request.kind)
        {
            commits += delta;
        }
        else if (RequestKind.RELEASE == request.kind)
        {
            releases += delta;
        }
        else if (null == request.operation)
        {
            abandoned += delta;
        }
        else
        {
            awaited += delta;
        }
    }
}
