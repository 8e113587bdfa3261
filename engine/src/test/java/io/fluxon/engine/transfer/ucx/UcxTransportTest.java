package io.fluxon.engine.transfer.ucx;

import io.fluxon.engine.ring.Rings;
import io.fluxon.engine.transfer.TransferAgent;
import io.fluxon.engine.transfer.TransferCounters;
import io.fluxon.engine.transfer.TransferProxy;
import io.fluxon.ipc.ErrorCode;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Timeout(60)
@RequiresUcx
class UcxTransportTest
{
    private static final long GRANTS = 4096;
    private static final long LENGTH = GRANTS + (32 << 20);
    private static final long TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long OPEN = -1;

    private final Arena arena = Arena.ofShared();
    private final OneToOneRingBuffer requests = Rings.ring(64 * 1024);
    private final OneToOneRingBuffer completions = Rings.ring(64 * 1024);
    private final TransferProxy proxy = new TransferProxy(requests, completions);
    private final TransferCounters counters = new TransferCounters(
        Rings.counter(), Rings.counter(), Rings.counter(), Rings.counter());
    private final Long2LongHashMap statuses = new Long2LongHashMap(OPEN);
    private final List<Throwable> errors = new ArrayList<>();
    private final List<UcxTransport> sources = new ArrayList<>();
    private final MemorySegment memory = segment(0);
    private final TransferAgent agent = new TransferAgent(
        requests, completions, transport(5, memory), counters, 1024);

    @AfterEach
    void close()
    {
        agent.onClose();
        sources.forEach(UcxTransport::close);
        arena.close();
    }

    @Test
    @Tag("G8")
    void shouldPullTheBytesOfEachPeerWithOneSubmissionForEach()
    {
        final MemorySegment first = segment(1);
        final MemorySegment second = segment(2);
        add(2, 6, source(6, first));
        add(3, 7, source(7, second));
        offer(1, 2, 6, GRANTS, GRANTS, 100_001);
        offer(2, 2, 6, GRANTS + (1 << 20), GRANTS + (1 << 20), 4_718_592);
        offer(3, 3, 7, GRANTS + 7, GRANTS + (8 << 20), 4_718_592);
        work(3);

        assertThat(statuses.get(1)).isZero();
        assertThat(statuses.get(2)).isZero();
        assertThat(statuses.get(3)).isZero();
        assertThat(mismatch(first, GRANTS, GRANTS, 100_001)).isEqualTo(-1);
        assertThat(mismatch(first, GRANTS + (1 << 20), GRANTS + (1 << 20), 4_718_592)).isEqualTo(-1);
        assertThat(mismatch(second, GRANTS + 7, GRANTS + (8 << 20), 4_718_592)).isEqualTo(-1);
        assertThat(counters.submissions().get()).isEqualTo(2);
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldRefuseWhatDoesNotLieWithinBothSegments()
    {
        add(2, 6, source(6, segment(1)));
        offer(1, 2, 6, GRANTS, LENGTH - 99, 100);
        offer(2, 2, 6, LENGTH - 99, GRANTS, 100);
        offer(3, 2, 6, GRANTS, GRANTS - 1, 100);
        offer(4, 2, 6, GRANTS - 1, GRANTS, 100);
        offer(5, 2, 6, GRANTS, GRANTS, 0);
        offer(6, 2, 6, GRANTS, GRANTS, -1);
        offer(7, 2, 6, Long.MAX_VALUE, GRANTS, 100);
        offer(8, 2, 6, GRANTS, GRANTS, Long.MAX_VALUE);
        offer(9, 2, 6, LENGTH - 100, LENGTH - 100, 100);
        work(9);

        for (int i = 1; i <= 8; i++)
        {
            assertThat(statuses.get(i)).as("descriptor " + i).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        }
        assertThat(statuses.get(9)).isZero();
    }

    @Test
    @Tag("LIFE-1")
    void shouldFailExactlyTheDescriptorsOfAPeerThatCannotBeReached()
    {
        final UcxTransport gone = source(6, segment(1));
        add(2, 6, gone);
        gone.close();
        sources.remove(gone);
        add(3, 7, source(7, segment(2)));
        proxy.peerAdded(4, 8, LENGTH, "", "");
        proxy.peerAdded(5, 8, LENGTH, "", "ucx:1:2:3");
        offer(1, 2, 6, GRANTS, GRANTS, 100);
        offer(2, 3, 7, GRANTS, GRANTS, 100);
        offer(3, 4, 8, GRANTS, GRANTS, 100);
        offer(4, 5, 8, GRANTS, GRANTS, 100);
        offer(5, 6, 8, GRANTS, GRANTS, 100);
        offer(6, 3, 6, GRANTS, GRANTS, 100);
        work(6);

        assertThat(statuses.get(2)).isZero();
        for (final int token : new int[]{ 1, 3, 4, 5, 6 })
        {
            assertThat(statuses.get(token)).as("descriptor " + token).isEqualTo(ErrorCode.TRANSPORT);
        }
    }

    @Test
    @Tag("SLOT-7")
    void shouldEndWhatIsOpenWhenThePeerGoesAndReadItAgainWhenItIsBack()
    {
        final MemorySegment source = segment(1);
        final UcxTransport before = source(6, source);
        add(2, 6, before);
        offer(1, 2, 6, GRANTS, GRANTS, 100);
        work(1);
        sources.remove(before);
        offer(2, 2, 6, GRANTS, GRANTS, 16 << 20);
        proxy.poll(statuses::put, 100);
        agent.doWork();
        before.close();
        work(2);
        assertThat(statuses.get(2)).isEqualTo(ErrorCode.TRANSPORT);
        final byte[] untouched = new byte[1 << 20];
        MemorySegment.copy(untouched, 0, memory, ValueLayout.JAVA_BYTE, GRANTS, untouched.length);

        add(2, 7, source(7, source));
        offer(3, 2, 7, GRANTS, GRANTS + (16 << 20), 8 << 20);
        work(3);

        assertThat(statuses.get(3)).isZero();
        assertThat(mismatch(source, GRANTS, GRANTS + (16 << 20), 8 << 20)).isEqualTo(-1);
        assertThat(memory.asSlice(GRANTS, untouched.length).mismatch(MemorySegment.ofArray(untouched)))
            .isEqualTo(-1);
    }

    @Test
    @Tag("LIFE-1")
    void shouldFailInTimeWhenAPeerDoesNotAnswerAndReadTheSameOneLater()
    {
        final MemorySegment source = segment(1);
        final UcxTransport silent = source(6, source);
        add(2, 6, silent);
        offer(1, 2, 6, GRANTS, GRANTS, 100);
        work(1);
        sources.remove(silent);
        offer(2, 2, 6, GRANTS, GRANTS, 8 << 20);
        final long beginNs = System.nanoTime();
        work(2);

        assertThat(statuses.get(2)).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(System.nanoTime() - beginNs).isBetween(TIMEOUT_NS, 10 * TIMEOUT_NS);
        assertThat(errors).singleElement().extracting(Throwable::getMessage).asString().contains("no answer in time");
        sources.add(silent);
        offer(3, 2, 6, GRANTS, GRANTS, 8 << 20);
        work(3);
        assertThat(statuses.get(3)).isZero();
        assertThat(mismatch(source, GRANTS, GRANTS, 8 << 20)).isEqualTo(-1);
    }

    @Test
    @Tag("LIFE-1")
    @Tag("GET-6")
    void shouldReadWhatIsSubmittedWhileAConnectionIsBeingClosed()
    {
        final MemorySegment source = segment(1);
        final UcxTransport silent = source(6, source);
        add(2, 6, silent);
        offer(1, 2, 6, GRANTS, GRANTS, 100);
        work(1);
        sources.remove(silent);
        offer(2, 2, 6, GRANTS, GRANTS, 8 << 20);
        while (errors.isEmpty())
        {
            proxy.poll(statuses::put, 100);
            agent.doWork();
        }
        sources.add(silent);
        offer(3, 2, 6, GRANTS, GRANTS + (16 << 20), 5000);
        work(3);

        assertThat(statuses.get(2)).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(statuses.get(3)).isZero();
        assertThat(mismatch(source, GRANTS, GRANTS + (16 << 20), 5000)).isEqualTo(-1);
    }

    @Test
    @Tag("LIFE-1")
    void shouldFailInTimeWhatIsNeverAnsweredThoughOtherAnswersCome()
    {
        try (RawSource source = new RawSource(100))
        {
            proxy.peerAdded(2, 6, LENGTH, "", source.address());
            final long beginNs = System.nanoTime();
            long token = 1;
            offer(token, 2, 6, GRANTS, GRANTS, 100);
            while (OPEN == statuses.get(1) && System.nanoTime() - beginNs < 10 * TIMEOUT_NS)
            {
                if (1 == token ? source.requests() > 0 : OPEN != statuses.get(token))
                {
                    offer(++token, 2, 6, GRANTS, GRANTS + 4096, 100);
                }
                proxy.poll(statuses::put, 100);
                agent.doWork();
                source.progress();
            }

            assertThat(statuses.get(1)).isEqualTo(ErrorCode.TRANSPORT);
            assertThat(System.nanoTime() - beginNs).isBetween(TIMEOUT_NS, 10 * TIMEOUT_NS);
            assertThat(source.requests()).isGreaterThan(2);
            assertThat(statuses.get(2)).isZero();
            proxy.peerRemoved(2, 6);
        }
    }

    @Test
    void shouldReplaceAPeerByItsNewerGenerationOnly()
    {
        final MemorySegment newer = segment(3);
        add(2, 6, source(6, segment(1)));
        offer(1, 2, 6, GRANTS, GRANTS, 100);
        work(1);
        final UcxTransport again = source(9, newer);
        add(2, 9, again);
        add(2, 6, sources.get(0));
        proxy.peerRemoved(2, 6);
        offer(2, 2, 9, GRANTS, GRANTS, 5000);
        offer(3, 2, 6, GRANTS, GRANTS + (1 << 20), 5000);
        work(3);

        assertThat(errors).isEmpty();
        assertThat(statuses.get(2)).isZero();
        assertThat(statuses.get(3)).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(mismatch(newer, GRANTS, GRANTS, 5000)).isEqualTo(-1);
    }

    @Test
    @Tag("LIFE-1")
    void shouldServeOthersWhenAReaderLeavesInTheMiddle()
    {
        final MemorySegment bytes = segment(1);
        final UcxTransport source = source(6, bytes);
        final OneToOneRingBuffer otherRequests = Rings.ring(64 * 1024);
        final TransferProxy otherProxy = new TransferProxy(otherRequests, Rings.ring(64 * 1024));
        final TransferAgent other = new TransferAgent(
            otherRequests, Rings.ring(64 * 1024), transport(4, segment(0)), counters, 1024);
        otherProxy.peerAdded(2, 6, LENGTH, "", source.address());
        for (int i = 0; i < 7; i++)
        {
            assertThat(otherProxy.offer(i, 1, 2, 6, GRANTS, GRANTS + ((long) i << 22), 4 << 20)).isTrue();
        }
        otherProxy.poll(statuses::put, 0);
        for (int i = 0; i < 30; i++)
        {
            other.doWork();
            source.progress((transfer, status) -> {});
        }
        other.onClose();

        add(2, 6, source);
        offer(1, 2, 6, GRANTS, GRANTS, 16 << 20);
        work(1);

        assertThat(statuses.get(1)).isZero();
        assertThat(mismatch(bytes, GRANTS, GRANTS, 16 << 20)).isEqualTo(-1);
    }

    @Test
    void shouldReadManyShortValues()
    {
        final MemorySegment bytes = segment(1);
        add(2, 6, source(6, bytes));
        for (int i = 0; i < 900; i++)
        {
            offer(i, 2, 6, GRANTS + i * 1000L, GRANTS + i * 1001L, 1 + i);
        }
        work(900);

        for (int i = 0; i < 900; i++)
        {
            assertThat(statuses.get(i)).isZero();
            assertThat(mismatch(bytes, GRANTS + i * 1000L, GRANTS + i * 1001L, 1 + i)).as("value " + i).isEqualTo(-1);
        }
        assertThat(counters.submissions().get()).isEqualTo(1);
    }

    @Test
    @Tag("BOUND-1")
    void shouldTakeNoHarmFromMessagesThatAreNone()
    {
        final MemorySegment bytes = segment(1);
        final UcxTransport source = source(6, bytes);
        try (RawReader raw = new RawReader(source))
        {
            final Random random = new Random(5);
            for (int i = 0; i < 2000; i++)
            {
                raw.send(random);
            }
        }

        add(2, 6, source);
        offer(1, 2, 6, GRANTS, GRANTS, 5000);
        work(1);
        assertThat(statuses.get(1)).isZero();
        assertThat(mismatch(bytes, GRANTS, GRANTS, 5000)).isEqualTo(-1);
    }

    private MemorySegment segment(final int seed)
    {
        final MemorySegment segment = arena.allocate(LENGTH, 4096);
        if (seed > 0)
        {
            final byte[] content = new byte[(int) LENGTH];
            new Random(seed).nextBytes(content);
            MemorySegment.copy(content, 0, segment, ValueLayout.JAVA_BYTE, 0, content.length);
        }
        return segment;
    }

    private UcxTransport transport(final long generation, final MemorySegment segment)
    {
        return new UcxTransport(
            segment, GRANTS, generation, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TIMEOUT_NS,
            SystemNanoClock.INSTANCE, errors::add);
    }

    private UcxTransport source(final long generation, final MemorySegment segment)
    {
        final UcxTransport transport = transport(generation, segment);
        sources.add(transport);
        return transport;
    }

    @Test
    void shouldNotReadAtALoopbackAddressWhenItIsReadElsewhereItself() throws Exception
    {
        final InetAddress here = NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter((candidate) -> candidate instanceof Inet4Address && !candidate.isLoopbackAddress())
            .findFirst().orElse(null);
        assumeTrue(null != here, "this machine has no address but loopback");
        final UcxTransport far = new UcxTransport(segment(9), GRANTS, 9, new InetSocketAddress(here, 0), TIMEOUT_NS,
            SystemNanoClock.INSTANCE, errors::add);
        sources.add(far);
        final String loopback = source(6, segment(1)).address();
        final OneToOneRingBuffer ring = Rings.ring(64 * 1024);
        final TransferProxy farProxy = new TransferProxy(ring, completions);
        final TransferAgent farAgent = new TransferAgent(ring, completions, far, counters, 16);

        farProxy.peerAdded(2, 6, LENGTH, "", loopback);
        assertThat(farProxy.offer(1, 1, 2, 6, GRANTS, GRANTS, 100)).isTrue();
        while (statuses.isEmpty())
        {
            farProxy.poll(statuses::put, 100);
            farAgent.doWork();
        }
        assertThat(statuses.get(1)).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(errors).singleElement().satisfies((error) -> assertThat(error)
            .hasMessageContaining("owner 2 cannot be read: it listens at " + loopback)
            .hasMessageContaining(far.address()));
    }

    private void add(final int ownerId, final long generation, final UcxTransport source)
    {
        proxy.peerAdded(ownerId, generation, LENGTH, "", source.address());
    }

    private long mismatch(
        final MemorySegment source, final long remoteOffset, final long localOffset, final long length)
    {
        return source.asSlice(remoteOffset, length).mismatch(memory.asSlice(localOffset, length));
    }

    private void offer(
        final long token,
        final int ownerId,
        final long generation,
        final long remoteOffset,
        final long localOffset,
        final long length)
    {
        assertThat(proxy.offer(token, 1, ownerId, generation, remoteOffset, localOffset, length)).isTrue();
    }

    private void work(final int completed)
    {
        while (statuses.size() < completed)
        {
            proxy.poll(statuses::put, 100);
            agent.doWork();
            sources.forEach((source) -> source.progress((transfer, status) -> {}));
        }
    }
}
