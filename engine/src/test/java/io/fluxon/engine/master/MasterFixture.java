package io.fluxon.engine.master;

import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.MessageSource;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A master with queues in memory and a clock moved by hand.
 */
final class MasterFixture implements AutoCloseable
{
    static final long EPOCH = 77;
    static final long MS = 1_000_000;

    private static final int MAX_TICKS = 100_000;

    final Map<String, Wire> wires = new TreeMap<>();
    final MasterCounters counters;
    final MasterAgent master;
    final MasterContext context;
    private final ArrayDeque<Inbound> inbound = new ArrayDeque<>();
    long nowNs = 1_000_000_000;

    MasterFixture()
    {
        this((context) ->
        {
        });
    }

    MasterFixture(final Consumer<MasterContext> settings)
    {
        final CountersManager manager = new CountersManager(
            new UnsafeBuffer(ByteBuffer.allocateDirect(256 * 1024)),
            new UnsafeBuffer(ByteBuffer.allocateDirect(64 * 1024)),
            StandardCharsets.UTF_8);
        counters = new MasterCounters(manager);
        context = new MasterContext()
            .epoch(EPOCH)
            .nanoClock(() -> nowNs)
            .source(new Source())
            .ownerChannels(this::open)
            .counters(counters)
            .maxRoutes(10_000);
        settings.accept(context);
        master = new MasterAgent(context);
    }

    TestOwner owner(final int ownerId, final long generation)
    {
        return new TestOwner(this, ownerId, generation);
    }

    TestOwner registered(final int ownerId)
    {
        final TestOwner owner = owner(ownerId, 10);
        assertThat(owner.register()).isZero();
        return owner;
    }

    void send(final long connectionId, final DirectBuffer buffer, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(0, bytes);
        inbound.add(new Inbound(connectionId, bytes));
    }

    void tick()
    {
        master.doWork();
    }

    /** Runs until nothing is left to do. */
    void settle()
    {
        int ticks = 0;
        while (0 != master.doWork())
        {
            assertThat(++ticks).isLessThan(MAX_TICKS);
        }
    }

    /** Lets time pass in steps that are no stall. */
    void run(final long durationNs)
    {
        final long endNs = nowNs + durationNs;
        final long stepNs = context.livenessTimeoutNs() / 8;
        while (nowNs < endNs)
        {
            nowNs = Math.min(endNs, nowNs + stepNs);
            settle();
        }
    }

    /** The same, while some owners send heartbeats. */
    void run(final long durationNs, final TestOwner... alive)
    {
        final long endNs = nowNs + durationNs;
        final long stepNs = context.livenessTimeoutNs() / 8;
        while (nowNs < endNs)
        {
            nowNs = Math.min(endNs, nowNs + stepNs);
            for (final TestOwner owner : alive)
            {
                owner.sendHeartbeat();
            }
            settle();
        }
    }

    long get(final MasterCounter counter)
    {
        return counters.get(counter);
    }

    /** Counts all tables anew and compares. */
    void audit()
    {
        final long audits = get(MasterCounter.AUDITS);
        master.requestAudit();
        settle();
        assertThat(get(MasterCounter.AUDITS)).isEqualTo(audits + 1);
        assertThat(get(MasterCounter.AUDIT_DIFFERENCES)).isZero();
        assertThat(master.audit().result().checks()).isPositive();
    }

    /** Nothing temporary is left. */
    void assertNothingTemporary()
    {
        settle();
        assertThat(get(MasterCounter.GETS_IN_FLIGHT)).isZero();
        assertThat(get(MasterCounter.REPLICAS_DETACHED)).isZero();
        assertThat(get(MasterCounter.RESERVATIONS)).isZero();
        assertThat(get(MasterCounter.OPERATIONS_QUEUED)).isZero();
        assertThat(get(MasterCounter.OPERATION_BYTES)).isZero();
        assertThat(get(MasterCounter.TENURES_DRAINING)).isZero();
        assertThat(master.state().reservations.records()).isZero();
        assertThat(master.state().gets.roomSetAside()).isZero();
        assertThat(master.state().routes.activity()).isZero();
        assertThat(get(MasterCounter.FENCES)).isZero();
    }

    @Override
    public void close()
    {
        master.onClose();
    }

    private ControlChannel open(final String responseChannel)
    {
        if (!responseChannel.startsWith("to:"))
        {
            return null;
        }
        return wires.computeIfAbsent(responseChannel, (name) -> new Wire()).open();
    }

    private record Inbound(long connectionId, byte[] bytes)
    {
    }

    private final class Source implements MessageSource
    {
        @Override
        public int poll(final MessageHandler handler, final int limit)
        {
            int count = 0;
            while (count < limit && !inbound.isEmpty())
            {
                final Inbound message = inbound.poll();
                handler.onMessage(
                    message.connectionId, new UnsafeBuffer(message.bytes), 0, message.bytes.length);
                count++;
            }
            return count;
        }
    }

    /** Where an owner listens. */
    static final class Wire
    {
        final ArrayDeque<UnsafeBuffer> messages = new ArrayDeque<>();
        boolean isBlocked;
        int opened;
        int closed;

        ControlChannel open()
        {
            opened++;
            return new Channel();
        }

        List<UnsafeBuffer> takeAll(final int templateId)
        {
            final List<UnsafeBuffer> found = new ArrayList<>();
            messages.removeIf((message) ->
            {
                final boolean isWanted = templateId == new MessageHeaderDecoder().wrap(message, 0).templateId();
                if (isWanted)
                {
                    found.add(message);
                }
                return isWanted;
            });
            return found;
        }

        private final class Channel implements ControlChannel
        {
            private boolean isClosed;

            @Override
            public long offer(final DirectBuffer buffer, final int offset, final int length)
            {
                if (isClosed)
                {
                    return CLOSED;
                }

                if (isBlocked)
                {
                    return BACK_PRESSURED;
                }

                final byte[] bytes = new byte[length];
                buffer.getBytes(offset, bytes);
                messages.add(new UnsafeBuffer(bytes));
                return 1;
            }

            @Override
            public int maxMessageLength()
            {
                return 1 << 24;
            }

            @Override
            public boolean isConnected()
            {
                return !isBlocked;
            }

            @Override
            public void close()
            {
                if (!isClosed)
                {
                    isClosed = true;
                    closed++;
                }
            }
        }
    }
}
