package io.fluxon.engine.host;

import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageHandler;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class DelayedLinkTest
{
    private static final long DELAY_NS = 50;

    private final CachedNanoClock clock = new CachedNanoClock();
    private final List<String> sent = new ArrayList<>();
    private final List<String> waiting = new ArrayList<>();
    private final List<String> received = new ArrayList<>();
    private final FakeChannel channel = new FakeChannel();
    private final DelayedLink link = new DelayedLink(channel, this::pollWaiting, DELAY_NS, 256, clock);
    private final ControlChannel delayed = link.channel();

    @Test
    @Tag("P1")
    void shouldHoldBackEachMessageBothWaysInOrder()
    {
        assertThat(offer("a")).isPositive();
        waiting.add("x");
        poll();
        clock.advance(20);
        offer("b");
        waiting.add("y");
        poll();
        assertThat(sent).isEmpty();
        assertThat(received).isEmpty();

        clock.advance(30);
        poll();
        assertThat(sent).containsExactly("a");
        assertThat(received).containsExactly("7:x");

        clock.advance(20);
        poll();
        assertThat(sent).containsExactly("a", "b");
        assertThat(received).containsExactly("7:x", "7:y");
    }

    @Test
    void shouldKeepTheOrderWhenTheChannelIsBackPressured()
    {
        offer("a");
        offer("b");
        clock.advance(DELAY_NS);
        channel.result = ControlChannel.BACK_PRESSURED;
        poll();
        channel.result = 1;
        poll();

        assertThat(sent).containsExactly("a", "b");
    }

    @Test
    @Tag("BOUND-1")
    void shouldPushBackWhenTooMuchWaits()
    {
        int offered = 0;
        while (offer("m" + offered) > 0)
        {
            offered++;
        }
        assertThat(offered).isBetween(2, 20);
        assertThat(offer("more")).isEqualTo(ControlChannel.BACK_PRESSURED);
        for (int i = 0; i < 100; i++)
        {
            waiting.add("w" + i);
            poll();
        }
        assertThat(waiting).hasSizeGreaterThan(50);

        clock.advance(DELAY_NS);
        poll();
        assertThat(sent).hasSize(offered);
    }

    @Test
    void shouldPassOnThatNobodyIsThere()
    {
        offer("a");
        channel.isConnected = false;
        channel.result = ControlChannel.NOT_CONNECTED;
        assertThat(delayed.isConnected()).isFalse();
        assertThat(offer("b")).isEqualTo(ControlChannel.NOT_CONNECTED);

        channel.isConnected = true;
        channel.result = 1;
        offer("c");
        clock.advance(DELAY_NS);
        poll();

        assertThat(sent).containsExactly("c");
    }

    private void poll()
    {
        link.source().poll((connectionId, buffer, offset, length) ->
            received.add(connectionId + ":" + buffer.getStringWithoutLengthAscii(offset, length)), 10);
    }

    private long offer(final String text)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[text.length()]);
        buffer.putStringWithoutLengthAscii(0, text);
        return delayed.offer(buffer, 0, text.length());
    }

    private int pollWaiting(final MessageHandler handler, final int limit)
    {
        final int count = Math.min(limit, waiting.size());
        for (int i = 0; i < count; i++)
        {
            final String text = waiting.remove(0);
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[text.length()]);
            buffer.putStringWithoutLengthAscii(0, text);
            handler.onMessage(7, buffer, 0, text.length());
        }
        return count;
    }

    private final class FakeChannel implements ControlChannel
    {
        private boolean isConnected = true;
        private long result = 1;

        @Override
        public long offer(final DirectBuffer buffer, final int offset, final int length)
        {
            if (result > 0)
            {
                sent.add(buffer.getStringWithoutLengthAscii(offset, length));
            }
            return result;
        }

        @Override
        public int maxMessageLength()
        {
            return 1024;
        }

        @Override
        public boolean isConnected()
        {
            return isConnected;
        }

        @Override
        public void close()
        {
            isConnected = false;
        }
    }
}
