package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.ConnectResponseDecoder;
import io.fluxon.ipc.ErrorCode;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.LongArrayList;

/**
 * The way back into the session after the owner's ear was lost (contract API-10): asks, naming what is still used,
 * until an answer is there or the time is over. A connection is not a session: operations stay, and go on afterwards.
 */
final class Resuming
{
    private final ClientSession session;
    private final WorkerClientContext ctx;
    private final LongArrayList plans = new LongArrayList();
    private final LongArrayList runs = new LongArrayList();
    private final LongArrayList requests = new LongArrayList();
    private String reason = "";
    private long correlationId;
    private long elapsedNs;
    private long nextSendNs;

    Resuming(final ClientSession session)
    {
        this.session = session;
        ctx = session.ctx;
    }

    /**
     * Begins to ask at once. On a new channel that is a new request: the owner carries out the latest.
     */
    void begin(final String why)
    {
        reason = why;
        elapsedNs = 0;
        restart();
    }

    /**
     * Asks again under a new id; the time goes on.
     */
    void restart()
    {
        correlationId = session.requests.nextId();
        nextSendNs = session.nowNs;
    }

    boolean isAnswer(final long id)
    {
        return id == correlationId;
    }

    /**
     * Was a message sent before the last resume was asked for?
     */
    boolean isBefore(final long id)
    {
        return id <= correlationId;
    }

    int step(final long runNs)
    {
        elapsedNs += runNs;
        if (elapsedNs >= ctx.resumeTimeoutNs())
        {
            session.close(ErrorCode.TRANSPORT, WaitStage.CONNECT, reason + ", and it could not be resumed within " +
                TimeUnit.NANOSECONDS.toMillis(ctx.resumeTimeoutNs()) + " ms");
            return 1;
        }
        if (session.nowNs - nextSendNs < 0 || session.outbound.isBackPressured() || session.outbound.isClosed())
        {
            return 0;
        }
        nextSendNs = session.nowNs + ctx.retryNs();
        collect();
        final int length = session.encoder.resume(
            session.scratch, correlationId, ctx, session.responseStreamId, plans, runs, requests);
        session.outbound.send(session.scratch, 0, length);
        return 1;
    }

    void onResponse(final ConnectResponseDecoder response)
    {
        if (ErrorCode.OK != response.status())
        {
            final int status = response.status();
            response.skipSegmentPath();
            response.skipNodeId();
            session.close(
                ErrorCode.OWNER_GENERATION_MISMATCH == status ? status : ErrorCode.TRANSPORT,
                WaitStage.NONE,
                reason + ", and the owner does not resume it: " + response.message());
        }
        else if (response.generation() != session.generation || response.sessionId() != session.sessionId)
        {
            session.close(ErrorCode.OWNER_GENERATION_MISMATCH, WaitStage.NONE,
                "the owner has another generation or session than this one");
        }
        else
        {
            session.requests.collect(requests, plans);
            session.onResumed(requests);
        }
    }

    private void collect()
    {
        plans.clear();
        runs.clear();
        session.requests.collect(requests, plans);
        final ArrayList<ClientOperation> live = session.live();
        for (int i = 0, size = live.size(); i < size; i++)
        {
            final ClientOperation operation = live.get(i);
            if (operation instanceof final PutPlan put)
            {
                if (PutPlan.State.STARTED == put.state)
                {
                    plans.addLong(put.planId);
                }
            }
            else if (operation instanceof final GetHandle get)
            {
                collect(get);
            }
        }
    }

    private void collect(final GetHandle get)
    {
        switch (get.state)
        {
            case STARTED ->
            {
                if (get.inline)
                {
                    addRuns(get.holdingIds, get.transferableLen);
                }
                else if (0 != get.handle)
                {
                    plans.addLong(get.handle);
                }
            }
            case TRANSFERRING, CANCELLING -> plans.addLong(get.handle);
            case READABLE -> addRuns(get.holdingIds, get.count);
            default ->
            {
            }
        }
    }

    private void addRuns(final long[] holdingIds, final int count)
    {
        int first = 0;
        for (int i = 1; i <= count; i++)
        {
            if (i == count || holdingIds[i] != holdingIds[i - 1] + 1)
            {
                runs.addLong(holdingIds[first]);
                runs.addLong(i - first);
                first = i;
            }
        }
    }
}
