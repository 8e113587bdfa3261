package io.fluxon.engine.host;

import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether the addresses of a configuration fit this machine. What is wrong with them would otherwise show as silence.
 */
final class LocalAddresses
{
    private LocalAddresses()
    {
    }

    /**
     * An owner must listen where the master can reach it.
     *
     * @param listenEndpoint of the owner, {@code listen_endpoint}.
     * @param masterEndpoint of the master, {@code master.endpoint}; one whose name has no address yet is not judged.
     * @throws HostException that names the field.
     */
    static void checkReachable(final String listenEndpoint, final String masterEndpoint)
    {
        checkReachable(listenEndpoint, masterEndpoint, addressOf(masterEndpoint));
    }

    /**
     * An owner must listen where the master can reach it.
     *
     * @param listenEndpoint of the owner, {@code listen_endpoint}.
     * @param masterEndpoint of the master, {@code master.endpoint}.
     * @param master         address of that, null = not known.
     * @throws HostException that names the field.
     */
    static void checkReachable(final String listenEndpoint, final String masterEndpoint, final InetAddress master)
    {
        final InetAddress listen = addressOf(listenEndpoint);
        final boolean isElsewhere = null != listen && null != master && listen.isLoopbackAddress() &&
            !master.isLoopbackAddress() && !isOfThisMachine(master);
        if (isElsewhere || null != listen && listen.isAnyLocalAddress())
        {
            throw new HostException("field listen_endpoint is " + listenEndpoint +
                ", allowed is an address of this machine at which the master, " + masterEndpoint +
                ", reaches it", null);
        }
    }

    /**
     * Can only this machine reach an endpoint?
     *
     * @param endpoint host:port.
     * @return true if it can; false also for a name that has no address now.
     */
    static boolean isLoopback(final String endpoint)
    {
        final InetAddress address = addressOf(endpoint);
        return null != address && address.isLoopbackAddress();
    }

    /**
     * What an operator should know of an endpoint that is to be sent to.
     *
     * @param field    of the configuration.
     * @param endpoint in it.
     * @return null when there is nothing to say.
     */
    static String warning(final String field, final String endpoint)
    {
        return null != addressOf(endpoint) ? null :
            "field " + field + " is " + endpoint + ", a name without an address; it is looked up until it has one";
    }

    /**
     * What is sent from a network must have an address of this machine in it.
     *
     * @param networkInterface address, with or without length of its prefix; empty = not given.
     * @throws HostException that names the field, and what this machine has.
     */
    static void checkInterface(final String networkInterface)
    {
        if (networkInterface.isEmpty())
        {
            return;
        }
        final int slash = networkInterface.indexOf('/');
        final String text = slash < 0 ? networkInterface : networkInterface.substring(0, slash);
        final InetAddress wanted = addressOf(text + ":0");
        final List<String> known = new ArrayList<>();
        for (final InterfaceAddress candidate : addresses())
        {
            final InetAddress address = candidate.getAddress();
            final int bits = 8 * address.getAddress().length;
            final int prefix = slash < 0 ? bits : Integer.parseInt(networkInterface.substring(slash + 1));
            known.add(address.getHostAddress() + "/" + candidate.getNetworkPrefixLength());
            if (null != wanted && prefix <= bits && isInNetwork(address.getAddress(), wanted.getAddress(), prefix))
            {
                return;
            }
        }
        throw new HostException("field aeron.interface is " + networkInterface +
            ", allowed is an address of this machine, or a network with one; it has " + String.join(", ", known), null);
    }

    private static boolean isInNetwork(final byte[] address, final byte[] network, final int prefix)
    {
        boolean isEqual = address.length == network.length;
        for (int bit = 0; bit < prefix && isEqual; bit++)
        {
            isEqual = 0 == ((address[bit >> 3] ^ network[bit >> 3]) & 0x80 >> (bit & 7));
        }
        return isEqual;
    }

    private static boolean isOfThisMachine(final InetAddress address)
    {
        return addresses().stream().anyMatch((candidate) -> candidate.getAddress().equals(address));
    }

    private static List<InterfaceAddress> addresses()
    {
        try
        {
            return NetworkInterface.networkInterfaces()
                .flatMap((network) -> network.getInterfaceAddresses().stream()).toList();
        }
        catch (final SocketException ex)
        {
            throw new HostException("cannot find the addresses of this machine: " + ex.getMessage(), ex);
        }
    }

    /** Null where the name has no address now. */
    static InetAddress addressOf(final String endpoint)
    {
        try
        {
            return InetAddress.getByName(endpoint.substring(0, endpoint.lastIndexOf(':')));
        }
        catch (final UnknownHostException ex)
        {
            return null;
        }
    }
}
