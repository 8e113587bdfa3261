package io.fluxon.engine.host;

import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.MessageSource;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/**
 * Holds back every message of a connection, each way, for a time; the order stays. For showing what a slow master does
 * and does not slow down (contract P1). Belongs to the agent that polls the source: each poll also sends what is due.
 */
final class DelayedLink
{
    private final ControlChannel channel;
    private final MessageSource source;
    private final NanoClock clock;
    private final DelayLine outbound;
    private final DelayLine inbound;
    private final MessageHandler inboundHandler = this::onInbound;
    private final DelayLine.Taker sender = this::send;
    private final DelayLine.Taker receiver = this::receive;
    private MessageHandler handler;

    /**
     * A link over a channel and a source.
     *
     * @param channel          that messages go to when they are due.
     * @param source           that messages come from.
     * @param delayNs          of each message.
     * @param maxBytes         that wait in each direction at most.
     * @param clock            that times them.
     */
    DelayedLink(
        final ControlChannel channel,
        final MessageSource source,
        final long delayNs,
        final int maxBytes,
        final NanoClock clock)
    {
        this.channel = channel;
        this.source = source;
        this.clock = clock;
        this.outbound = new DelayLine(delayNs, maxBytes);
        this.inbound = new DelayLine(delayNs, maxBytes);
    }

    ControlChannel channel()
    {
        return new DelayedChannel();
    }

    MessageSource source()
    {
        return this::poll;
    }

    private int poll(final MessageHandler handler, final int limit)
    {
        final long nowNs = clock.nanoTime();
        outbound.take(nowNs, Integer.MAX_VALUE, sender);
        if (inbound.hasRoom())
        {
            source.poll(inboundHandler, limit);
        }
        this.handler = handler;
        return inbound.take(nowNs, limit, receiver);
    }

    private boolean receive(final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        handler.onMessage(connectionId, buffer, offset, length);
        return true;
    }

    private void onInbound(final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        inbound.put(clock.nanoTime(), connectionId, buffer, offset, length);
    }

    private boolean send(final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        final long result = channel.offer(buffer, offset, length);
        // a message that finds no receiver any more is lost, as on a network
        return ControlChannel.BACK_PRESSURED != result && ControlChannel.ADMIN_ACTION != result;
    }

    private final class DelayedChannel implements ControlChannel
    {
        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length)
        {
            if (!channel.isConnected())
            {
                // what waits is lost, so nothing is overtaken should the channel take this one after all
                outbound.clear();
                return channel.offer(buffer, offset, length);
            }
            if (!outbound.hasRoom())
            {
                return BACK_PRESSURED;
            }
            outbound.put(clock.nanoTime(), 0, buffer, offset, length);
            return 1;
        }

        @Override
        public int maxMessageLength()
        {
            return channel.maxMessageLength();
        }

        @Override
        public boolean isConnected()
        {
            return channel.isConnected();
        }

        @Override
        public void close()
        {
            channel.close();
        }
    }
}
