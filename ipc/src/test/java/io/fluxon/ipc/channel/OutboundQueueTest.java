package io.fluxon.ipc.channel;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OutboundQueueTest
{
    private static final int BOUND = 8192;
    private static final int MAX_MESSAGE_LENGTH = 1024;

    private final SplittableRandom random = new SplittableRandom(42);
    private final UnsteadyChannel channel = new UnsteadyChannel(1, MAX_MESSAGE_LENGTH, 0, random);
    private final OutboundQueue queue = new OutboundQueue(channel, BOUND);

    @Test
    void shouldSendAtOnceWhenTheChannelTakesIt()
    {
        assertThat(send(message(1))).isTrue();

        assertThat(channel.inFlight).hasSize(1);
        assertThat(queue.queuedBytes()).isZero();
        assertThat(queue.isBackPressured()).isFalse();
    }

    @Test
    void shouldKeepTheOrderWhenTheChannelRefusedForAWhile()
    {
        channel.answer = ControlChannel.BACK_PRESSURED;
        send(message(1));
        send(message(2));
        channel.answer = 1;
        send(message(3));
        assertThat(queue.isBackPressured()).isTrue();
        assertThat(queue.flush(1)).isEqualTo(1);
        assertThat(queue.flush(10)).isEqualTo(2);

        assertThat(received()).containsExactly(1L, 2L, 3L);
        assertThat(queue.queuedBytes()).isZero();
    }

    @Test
    @Tag("BOUND-1")
    void shouldRefuseAWholeMessageWhenTheBoundWouldBePassed()
    {
        channel.answer = ControlChannel.NOT_CONNECTED;
        long sent = 0;
        while (send(message(sent + 1)))
        {
            sent++;
        }

        assertThat(queue.queuedBytes()).isBetween(BOUND - 512, BOUND);
        assertThat(queue.availableBytes()).isLessThan(message(1).capacity());
        channel.answer = 1;
        assertThat(queue.flush(Integer.MAX_VALUE)).isEqualTo((int) sent);
        assertThat(received()).hasSize((int) sent).isSorted();
    }

    @Test
    @Tag("BOUND-1")
    void shouldSendNoPartOfAMessageThatIsLongerThanTheBound()
    {
        assertThat(send(TestMessages.putStart(1, 100, 200, random))).isFalse();

        assertThat(channel.offers).isZero();
        assertThat(queue.availableBytes()).isEqualTo(BOUND - 8);
    }

    @Test
    @Tag("BOUND-1")
    void shouldTakeExactlyTheMessageThatFillsTheBound()
    {
        channel.answer = ControlChannel.BACK_PRESSURED;
        final UnsafeBuffer filling = new UnsafeBuffer(new byte[queue.availableBytes()]);

        assertThat(send(filling)).isTrue();
        assertThat(queue.queuedBytes()).isEqualTo(BOUND);
        assertThat(queue.availableBytes()).isZero();
        assertThat(send(message(1))).isFalse();
    }

    @Test
    void shouldStayWithinTheBoundWhenTheQueueIsUsedForLong()
    {
        long sent = 0;
        long flushed = 0;
        for (int i = 0; i < 100_000; i++)
        {
            channel.answer = random.nextInt(10) < 7 ? ControlChannel.BACK_PRESSURED : 1;
            final int length = OutboundQueue.MIN_MESSAGE_LENGTH + random.nextInt(MAX_MESSAGE_LENGTH - 32);
            if (queue.send(new UnsafeBuffer(new byte[length]), 0, length))
            {
                sent++;
            }
            flushed += queue.flush(random.nextInt(5));
            assertThat(queue.queuedBytes()).isBetween(0, BOUND);
        }
        channel.answer = 1;
        queue.flush(Integer.MAX_VALUE);

        assertThat(channel.inFlight).hasSize((int) sent);
        assertThat(flushed).isPositive();
    }

    @Test
    void shouldRetryAnAdminActionThreeTimesAtOnce()
    {
        channel.answer = ControlChannel.ADMIN_ACTION;

        assertThat(send(message(1))).isTrue();
        assertThat(channel.offers).isEqualTo(3);
        assertThat(queue.isBackPressured()).isTrue();
    }

    @Test
    void shouldDropAndCountWhenTheChannelIsClosedForGood()
    {
        channel.answer = ControlChannel.BACK_PRESSURED;
        send(message(1));
        send(message(2));
        channel.answer = ControlChannel.CLOSED;
        queue.flush(10);
        send(message(3));

        assertThat(queue.isClosed()).isTrue();
        assertThat(queue.droppedMessages()).isEqualTo(3);
        assertThat(queue.queuedBytes()).isZero();
    }

    @Test
    void shouldBeginAMessageAnewWhenTheReceiverWentInTheMiddleOfIt()
    {
        final OutboundQueue large = new OutboundQueue(channel, 1024 * 1024);
        final UnsafeBuffer message = TestMessages.putStart(5, 100, 200, random);
        channel.admissions = 3;
        large.send(message, 0, message.capacity());
        channel.inFlight.clear();
        channel.answer = ControlChannel.NOT_CONNECTED;
        large.flush(10);
        channel.answer = 1;
        channel.admissions = Integer.MAX_VALUE;
        assertThat(large.flush(10)).isEqualTo(1);

        final List<byte[]> whole = new ArrayList<>();
        channel.poll(new MessageAssembler(1024 * 1024, (connectionId, buffer, offset, length) ->
            whole.add(TestMessages.bytes(buffer, offset, length))), Integer.MAX_VALUE);
        assertThat(whole).containsExactly(message.byteArray());
    }

    @Test
    void shouldDropWhatWaitsWhenClosed()
    {
        channel.answer = ControlChannel.BACK_PRESSURED;
        send(message(1));
        queue.close();
        queue.close();

        assertThat(channel.isClosed).isTrue();
        assertThat(queue.queuedBytes()).isZero();
        assertThat(queue.droppedMessages()).isEqualTo(1);
        assertThat(queue.flush(10)).isZero();
    }

    @Test
    void shouldRefuseWhatIsNoMessage()
    {
        assertThatThrownBy(() -> queue.send(new UnsafeBuffer(new byte[31]), 0, 31))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("31");
        assertThatThrownBy(() -> new OutboundQueue(channel, 10))
            .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("maxQueuedBytes 10");
    }

    private boolean send(final UnsafeBuffer message)
    {
        return queue.send(message, 0, message.capacity());
    }

    private UnsafeBuffer message(final long correlationId)
    {
        return TestMessages.putStart(correlationId, 1, 20, random);
    }

    private List<Long> received()
    {
        final List<Long> ids = new ArrayList<>();
        channel.poll((connectionId, buffer, offset, length) ->
            ids.add(TestMessages.correlationId(buffer, offset)), Integer.MAX_VALUE);
        return ids;
    }
}
