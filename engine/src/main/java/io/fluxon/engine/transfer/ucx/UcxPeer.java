package io.fluxon.engine.transfer.ucx;

import io.fluxon.engine.transfer.TransportListener;
import org.agrona.ErrorHandler;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpRequest;

import java.net.InetSocketAddress;
import java.util.ArrayList;

/**
 * One incarnation of a peer that is read from. It is connected to when there is something to read.
 * <p>
 * Whatever goes wrong, a peer that is silent for too long or leaves included, closes the endpoint by force, and what
 * was open ends with an error only when UCX has let go of it all: from then on nothing touches its targets (contract
 * SLOT-7). What is submitted meanwhile was asked of nobody: it waits for the next connection, for a bounded time.
 */
final class UcxPeer
{
    /** The slowest network that is waited for: 64 MiB a second, in nanoseconds for 1 KiB. */
    private static final long NS_PER_KIB = 1_000_000_000L / (64 << 10);

    private final long generation;
    private final InetSocketAddress address;
    private final UcxLocal local;
    private final ErrorHandler errorHandler;
    /** What was asked. */
    private final ArrayList<UcxWork> works = new ArrayList<>();
    /** What is to be asked. */
    private final ArrayList<UcxWork> waiting = new ArrayList<>();
    private State state = State.IDLE;
    private UcpEndpointParams params;
    private UcpEndpoint endpoint;
    private UcpRequest closing;
    private String failure;
    private boolean hasLeft;
    private long sinceNs;

    UcxPeer(
        final long generation,
        final InetSocketAddress address,
        final UcxLocal local,
        final ErrorHandler errorHandler)
    {
        this.generation = generation;
        this.address = address;
        this.local = local;
        this.errorHandler = errorHandler;
    }

    private enum State
    {
        /** No endpoint. */
        IDLE,
        /** An endpoint, connected or on its way: UCX sends when it can. */
        OPEN,
        /** Endpoint being closed by force; what was asked ends with it. */
        CLOSING
    }

    long generation()
    {
        return generation;
    }

    /** Its endpoint is to be closed, and what is open to end with an error. */
    void leave()
    {
        hasLeft = true;
        fail("it has left");
    }

    /** It has left, and nothing of it is left here. */
    boolean isOver()
    {
        return hasLeft && State.IDLE == state && waiting.isEmpty();
    }

    void submit(final UcxWork work)
    {
        if (State.OPEN == state && null == failure)
        {
            ask(work);
        }
        else
        {
            waiting.add(work);
        }
    }

    int doWork(final TransportListener listener, final long nowNs)
    {
        return switch (state)
        {
            case IDLE -> waiting.isEmpty() ? 0 : connect(listener, nowNs);
            case OPEN -> read(listener, nowNs);
            case CLOSING -> awaitClosed(listener, nowNs);
        };
    }

    private int connect(final TransportListener listener, final long nowNs)
    {
        if (hasLeft || null == address)
        {
            endAll(waiting, listener);
            return 1;
        }

        failure = null;
        state = State.OPEN;
        sinceNs = nowNs;
        params = new UcpEndpointParams()
            .setSocketAddress(address)
            .setPeerErrorHandlingMode()
            .setErrorHandler((failed, status, text) -> fail(text));
        try
        {
            endpoint = local.worker().newEndpoint(params);
        }
        catch (final UcxException ex)
        {
            fail(ex.getMessage());
        }
        // what a connection that cannot be made was for fails with it: each is tried once
        for (int i = 0; i < waiting.size(); i++)
        {
            if (null == failure)
            {
                ask(waiting.get(i));
            }
            else
            {
                works.add(waiting.get(i));
            }
        }
        waiting.clear();
        return 1;
    }

    private void ask(final UcxWork work)
    {
        works.add(work);
        try
        {
            work.ask(endpoint, generation);
        }
        catch (final UcxException ex)
        {
            fail(ex.getMessage());
        }
    }

    private int read(final TransportListener listener, final long nowNs)
    {
        int workCount = 0;
        int oldestCount = 0;
        for (int i = works.size() - 1; i >= 0; i--)
        {
            final UcxWork work = works.get(i);
            oldestCount = work.complete(listener);
            workCount += oldestCount;
            if (work.isRefused())
            {
                fail("it cannot be asked");
            }
            else if (work.isDone() && work.isAtRest())
            {
                works.remove(i);
                local.recycle(work);
                oldestCount++;
            }
        }
        // a peer answers in the order in which it is asked: what others bring in does not excuse the oldest
        if (oldestCount > 0 || works.isEmpty())
        {
            sinceNs = nowNs;
        }
        else if (nowNs - sinceNs > local.timeoutNs() + longestNs())
        {
            fail("no answer in time");
        }
        return null == failure ? workCount : workCount + close(nowNs);
    }

    /** As long as the values that a peer sends at once may take. */
    private long longestNs()
    {
        long longest = 0;
        for (int i = 0; i < works.size(); i++)
        {
            longest = Math.max(longest, works.get(i).longest());
        }
        return UcxGuest.WINDOW * (longest >> 10) * NS_PER_KIB;
    }

    private int close(final long nowNs)
    {
        if (!works.isEmpty() && !hasLeft)
        {
            errorHandler.onError(new UcxFailure("reading from a peer over UCX failed: " + failure, null));
        }
        state = State.CLOSING;
        sinceNs = nowNs;
        for (int i = 0; i < works.size(); i++)
        {
            local.forget(works.get(i));
        }
        closing = Endpoints.close(endpoint, errorHandler);
        return 1;
    }

    private int awaitClosed(final TransportListener listener, final long nowNs)
    {
        if (!isClosed())
        {
            // UCX may still touch the targets of what was asked; of the rest it knows nothing
            final boolean isTooLong = nowNs - sinceNs > local.timeoutNs() + longestNs();
            return isTooLong && !waiting.isEmpty() ? giveUpWaiting(listener) : 0;
        }

        endpoint = null;
        params = null;
        closing = null;
        state = State.IDLE;
        endAll(works, listener);
        return 1;
    }

    private boolean isClosed()
    {
        if (null != closing && !closing.isCompleted())
        {
            return false;
        }
        for (int i = 0; i < works.size(); i++)
        {
            if (!works.get(i).isAtRest())
            {
                return false;
            }
        }
        return true;
    }

    private int giveUpWaiting(final TransportListener listener)
    {
        errorHandler.onError(new UcxFailure("a connection over UCX is not closed in time: " + failure, null));
        endAll(waiting, listener);
        return 1;
    }

    private void endAll(final ArrayList<UcxWork> ended, final TransportListener listener)
    {
        for (int i = 0; i < ended.size(); i++)
        {
            ended.get(i).fail(listener);
            local.recycle(ended.get(i));
        }
        ended.clear();
    }

    private void fail(final String reason)
    {
        if (null == failure)
        {
            failure = reason;
        }
    }
}
