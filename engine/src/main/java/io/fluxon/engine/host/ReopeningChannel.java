package io.fluxon.engine.host;

import io.fluxon.ipc.channel.ControlChannel;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

import java.util.function.Supplier;

/**
 * A channel that opens its transport anew, at most once every {@value #PAUSE_NS} ns, when that has closed for good. To
 * its user it is never closed, only not connected.
 */
final class ReopeningChannel implements ControlChannel
{
    private static final long PAUSE_NS = 100_000_000L;

    private final Supplier<? extends ControlChannel> opener;
    private final NanoClock clock;
    private ControlChannel channel;
    private long openedNs;
    private boolean isClosed;

    ReopeningChannel(final Supplier<? extends ControlChannel> opener, final NanoClock clock)
    {
        this.opener = opener;
        this.clock = clock;
        this.channel = opener.get();
        this.openedNs = clock.nanoTime();
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        if (isClosed)
        {
            return CLOSED;
        }
        final long result = channel.offer(buffer, offset, length);
        if (CLOSED == result)
        {
            reopen();
            return NOT_CONNECTED;
        }
        return result;
    }

    @Override
    public int maxMessageLength()
    {
        return channel.maxMessageLength();
    }

    @Override
    public boolean isConnected()
    {
        return !isClosed && channel.isConnected();
    }

    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            channel.close();
        }
    }

    private void reopen()
    {
        final long nowNs = clock.nanoTime();
        if (nowNs - openedNs >= PAUSE_NS)
        {
            openedNs = nowNs;
            channel.close();
            channel = opener.get();
        }
    }
}
