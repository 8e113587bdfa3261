package io.fluxon.engine.host;

import io.fluxon.ipc.channel.ControlChannel;
import org.agrona.concurrent.CachedNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

class ReopeningChannelTest
{
    private final CachedNanoClock clock = new CachedNanoClock();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
    private final ControlChannel first = mock(ControlChannel.class);
    private final ControlChannel second = mock(ControlChannel.class);

    @Test
    void shouldOpenAnewAfterAPauseWhenTheChannelIsClosedForGood()
    {
        final ReopeningChannel channel = channelOf(first, second);
        when(first.offer(any(), anyInt(), anyInt())).thenReturn(ControlChannel.CLOSED);
        when(second.offer(any(), anyInt(), anyInt())).thenReturn(64L);

        assertThat(channel.offer(buffer, 0, 8)).isEqualTo(ControlChannel.NOT_CONNECTED);
        verify(first, never()).close();
        clock.advance(TimeUnit.MILLISECONDS.toNanos(100));
        assertThat(channel.offer(buffer, 0, 8)).isEqualTo(ControlChannel.NOT_CONNECTED);
        verify(first).close();
        assertThat(channel.offer(buffer, 0, 8)).isEqualTo(64);
    }

    @Test
    void shouldBeClosedOnlyByItsUser()
    {
        final ReopeningChannel channel = channelOf(first, second);
        when(first.isConnected()).thenReturn(true);
        assertThat(channel.isConnected()).isTrue();

        channel.close();
        channel.close();

        verify(first).close();
        assertThat(channel.isConnected()).isFalse();
        assertThat(channel.offer(buffer, 0, 8)).isEqualTo(ControlChannel.CLOSED);
    }

    private ReopeningChannel channelOf(final ControlChannel... channels)
    {
        final int[] next = new int[1];
        final Supplier<ControlChannel> opener = () -> channels[next[0]++];
        return new ReopeningChannel(opener, clock);
    }
}
