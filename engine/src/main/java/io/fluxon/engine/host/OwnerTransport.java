package io.fluxon.engine.host;

import io.fluxon.engine.config.OwnerConfig;
import io.fluxon.engine.config.TransportName;
import io.fluxon.engine.transfer.AutoTransport;
import io.fluxon.engine.transfer.LoopbackTransport;
import io.fluxon.engine.transfer.Transport;
import io.fluxon.engine.transfer.ucx.UcxFailure;
import io.fluxon.engine.transfer.ucx.UcxLibrary;
import io.fluxon.engine.transfer.ucx.UcxTransport;
import org.agrona.concurrent.SystemNanoClock;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;

/**
 * The transport that an owner's configuration asks for, as far as this machine has it.
 *
 * @param transport that reads from the other owners.
 * @param address   at which owners of other hosts read here, empty = nowhere.
 * @param warning   what the operator should know, null = nothing.
 */
record OwnerTransport(Transport transport, String address, String warning)
{
    private static final String NOWHERE = "";

    /**
     * Creates it.
     *
     * @param host       that takes it over and records its errors.
     * @param config     of the owner.
     * @param memory     of the owner.
     * @param generation of the owner.
     * @return the transport.
     * @throws HostException when the configuration cannot be met; it names the field.
     */
    static OwnerTransport create(
        final ProcessHost host, final OwnerConfig config, final OwnerMemory memory, final long generation)
    {
        final LoopbackTransport loopback = new LoopbackTransport(
            memory.bytes(), memory.segment().layout().grantsOffset(), host::onError);
        if (TransportName.LOOPBACK == config.transport())
        {
            return new OwnerTransport(loopback, NOWHERE, null);
        }

        final boolean isAuto = TransportName.AUTO == config.transport();
        final InetSocketAddress listener = listener(config.transportEndpoint());
        final boolean isHidden =
            listener.getAddress().isLoopbackAddress() && !LocalAddresses.isLoopback(config.listenEndpoint());
        if (isAuto && listener.getAddress().isLoopbackAddress())
        {
            return new OwnerTransport(loopback, NOWHERE, isHidden ?
                "only owners of this host can be read, and read here: field transport_endpoint is " +
                config.transportEndpoint() : null);
        }
        if (isHidden)
        {
            throw new HostException("field transport_endpoint is " + config.transportEndpoint() +
                ", allowed is an address of this host that the other owners reach, as the master does " +
                config.listenEndpoint(), null);
        }
        final String problem = UcxLibrary.load();
        if (null != problem && isAuto)
        {
            return new OwnerTransport(loopback, NOWHERE, "only owners of this host can be read: " + problem);
        }
        if (null != problem)
        {
            throw new HostException("field transport is ucx: " + problem, null);
        }

        final UcxTransport ucx = host.own(listen(host, config, memory, generation, listener));
        return new OwnerTransport(isAuto ? new AutoTransport(loopback, ucx) : ucx, ucx.address(), null);
    }

    private static UcxTransport listen(
        final ProcessHost host,
        final OwnerConfig config,
        final OwnerMemory memory,
        final long generation,
        final InetSocketAddress listener)
    {
        try
        {
            return new UcxTransport(
                memory.bytes(),
                memory.segment().layout().grantsOffset(),
                generation,
                listener,
                TimeUnit.MILLISECONDS.toNanos(config.timeouts().getMs()),
                SystemNanoClock.INSTANCE,
                host::onError);
        }
        catch (final UcxFailure ex)
        {
            throw new HostException("field transport_endpoint is " + config.transportEndpoint() + ": " +
                ex.getMessage(), ex);
        }
    }

    private static InetSocketAddress listener(final String endpoint)
    {
        final int colon = endpoint.lastIndexOf(':');
        final String name = endpoint.substring(0, colon);
        try
        {
            final InetAddress address = InetAddress.getByName(name);
            if (address.isAnyLocalAddress())
            {
                throw new HostException("field transport_endpoint is " + endpoint +
                    ", allowed is an address of this host that the other owners reach", null);
            }
            return new InetSocketAddress(address, Integer.parseInt(endpoint.substring(colon + 1)));
        }
        catch (final UnknownHostException ex)
        {
            throw new HostException("field transport_endpoint is " + endpoint + ": " + name + " has no address", ex);
        }
    }
}
