package io.fluxon.engine.host;

import java.net.InetAddress;
import java.util.function.Function;

/**
 * A master whose name had no address when the owner was started: once it has one, it must be one that reaches the
 * owner. Otherwise the owner would register for ever and hear nothing.
 */
final class LateMaster
{
    private final String listenEndpoint;
    private final String masterEndpoint;
    private final Function<String, InetAddress> resolver;
    private boolean isJudged;

    /**
     * A master that is to be looked at.
     *
     * @param listenEndpoint of the owner, {@code listen_endpoint}.
     * @param masterEndpoint of the master, {@code master.endpoint}.
     * @param resolver       finds the address of an endpoint, or null.
     */
    LateMaster(
        final String listenEndpoint, final String masterEndpoint, final Function<String, InetAddress> resolver)
    {
        this.listenEndpoint = listenEndpoint;
        this.masterEndpoint = masterEndpoint;
        this.resolver = resolver;
    }

    /**
     * Looks whether the name has an address now; may wait for the system that knows.
     *
     * @return what is wrong with that, once; null when nothing is, or it is not known.
     */
    HostException look()
    {
        final InetAddress master = isJudged ? null : resolver.apply(masterEndpoint);
        if (null == master)
        {
            return null;
        }
        isJudged = true;
        try
        {
            LocalAddresses.checkReachable(listenEndpoint, masterEndpoint, master);
            return null;
        }
        catch (final HostException ex)
        {
            return ex;
        }
    }
}
