package io.fluxon.engine.owner;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.engine.boundary.ProcessListener;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.OutboundQueue;
import org.agrona.collections.Long2ObjectHashMap;

import java.util.ArrayList;

/**
 * The worker sessions: who is connected, heard, hung or gone. A session ends when the worker closes it, or gives up the
 * request that made it, or when its process is proven gone; silence alone only makes it hung (contract SLOT-7). What
 * it had is released exactly once, by its {@link SessionEnd} (contract API-9), or when its worker comes back without
 * it, by a {@link SessionResume} (contract API-10).
 */
final class Sessions implements ProcessListener
{
    private static final int FLUSH_LIMIT = 64;
    private static final int STALL_FRACTION = 2;
    private static final int LAST_WORDS_PER_SESSION = 2;

    private final OwnerCore core;
    private final OwnerSettings settings;
    private final OwnerCounters counters;
    private final Long2ObjectHashMap<WorkerSession> byId = new Long2ObjectHashMap<>();
    private final ArrayList<WorkerSession> sessions = new ArrayList<>();
    private final ArrayList<LastWord> lastWords = new ArrayList<>();
    private final OverConnects overConnects = new OverConnects();
    private final ArenaRanges ranges;
    private long lastCycleNs;
    private long allReadNs;
    private long graceStartNs;
    private long nextCheckNs;

    Sessions(final OwnerCore core)
    {
        this.core = core;
        settings = core.settings;
        counters = core.counters;
        ranges = new ArenaRanges(core.context.arenaLength(), settings.maxSessions());
        lastCycleNs = core.nowNs();
        allReadNs = core.nowNs();
        graceStartNs = core.nowNs();
        nextCheckNs = core.nowNs();
    }

    /** A channel that is kept a while after its last message, so that the message can leave. */
    private record LastWord(OutboundQueue outbound, long lingerNs, long deadlineNs)
    {
    }

    WorkerSession find(final long sessionId)
    {
        return byId.get(sessionId);
    }

    int count()
    {
        return sessions.size();
    }

    WorkerSession get(final int index)
    {
        return sessions.get(index);
    }

    /**
     * One duty cycle: reports of dead processes, keep-alives and expiry.
     *
     * @param isAllRead no message of a worker is left unread.
     */
    int doWork(final long nowNs, final boolean isAllRead)
    {
        if (isAllRead)
        {
            allReadNs = nowNs;
        }
        if (nowNs - lastCycleNs > settings.sessionTimeoutNs() / STALL_FRACTION)
        {
            graceStartNs = nowNs;
        }
        lastCycleNs = nowNs;

        int work = core.context.processWatch().poll(this, settings.completionLimit());
        if (nowNs - nextCheckNs >= 0)
        {
            nextCheckNs = nowNs + settings.keepAliveNs();
            work += check(nowNs);
        }

        return work;
    }

    /** Sends answers that wait. */
    int flush()
    {
        int work = 0;
        for (int i = 0, size = sessions.size(); i < size; i++)
        {
            final WorkerSession session = sessions.get(i);
            work += session.outbound.flush(FLUSH_LIMIT);
            if (session.hasParked())
            {
                work += session.resumeParked(core.jobs, FLUSH_LIMIT);
            }
        }

        for (int i = lastWords.size() - 1; i >= 0; i--)
        {
            final LastWord lastWord = lastWords.get(i);
            work += lastWord.outbound.flush(FLUSH_LIMIT);
            final boolean isSaid = 0 == lastWord.outbound.queuedBytes() && core.nowNs() - lastWord.lingerNs >= 0;
            if (isSaid || core.nowNs() - lastWord.deadlineNs >= 0)
            {
                lastWord.outbound.close();
                lastWords.remove(i);
            }
        }

        return work;
    }

    /** A worker wants a session, or its session back. A copy of such a request gets what the request has made. */
    void onConnect(final long connectionId, final ConnectRequestDecoder request)
    {
        if (0 == request.sessionId() && overConnects.contains(connectionId, request.correlationId()))
        {
            counters.increment(OwnerCounter.REQUESTS_REPEATED);
            return;
        }

        final WorkerSession resumed = byId.get(request.sessionId());
        final WorkerSession known = find(connectionId, request, resumed);
        if (null != known)
        {
            counters.increment(OwnerCounter.REQUESTS_REPEATED);
            if (request.correlationId() == known.connectRequestId)
            {
                connectedAgain(known);
            }
            return;
        }

        final int streamId = request.responseStreamId();
        final boolean isAnswered = streamId > 0 && (isWelcome(request, resumed) || hasRoomForLastWord());
        final ControlChannel channel = isAnswered ? core.context.sessionChannels().open(streamId) : null;
        if (null == channel)
        {
            counters.increment(OwnerCounter.SESSIONS_REFUSED);
            return;
        }

        final OutboundQueue outbound = new OutboundQueue(channel, settings.maxQueuedBytesPerSession());
        final long requestId = request.correlationId();
        if (Limits.PROTOCOL_VERSION != request.protocolVersion())
        {
            refuse(outbound, requestId, ErrorCode.PROTOCOL, "protocolVersion " + request.protocolVersion() +
                " is not spoken here, " + Limits.PROTOCOL_VERSION + " is");
        }
        else if (isOfOtherGeneration(request))
        {
            refuse(outbound, requestId, ErrorCode.OWNER_GENERATION_MISMATCH, "generation " + request.generation() +
                " is asked for, this is " + core.context.generation());
        }
        else if (0 != request.sessionId())
        {
            resume(connectionId, request, outbound, resumed);
        }
        else
        {
            open(connectionId, request, outbound);
        }
    }

    /** Answers once more. A worker that hung before it had the answer has nothing yet that could be in quarantine. */
    private void connectedAgain(final WorkerSession session)
    {
        if (WorkerSession.State.HUNG == session.state && !session.isAtWork)
        {
            counters.add(OwnerCounter.SESSIONS_HUNG, -1);
            session.state = WorkerSession.State.ACTIVE;
            session.lastHeardNs = core.nowNs();
        }

        if (session.isActive() && session.isSeen)
        {
            core.workers.connected(session, ranges.rangeLength());
        }
    }

    /** The worker ends its session. */
    void onClose(final WorkerSession session)
    {
        end(session, "closed by its worker");
    }

    /**
     * A worker has given up a request to connect before it had an answer: what that has made ends, and a copy that
     * comes later makes nothing (contract LIFE-1).
     */
    void onConnectGivenUp(
        final long connectionId, final long requestId, final long processId, final long processStartTime)
    {
        overConnects.add(connectionId, requestId);
        for (int i = 0, size = sessions.size(); i < size; i++)
        {
            final WorkerSession session = sessions.get(i);
            if (session.isMadeBy(connectionId, requestId, processId) && session.isProcess(processId, processStartTime))
            {
                end(session, "given up before its worker had the answer");
            }
        }
    }

    /** A hung worker is heard again: nothing of it is executed until it has resumed its session (contract API-10). */
    void suspended(final WorkerSession session, final long correlationId)
    {
        if (WorkerSession.State.HUNG == session.state)
        {
            core.workers.sessionSuspended(session, correlationId);
        }
    }

    /** What the worker still uses is kept, the rest is released or about to be: it can go on. */
    void onResumed(final WorkerSession session)
    {
        session.state = WorkerSession.State.ACTIVE;
        session.resume = null;
        session.lastHeardNs = core.nowNs();
        counters.increment(OwnerCounter.SESSIONS_RESUMED);
        core.workers.connected(session, ranges.rangeLength());
    }

    /** {@inheritDoc} */
    @Override
    public void onProcessSeen(final long sessionId)
    {
        final WorkerSession session = byId.get(sessionId);
        if (null != session && session.isActive() && !session.isSeen)
        {
            session.isSeen = true;
            session.lastHeardNs = core.nowNs();
            core.workers.connected(session, ranges.rangeLength());
        }
    }

    /** {@inheritDoc} */
    @Override
    public void onProcessUnseen(final long sessionId)
    {
        final WorkerSession session = byId.get(sessionId);
        if (null == session)
        {
            return;
        }

        session.isWatched = false;
        if (session.isReachable())
        {
            refuseUnseen(session, "process " + session.processId + " with start time " + session.processStartTime +
                " is not visible to the owner, so its end could not be proven: run worker and owner in one PID " +
                "namespace (containers: --pid=host, or --pid=container: of the owner) with /proc mounted without " +
                "hidepid");
        }
    }

    /** {@inheritDoc} */
    @Override
    public void onProcessGone(final long sessionId)
    {
        final WorkerSession session = byId.get(sessionId);
        if (null == session)
        {
            return;
        }

        session.isWatched = false;
        if (session.isReachable())
        {
            counters.increment(OwnerCounter.PROCESSES_GONE);
            end(session, "process gone");
        }
    }

    /** Everything of the session is released: its range can be given out again. */
    void onEnded(final WorkerSession session)
    {
        session.state = WorkerSession.State.CLOSED;
        byId.remove(session.sessionId);
        sessions.remove(session);
        ranges.release(session.arenaRange);
        counters.closed(OwnerCounter.SESSIONS, OwnerCounter.SESSIONS_CLOSED);
        core.workerMessages.forget(session.connectionId);
        linger(session.outbound);
    }

    void close()
    {
        for (final WorkerSession session : sessions)
        {
            if (session.isReachable())
            {
                core.workers.sessionClose(session.outbound, session.sessionId, 0, ErrorCode.SHUTDOWN);
            }
            session.outbound.close();
        }
        for (final LastWord lastWord : lastWords)
        {
            lastWord.outbound.close();
        }
        sessions.clear();
        lastWords.clear();
        byId.clear();
    }

    /** Will a worker be let in? What is to be refused may go unanswered when too many refusals linger already. */
    private boolean isWelcome(final ConnectRequestDecoder request, final WorkerSession resumed)
    {
        if (Limits.PROTOCOL_VERSION != request.protocolVersion() || isOfOtherGeneration(request))
        {
            return false;
        }

        return 0 == request.sessionId() ? sessions.size() < settings.maxSessions() :
            isResumable(resumed) && resumed.isProcess(request.processId(), request.processStartTime());
    }

    private static boolean isResumable(final WorkerSession session)
    {
        return null != session && session.isReachable() && session.isSeen;
    }

    private boolean hasRoomForLastWord()
    {
        return lastWords.size() < settings.maxSessions() * LAST_WORDS_PER_SESSION;
    }

    private void resume(
        final long connectionId,
        final ConnectRequestDecoder request,
        final OutboundQueue outbound,
        final WorkerSession session)
    {
        if (!isResumable(session))
        {
            refuse(outbound, request.correlationId(), ErrorCode.INVALID_ARGUMENT, "sessionId " +
                request.sessionId() + " is not known here or has ended, connect with 0");
        }
        else if (!session.isProcess(request.processId(), request.processStartTime()))
        {
            refuse(outbound, request.correlationId(), ErrorCode.UNAUTHORIZED, "sessionId " +
                request.sessionId() + " is another process's, connect with 0");
        }
        else
        {
            resume(connectionId, request.correlationId(), outbound, session);
            session.resume = new SessionResume(core, session, request);
            core.resume(session.resume);
        }
    }

    private void resume(
        final long connectionId, final long requestId, final OutboundQueue outbound, final WorkerSession session)
    {
        if (WorkerSession.State.HUNG == session.state)
        {
            counters.add(OwnerCounter.SESSIONS_HUNG, -1);
        }

        if (connectionId != session.connectionId)
        {
            core.workerMessages.forget(session.connectionId);
        }
        session.outbound.close();
        session.outbound = outbound;
        session.connectionId = connectionId;
        session.connectRequestId = requestId;
        session.isAtWork = false;
        session.state = WorkerSession.State.RESUMING;
    }

    /** The session that a copy of this request has made, or resumed, or null. */
    private WorkerSession find(
        final long connectionId, final ConnectRequestDecoder request, final WorkerSession resumed)
    {
        if (0 != request.sessionId())
        {
            return null != resumed && resumed.isReachable() && !isOfOtherGeneration(request) &&
                resumed.isProcess(request.processId(), request.processStartTime()) &&
                resumed.hasTaken(connectionId, request.correlationId()) ? resumed : null;
        }

        for (int i = 0, size = sessions.size(); i < size; i++)
        {
            final WorkerSession session = sessions.get(i);
            if (session.isMadeBy(connectionId, request.correlationId(), request.processId()))
            {
                return session;
            }
        }

        return null;
    }

    private boolean isOfOtherGeneration(final ConnectRequestDecoder request)
    {
        return 0 != request.generation() && core.context.generation() != request.generation();
    }

    private void open(final long connectionId, final ConnectRequestDecoder request, final OutboundQueue outbound)
    {
        final int range = sessions.size() < settings.maxSessions() ? ranges.take() : ArenaRanges.NONE;
        if (ArenaRanges.NONE == range)
        {
            refuse(outbound, request.correlationId(), ErrorCode.BACK_PRESSURED,
                "all " + settings.maxSessions() + " sessions are in use");
            return;
        }

        final WorkerSession session = new WorkerSession(
            core.nextId(),
            connectionId,
            request.correlationId(),
            request.processId(),
            request.processStartTime(),
            range,
            outbound,
            new RequestLog(settings.maxRequestsPerSession(), settings.maxCommitsPerSession()),
            core.nowNs());
        byId.put(session.sessionId, session);
        sessions.add(session);
        counters.opened(OwnerCounter.SESSIONS, OwnerCounter.SESSIONS_OPENED);
        // its answer goes out once its process has been seen (contract SLOT-7)
        watch(session);
    }

    private void refuse(
        final OutboundQueue outbound, final long requestId, final int status, final String message)
    {
        counters.increment(OwnerCounter.SESSIONS_REFUSED);
        core.workers.refused(outbound, requestId, status, message);
        linger(outbound);
    }

    /** Nothing of the session has been given out. */
    private void refuseUnseen(final WorkerSession session, final String reason)
    {
        counters.increment(OwnerCounter.SESSIONS_REFUSED);
        core.workers.refused(session.outbound, session.connectRequestId, ErrorCode.UNAUTHORIZED, reason);
        end(session, reason);
    }

    /** Keeps a channel until what was sent has been read, unless too many are kept: then it is gone at once. */
    private void linger(final OutboundQueue outbound)
    {
        if (!hasRoomForLastWord())
        {
            outbound.close();
            return;
        }

        lastWords.add(new LastWord(
            outbound, core.nowNs() + settings.keepAliveNs(), core.nowNs() + settings.sessionTimeoutNs()));
    }

    private int check(final long nowNs)
    {
        for (int i = 0; i < sessions.size(); i++)
        {
            final WorkerSession session = sessions.get(i);
            if (!session.isWatched && session.isReachable())
            {
                watch(session);
            }

            // what was sent after that may lie unread, so it cannot be called silence (contract LIFE-2)
            final long silenceNs = allReadNs - Math.max(session.lastHeardNs, graceStartNs);
            if (session.isActive())
            {
                final boolean isSilent = silenceNs > settings.sessionTimeoutNs();
                if (isSilent && session.isSeen)
                {
                    hang(session);
                }
                else if (isSilent)
                {
                    refuseUnseen(session, "the owner could not look its process up in time");
                }
                else if (session.isSeen)
                {
                    core.workers.keepAlive(session);
                }
            }
        }

        return sessions.size();
    }

    private void watch(final WorkerSession session)
    {
        session.isWatched = core.context.processWatch().watch(
            session.sessionId, session.processId, session.processStartTime);
    }

    /**
     * Ends the watch of a session's process.
     *
     * @return false when that has to be asked for again.
     */
    boolean unwatch(final WorkerSession session)
    {
        session.isWatched = session.isWatched && !core.context.processWatch().unwatch(session.sessionId);

        return !session.isWatched;
    }

    private void hang(final WorkerSession session)
    {
        session.state = WorkerSession.State.HUNG;
        counters.increment(OwnerCounter.SESSIONS_HUNG);
        for (final PutPlan plan : session.putPlans.values())
        {
            plan.onSessionHung();
        }
    }

    private void end(final WorkerSession session, final String reason)
    {
        if (!session.isReachable())
        {
            return;
        }

        if (WorkerSession.State.HUNG == session.state)
        {
            counters.add(OwnerCounter.SESSIONS_HUNG, -1);
        }
        session.state = WorkerSession.State.CLOSING;
        overConnects.add(session.firstConnectionId(), session.firstRequestId());
        unwatch(session);
        core.resume(new SessionEnd(core, session));
    }
}
