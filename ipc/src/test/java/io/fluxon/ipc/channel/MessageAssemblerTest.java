package io.fluxon.ipc.channel;

import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.MessagePartEncoder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

import static org.assertj.core.api.Assertions.assertThat;

class MessageAssemblerTest
{
    private static final int MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
    private static final int MAX_QUEUED_BYTES = 16 * 1024 * 1024;

    private final SplittableRandom random = new SplittableRandom(7101);
    private final List<byte[]> received = new ArrayList<>();
    private final List<Long> receivedFrom = new ArrayList<>();
    private final MessageAssembler assembler = new MessageAssembler(MAX_MESSAGE_BYTES, 4, this::onWhole);

    @ParameterizedTest
    @ValueSource(ints = {1024, 1408, 4096, 16_384, 65_536})
    void shouldBringALargeBatchThroughASmallChannelThatRefusesByChance(final int maxMessageLength)
    {
        final UnsteadyChannel channel = new UnsteadyChannel(1, maxMessageLength, 40, random);
        final OutboundQueue queue = new OutboundQueue(channel, MAX_QUEUED_BYTES);
        final List<byte[]> sent = new ArrayList<>();
        for (int i = 0; i < 6; i++)
        {
            final UnsafeBuffer message = 0 == i % 2 ?
                TestMessages.putStart(i, 4096, 200, random) : TestMessages.putStart(i, 1, 100, random);
            sent.add(message.byteArray());
            assertThat(queue.send(message, 0, message.capacity())).isTrue();
            channel.poll(assembler, Integer.MAX_VALUE);
        }
        while (queue.isBackPressured())
        {
            queue.flush(2);
            channel.poll(assembler, Integer.MAX_VALUE);
        }

        assertThat(received).containsExactlyElementsOf(sent);
        assertThat(assembler.dropped()).isZero();
        assertThat(assembler.incomplete()).isZero();

        final MessageCheck check = new MessageCheck();
        assertThat(received).allMatch((bytes) -> check.isValid(new UnsafeBuffer(bytes), 0, bytes.length));
    }

    @Test
    void shouldKeepInterleavedConnectionsApart()
    {
        final List<List<byte[]>> parts = new ArrayList<>();
        final List<byte[]> whole = new ArrayList<>();
        for (int i = 0; i < 4; i++)
        {
            final UnsafeBuffer message = TestMessages.putStart(i, 50 + i, 100, random);
            whole.add(message.byteArray());
            parts.add(split(message));
        }
        while (parts.stream().anyMatch((list) -> !list.isEmpty()))
        {
            final int connection = random.nextInt(4);
            if (!parts.get(connection).isEmpty())
            {
                deliver(connection, parts.get(connection).removeFirst());
            }
        }

        assertThat(received).hasSize(4);
        for (int i = 0; i < 4; i++)
        {
            assertThat(received.get(i)).isEqualTo(whole.get(receivedFrom.get(i).intValue()));
        }
    }

    @Test
    void shouldDropAMessageWhenOneOfItsPartsIsLost()
    {
        final int partCount = split(TestMessages.putStart(1, 50, 100, random)).size();
        for (int lost = 0; lost < partCount; lost++)
        {
            final List<byte[]> parts = split(TestMessages.putStart(lost, 50, 100, random));
            parts.remove(lost);
            parts.forEach((part) -> deliver(1, part));
            final UnsafeBuffer next = TestMessages.putStart(100 + lost, 50, 100, random);
            split(next).forEach((part) -> deliver(1, part));

            assertThat(received).containsExactly(next.byteArray());
            received.clear();
        }

        assertThat(assembler.dropped()).isGreaterThanOrEqualTo(partCount);
        assertThat(assembler.incomplete()).isZero();
    }

    @Test
    void shouldDropARepeatedPartAndAnOtherMessagesPart()
    {
        final List<byte[]> repeated = split(TestMessages.putStart(1, 50, 100, random));
        deliver(1, repeated.get(0));
        deliver(1, repeated.get(1));
        deliver(1, repeated.get(1));
        repeated.subList(2, repeated.size()).forEach((part) -> deliver(1, part));

        deliver(1, part(1, 2000, 0, 900));
        deliver(1, part(2, 2000, 900, 900));
        deliver(1, part(1, 2000, 1800, 200));

        assertThat(received).isEmpty();
        assertThat(assembler.incomplete()).isZero();
    }

    @Test
    void shouldDropAnIncompleteMessageWhenAWholeOneFollows()
    {
        deliver(1, part(1, 2000, 0, 900));
        final UnsafeBuffer whole = TestMessages.putStart(1, 1, 10, random);
        deliver(1, whole.byteArray());
        deliver(1, part(1, 2000, 900, 1100));

        assertThat(received).containsExactly(whole.byteArray());
        assertThat(assembler.dropped()).isEqualTo(2);
    }

    @Test
    @Tag("BOUND-1")
    void shouldDropLengthsThatLieOrPassTheBound()
    {
        final byte[] shorter = part(1, 100, 0, 60);
        new MessagePartEncoder().wrap(new UnsafeBuffer(shorter), MessageHeaderEncoder.ENCODED_LENGTH).partLength(61);

        deliver(1, shorter);
        deliver(1, part(1, MAX_MESSAGE_BYTES + 1, 0, 60));
        deliver(1, part(1, Integer.MAX_VALUE, 0, 60));
        deliver(1, part(1, -1, 0, 60));
        deliver(1, part(1, 31, 0, 31));
        deliver(1, part(1, 100, -60, 60));
        deliver(1, part(1, 100, 60, 60));
        deliver(1, part(1, 100, Integer.MAX_VALUE, 60));
        deliver(1, part(1, 100, 0, 0));

        assertThat(received).isEmpty();
        assertThat(assembler.dropped()).isEqualTo(9);
        assertThat(assembler.incomplete()).isZero();
    }

    @Test
    void shouldDropAPartWithinParts()
    {
        final UnsafeBuffer inner = new UnsafeBuffer(part(1, 4000, 0, 3000));
        split(inner).forEach((part) -> deliver(1, part));

        assertThat(received).isEmpty();
        assertThat(assembler.dropped()).isEqualTo(1);
    }

    @Test
    @Tag("BOUND-1")
    void shouldBoundTheMessagesThatAreIncomplete()
    {
        for (int connection = 1; connection <= 6; connection++)
        {
            deliver(connection, part(1, 2000, 0, 900));
        }
        assertThat(assembler.incomplete()).isEqualTo(4);
        assertThat(assembler.dropped()).isEqualTo(2);

        assembler.forget(1);
        assembler.forget(1);
        deliver(6, part(1, 2000, 0, 900));
        deliver(6, part(1, 2000, 900, 1100));

        assertThat(received).hasSize(1);
        assertThat(receivedFrom).containsExactly(6L);
    }

    @Test
    void shouldPassThroughWhatIsNoPart()
    {
        deliver(1, new byte[0]);
        deliver(1, new byte[7]);
        deliver(1, new byte[100]);

        assertThat(received).hasSize(3);
        assertThat(assembler.dropped()).isZero();
    }

    private void onWhole(final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        received.add(TestMessages.bytes(buffer, offset, length));
        receivedFrom.add(connectionId);
    }

    private void deliver(final long connectionId, final byte[] message)
    {
        assembler.onMessage(connectionId, new UnsafeBuffer(message), 0, message.length);
    }

    private List<byte[]> split(final UnsafeBuffer message)
    {
        final UnsteadyChannel channel = new UnsteadyChannel(1, 1024, 0, random);
        assertThat(new OutboundQueue(channel, MAX_QUEUED_BYTES).send(message, 0, message.capacity())).isTrue();
        return new ArrayList<>(channel.inFlight);
    }

    private static byte[] part(
        final long messageId, final int totalLength, final int partOffset, final int partLength)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[OutboundQueue.PART_HEADER_LENGTH + partLength]);
        new MessagePartEncoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
            .generation(1)
            .sessionId(1)
            .messageId(messageId)
            .totalLength(totalLength)
            .partOffset(partOffset)
            .partLength(partLength);
        return buffer.byteArray();
    }
}
