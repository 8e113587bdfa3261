package io.fluxon.ipc.aeron;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageAssembler;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.OutboundQueue;
import io.fluxon.ipc.channel.TestMessages;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class AeronChannelTest
{
    private static final String IPC = "aeron:ipc";
    private static final int STREAM_ID = 101;
    private static final int MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

    @TempDir
    Path folder;

    private final SplittableRandom random = new SplittableRandom(3);
    private final List<byte[]> received = new ArrayList<>();
    private final List<Long> receivedFrom = new ArrayList<>();
    private final List<Long> closed = new ArrayList<>();
    private final MessageHandler onMessage = (connectionId, buffer, offset, length) ->
    {
        received.add(TestMessages.bytes(buffer, offset, length));
        receivedFrom.add(connectionId);
    };
    private MediaDriver driver;
    private Aeron aeron;

    @BeforeEach
    void launch()
    {
        final String directory = folder.resolve("aeron").toString();
        driver = MediaDriver.launch(MediaDrivers.driverContext(new DriverSettings()
            .aeronDirectoryName(directory)
            .ipcTermBufferLength(1024 * 1024)
            .udpTermBufferLength(256 * 1024)));
        aeron = Aeron.connect(MediaDrivers.clientContext(directory, IdleStrategies.BACKOFF, 10_000));
    }

    @AfterEach
    void close()
    {
        aeron.close();
        driver.close();
    }

    @Test
    void shouldBringALargeMessageThroughIpc()
    {
        final UnsafeBuffer message = TestMessages.putStart(1, 4_500, 200, random);
        assertThat(message.capacity()).isGreaterThan(900_000);
        final MessageAssembler assembler = new MessageAssembler(MAX_MESSAGE_BYTES, onMessage);

        try (AeronMessageSource source = AeronMessageSource.open(aeron, IPC, STREAM_ID, closed::add);
            OutboundQueue queue = new OutboundQueue(AeronControlChannel.open(aeron, IPC, STREAM_ID), MAX_MESSAGE_BYTES))
        {
            assertThat(queue.send(message, 0, message.capacity())).isTrue();
            await(() ->
            {
                queue.flush(1);
                source.poll(assembler, 10);
                return 1 == received.size();
            });

            assertThat(queue.queuedBytes()).isZero();
        }
        assertThat(received).containsExactly(message.byteArray());
    }

    @Test
    void shouldBringALargeMessageThroughUdpToAnEphemeralPort()
    {
        final UnsafeBuffer message = TestMessages.putStart(1, 4_500, 200, random);
        final MessageAssembler assembler = new MessageAssembler(MAX_MESSAGE_BYTES, onMessage);

        try (AeronMessageSource source = AeronMessageSource.open(
            aeron, "aeron:udp?endpoint=127.0.0.1:0", STREAM_ID, closed::add))
        {
            await(() -> null != source.resolvedChannel());
            try (OutboundQueue queue = new OutboundQueue(
                AeronControlChannel.open(aeron, source.resolvedChannel(), STREAM_ID), MAX_MESSAGE_BYTES))
            {
                queue.send(message, 0, message.capacity());
                await(() ->
                {
                    queue.flush(1);
                    source.poll(assembler, 10);
                    return 1 == received.size();
                });
            }
        }
        assertThat(received).containsExactly(message.byteArray());
    }

    @Test
    void shouldSayNotConnectedUntilTheReceiverIsThere()
    {
        final UnsafeBuffer message = TestMessages.putStart(1, 1, 10, random);
        try (AeronControlChannel channel = AeronControlChannel.open(aeron, IPC, STREAM_ID))
        {
            assertThat(channel.isConnected()).isFalse();
            assertThat(channel.offer(message, 0, message.capacity())).isEqualTo(ControlChannel.NOT_CONNECTED);
            assertThat(channel.maxMessageLength()).isGreaterThan(4096);

            try (AeronMessageSource source = AeronMessageSource.open(aeron, IPC, STREAM_ID, closed::add))
            {
                await(channel::isConnected);
                assertThat(channel.offer(message, 0, message.capacity())).isPositive();
                assertThat(channel.maxMessageLength()).isEqualTo(1024 * 1024 / 8);
                await(() -> source.poll(onMessage, 10) > 0);
            }

            channel.close();
            channel.close();
            assertThat(channel.offer(message, 0, message.capacity())).isEqualTo(ControlChannel.CLOSED);
            assertThat(channel.isConnected()).isFalse();
        }
        assertThat(received).hasSize(1);
    }

    @Test
    void shouldNeverUseAConnectionIdAgain()
    {
        try (AeronMessageSource source = AeronMessageSource.open(aeron, IPC, STREAM_ID, closed::add))
        {
            for (int i = 0; i < 3; i++)
            {
                final int round = i;
                try (AeronControlChannel first = AeronControlChannel.open(aeron, IPC, STREAM_ID);
                    AeronControlChannel second = AeronControlChannel.open(aeron, IPC, STREAM_ID))
                {
                    for (int j = 0; j < 2; j++)
                    {
                        send(first);
                        send(second);
                    }
                    await(() ->
                    {
                        source.poll(onMessage, 10);
                        return received.size() == 4 * (round + 1);
                    });
                    assertThat(source.connections()).isEqualTo(2);
                }
                await(() ->
                {
                    source.poll(onMessage, 10);
                    return closed.size() == 2 * (round + 1);
                });
                assertThat(source.connections()).isZero();
            }
        }

        assertThat(receivedFrom.stream().distinct()).hasSize(6);
        assertThat(closed).containsExactlyInAnyOrderElementsOf(receivedFrom.stream().distinct().toList());
    }

    @Test
    void shouldTellTheEndOfEachConnectionOnceWhenAnotherThreadComesAndGoes() throws Exception
    {
        final int connections = 200;
        try (AeronMessageSource source = AeronMessageSource.open(aeron, IPC, STREAM_ID, closed::add);
            ExecutorService sender = Executors.newSingleThreadExecutor())
        {
            final Future<?> sent = sender.submit(() ->
            {
                for (int i = 0; i < connections; i++)
                {
                    try (AeronControlChannel channel = AeronControlChannel.open(aeron, IPC, STREAM_ID))
                    {
                        send(channel);
                    }
                }
            });
            await(() ->
            {
                source.poll(onMessage, 10);
                return closed.size() == connections;
            });
            sent.get();
            assertThat(source.connections()).isZero();
        }

        assertThat(closed).containsExactlyInAnyOrderElementsOf(receivedFrom).doesNotHaveDuplicates();
    }

    @Test
    void shouldThrowToThePollerWhatTheHandlerThrows()
    {
        try (AeronMessageSource source = AeronMessageSource.open(aeron, IPC, STREAM_ID, closed::add);
            AeronControlChannel channel = AeronControlChannel.open(aeron, IPC, STREAM_ID))
        {
            for (int i = 0; i < 3; i++)
            {
                send(channel);
            }
            assertThatThrownBy(() -> await(() -> source.poll((connectionId, buffer, offset, length) ->
            {
                throw new IllegalStateException("broken");
            }, 10) > 0)).hasMessage("broken");

            await(() ->
            {
                source.poll(onMessage, 10);
                return 2 == received.size();
            });
        }
    }

    @Test
    void shouldBeClosedWhenTheDriverRefusesTheChannel()
    {
        try (AeronControlChannel channel = AeronControlChannel.open(
            aeron, "aeron:udp?endpoint=127.0.0.1:20101|mtu=7", STREAM_ID))
        {
            final UnsafeBuffer message = TestMessages.putStart(1, 1, 10, random);
            await(() -> ControlChannel.CLOSED == channel.offer(message, 0, message.capacity()));
            assertThat(channel.failure()).isNotBlank();
        }
    }

    @Test
    void shouldRefuseSettingsByTheirNames()
    {
        assertThatThrownBy(() -> new DriverSettings().conclude()).hasMessageContaining("aeronDirectoryName");
        assertThatThrownBy(() -> settings().ipcTermBufferLength(100_000).conclude())
            .hasMessageContaining("ipcTermBufferLength is 100000");
        assertThatThrownBy(() -> settings().udpMtuLength(1040).conclude())
            .hasMessageContaining("udpMtuLength is 1040").hasMessageContaining("a multiple of 32 from 1024 to 65504");
        assertThatThrownBy(() -> settings().idleStrategy("spin").conclude())
            .hasMessageContaining("'spin'").hasMessageContaining("backoff, busy_spin, yield, sleep");
        assertThatThrownBy(() -> settings().threadingMode("x").conclude()).hasMessageContaining("shared_network");
        assertThatThrownBy(() -> settings().clientLivenessTimeoutNs(0).conclude())
            .hasMessageContaining("clientLivenessTimeoutNs");
    }

    @Test
    void shouldKnowEveryIdleStrategyByName()
    {
        for (final String name : List.of("backoff", "busy_spin", "yield", "sleep"))
        {
            assertThat(IdleStrategies.byName(name)).isNotSameAs(IdleStrategies.byName(name));
        }
    }

    private static DriverSettings settings()
    {
        return new DriverSettings().aeronDirectoryName("/tmp/none");
    }

    private void send(final AeronControlChannel channel)
    {
        final UnsafeBuffer message = TestMessages.putStart(1, 1, 10, random);
        await(() -> channel.offer(message, 0, message.capacity()) > 0);
    }

    private static void await(final BooleanSupplier condition)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean())
        {
            assertThat(System.nanoTime() - deadlineNs).as("waited for too long").isNegative();
            Thread.yield();
        }
    }
}
