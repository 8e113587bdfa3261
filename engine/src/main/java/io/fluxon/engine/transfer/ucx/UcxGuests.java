package io.fluxon.engine.transfer.ucx;

import org.agrona.ErrorHandler;
import org.agrona.collections.Long2ObjectHashMap;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpConnectionRequest;
import org.openucx.jucx.ucp.UcpListener;
import org.openucx.jucx.ucp.UcpListenerParams;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * All that read here, and the listener that lets them in.
 */
final class UcxGuests
{
    private static final int MAX_GUESTS = 4096;

    private final UcxLocal local;
    private final ErrorHandler errorHandler;
    /** Filled by UCX, on whichever thread it likes. */
    private final ConcurrentLinkedQueue<UcpConnectionRequest> requests = new ConcurrentLinkedQueue<>();
    private final ArrayList<UcxGuest> guests = new ArrayList<>();
    private final Long2ObjectHashMap<UcxGuest> byEndpoint = new Long2ObjectHashMap<>();
    private final UcpListenerParams params;
    private final UcpListener listener;

    UcxGuests(final UcxLocal local, final InetSocketAddress address, final ErrorHandler errorHandler)
    {
        this.local = local;
        this.errorHandler = errorHandler;
        params = new UcpListenerParams().setSockAddr(address).setConnectionHandler(requests::add);
        listener = local.worker().newListener(params);
    }

    int port()
    {
        return listener.getAddress().getPort();
    }

    UcxGuest byEndpoint(final long endpointId)
    {
        return byEndpoint.get(endpointId);
    }

    int doWork()
    {
        int workCount = 0;
        for (UcpConnectionRequest request = requests.poll(); null != request; request = requests.poll())
        {
            accept(request);
            workCount++;
        }
        for (int i = guests.size() - 1; i >= 0; i--)
        {
            final UcxGuest guest = guests.get(i);
            workCount += guest.doWork();
            if (guest.isOver())
            {
                guests.remove(i);
                byEndpoint.remove(guest.endpointId(), guest);
                workCount++;
            }
        }
        return workCount;
    }

    /** No more are let in, and those who are here have to go. */
    void close()
    {
        requests.forEach(UcpConnectionRequest::reject);
        requests.clear();
        listener.close();
        guests.forEach(UcxGuest::leave);
    }

    boolean isEmpty()
    {
        return guests.isEmpty();
    }

    private void accept(final UcpConnectionRequest request)
    {
        try
        {
            if (guests.size() >= MAX_GUESTS)
            {
                request.reject();
                return;
            }
            final UcxGuest guest = new UcxGuest(local.worker(), request, local, errorHandler);
            guests.add(guest);
            byEndpoint.put(guest.endpointId(), guest);
        }
        catch (final UcxException ex)
        {
            errorHandler.onError(new UcxFailure("a connection over UCX could not be accepted", ex));
        }
    }
}
