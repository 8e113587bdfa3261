package io.fluxon.engine.transfer.ucx;

import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Where an owner can be read over UCX, as the text that it announces: {@code ucx:<port>:<address>}. Whoever passes it
 * on need not understand it.
 */
final class UcxAddress
{
    private static final String SCHEME = "ucx";
    private static final int PART_COUNT = 3;

    private UcxAddress()
    {
    }

    /** The address in a text, null when there is none. */
    static InetSocketAddress parse(final String text)
    {
        final String[] parts = text.split(":", PART_COUNT);
        if (PART_COUNT != parts.length || !SCHEME.equals(parts[0]))
        {
            return null;
        }
        try
        {
            // a name would be looked up, on a thread that must not wait
            return new InetSocketAddress(InetAddress.ofLiteral(parts[2]), Integer.parseInt(parts[1]));
        }
        catch (final IllegalArgumentException ex)
        {
            return null;
        }
    }

    static String text(final InetAddress address, final int port)
    {
        return String.join(":", SCHEME, Integer.toString(port), address.getHostAddress());
    }
}
