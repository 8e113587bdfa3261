package io.fluxon.engine.owner;

import io.fluxon.ipc.channel.OutboundQueue;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntArrayQueue;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.Long2ObjectHashMap;

import java.util.ArrayDeque;

/**
 * What one worker has at this owner: its channel, plans, handles and holdings, and the log of its requests. All of it
 * is found through the session that asks, so nobody can name what is another's (contract API-4).
 */
final class WorkerSession
{
    /**
     * Life of a session.
     */
    enum State
    {
        /** The worker is heard. */
        ACTIVE,
        /** It is silent for longer than the timeout, and its process is not proven gone (contract SLOT-7). */
        HUNG,
        /** It is being resumed: what its worker still uses is kept, the rest is released (contract API-10). */
        RESUMING,
        /** It has ended; what it had is being released. */
        CLOSING,
        /** Nothing of it is left. */
        CLOSED
    }

    private static final int NO_SLOT = -1;

    /** Header and alignment of a queued message, at most. */
    private static final int QUEUE_OVERHEAD = 16;

    final long sessionId;
    final long processId;
    final long processStartTime;
    final int arenaRange;
    final RequestLog requests;
    final Long2ObjectHashMap<PutPlan> putPlans = new Long2ObjectHashMap<>();
    final Long2ObjectHashMap<ReadPlan> readPlans = new Long2ObjectHashMap<>();
    final Long2LongHashMap holdings = new Long2LongHashMap(NO_SLOT);
    private final long firstConnectionId;
    private final long firstRequestId;
    private final ArrayDeque<Job> parked = new ArrayDeque<>();
    private final IntArrayQueue parkedLengths = new IntArrayQueue();
    State state = State.ACTIVE;
    long connectionId;
    long connectRequestId;
    OutboundQueue outbound;
    SessionResume resume;
    long holdingChanges;
    long lastHeardNs;
    int outstanding;
    /** Keys of its reads: each may become a holding (contract BOUND-1). */
    int keysOfReads;
    boolean isWatched;
    boolean isSeen;
    /** Has the worker sent anything since it connected or resumed? Then it has the answer to that. */
    boolean isAtWork;

    WorkerSession(
        final long sessionId,
        final long connectionId,
        final long connectRequestId,
        final long processId,
        final long processStartTime,
        final int arenaRange,
        final OutboundQueue outbound,
        final RequestLog requests,
        final long nowNs)
    {
        this.sessionId = sessionId;
        firstConnectionId = connectionId;
        firstRequestId = connectRequestId;
        this.connectionId = connectionId;
        this.connectRequestId = connectRequestId;
        this.processId = processId;
        this.processStartTime = processStartTime;
        this.arenaRange = arenaRange;
        this.outbound = outbound;
        this.requests = requests;
        lastHeardNs = nowNs;
    }

    long firstConnectionId()
    {
        return firstConnectionId;
    }

    long firstRequestId()
    {
        return firstRequestId;
    }

    boolean isActive()
    {
        return State.ACTIVE == state;
    }

    /** Is this the process that the session was made with? */
    boolean isProcess(final long ofProcessId, final long ofStartTime)
    {
        return processId == ofProcessId && processStartTime == ofStartTime;
    }

    /** Was it made by this request to connect, of which a copy may come whatever has become of it since? */
    boolean isMadeBy(final long ofConnectionId, final long requestId, final long ofProcessId)
    {
        return firstConnectionId == ofConnectionId && firstRequestId == requestId && processId == ofProcessId;
    }

    /**
     * Is a request to resume a copy of the last one, or older? What came with the session since is not in its lists
     * (contract API-10). A hung session whose worker has sent nothing since may have missed the answer.
     */
    boolean hasTaken(final long ofConnectionId, final long requestId)
    {
        return requestId < connectRequestId ||
            requestId == connectRequestId && connectionId == ofConnectionId && (State.HUNG != state || isAtWork);
    }

    /** Can an answer still reach the worker? A hung one may wake and read it. */
    boolean isReachable()
    {
        return State.ACTIVE == state || State.HUNG == state || State.RESUMING == state;
    }

    /**
     * Sends an answer, or lets the job that made it rest until the worker has read so much that there is room: a worker
     * that does not read costs no step (contract API-9, BOUND-1).
     *
     * @return false when the job has to wait; it is resumed and sends again.
     */
    boolean sendOrPark(final Job job, final DirectBuffer answer, final int length)
    {
        if (outbound.send(answer, 0, length))
        {
            return true;
        }

        parked.addLast(job);
        parkedLengths.addInt(length);

        return false;
    }

    boolean hasParked()
    {
        return !parked.isEmpty();
    }

    /** Resumes jobs whose answers the queue has room for now; all of them when no answer can be sent any more. */
    int resumeParked(final JobQueue jobs, final int limit)
    {
        int room = isReachable() && outbound.queuedBytes() > 0 ? outbound.availableBytes() : Integer.MAX_VALUE;
        int resumed = 0;
        while (resumed < limit && !parked.isEmpty() && parkedLengths.peekInt() <= room)
        {
            room -= parkedLengths.pollInt() + QUEUE_OVERHEAD;
            jobs.resume(parked.pollFirst());
            resumed++;
        }

        return resumed;
    }

    /** Takes a holding into the books. */
    void addHolding(final long holdingId, final int slotId)
    {
        holdings.put(holdingId, slotId);
        holdingChanges++;
    }

    /** Takes a holding out of the books. */
    int removeHolding(final long holdingId)
    {
        holdingChanges++;
        return (int)holdings.remove(holdingId);
    }
}
