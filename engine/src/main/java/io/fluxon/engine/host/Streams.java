package io.fluxon.engine.host;

/**
 * Streams between owner and master.
 */
final class Streams
{
    /** The master's requests from owners. */
    static final int MASTER_REQUEST_STREAM_ID = 201;
    /** An owner's messages from the master. */
    static final int OWNER_RESPONSE_STREAM_ID = 202;

    private static final String UDP_PREFIX = "aeron:udp?endpoint=";

    private Streams()
    {
    }

    static String udpChannel(final String endpoint)
    {
        return UDP_PREFIX + endpoint;
    }

    /** A channel that sends from an address of this machine, or one in a network; empty = the system chooses. */
    static String sentFrom(final String channel, final String networkInterface)
    {
        return networkInterface.isEmpty() ? channel : channel + "|interface=" + networkInterface;
    }

    /** Endpoint of a channel made by {@link #udpChannel}. */
    static String endpoint(final String channel)
    {
        return channel.substring(channel.indexOf(UDP_PREFIX) + UDP_PREFIX.length());
    }

    /** Is this a channel that an owner may announce, and nothing else that Aeron would understand? */
    static boolean isUdpChannel(final String channel)
    {
        return channel.matches("aeron:udp\\?endpoint=[A-Za-z0-9.\\-\\[\\]:%_]{3,300}");
    }
}
