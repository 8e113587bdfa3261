package io.fluxon.engine.transfer;

import io.fluxon.engine.ring.Rings;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.segment.SegmentFile;
import io.fluxon.ipc.segment.SegmentLayout;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class LoopbackTransportTest
{
    private static final long PAGE = 4096;
    private static final long QUANTUM = 8 * 1024 * 1024;
    private static final long OPEN = -1;

    @TempDir
    Path directory;

    private final OneToOneRingBuffer requests = Rings.ring(64 * 1024);
    private final OneToOneRingBuffer completions = Rings.ring(64 * 1024);
    private final TransferProxy proxy = new TransferProxy(requests, completions);
    private final TransferCounters counters = new TransferCounters(
        Rings.counter(), Rings.counter(), Rings.counter(), Rings.counter());
    private final Long2LongHashMap statuses = new Long2LongHashMap(OPEN);
    private final List<Throwable> errors = new ArrayList<>();
    private SegmentFile own;
    private SegmentFile first;
    private SegmentFile second;
    private MemorySegment memory;
    private long grants;
    private TransferAgent agent;

    @BeforeEach
    void createSegments()
    {
        own = segment("own", 1, 5);
        first = segment("first", 2, 6);
        second = segment("second", 3, 7);
        memory = memory(own);
        grants = own.layout().grantsOffset();
        agent = new TransferAgent(
            requests, completions, new LoopbackTransport(memory, grants, errors::add), counters, 1024);
        proxy.peerAdded(2, 6, first.layout().totalLength(), first.path().toString(), "");
        proxy.peerAdded(3, 7, second.layout().totalLength(), second.path().toString(), "");
    }

    @AfterEach
    void closeSegments()
    {
        agent.onClose();
        own.close();
        first.close();
        second.close();
    }

    @Test
    void shouldPullTheBytesOfEachPeer()
    {
        fill(first, 1);
        fill(second, 2);
        offer(1, 2, 6, grants, grants + PAGE, 100_001);
        offer(2, 3, 7, grants + 7, grants + 60 * PAGE, 3 * 1024 * 1024);
        work();

        assertThat(statuses.get(1)).isZero();
        assertThat(statuses.get(2)).isZero();
        assertThat(mismatch(first, grants, grants + PAGE, 100_001)).isEqualTo(-1);
        assertThat(mismatch(second, grants + 7, grants + 60 * PAGE, 3 * 1024 * 1024)).isEqualTo(-1);
        assertThat(counters.bytes().get()).isEqualTo(100_001 + 3 * 1024 * 1024);
    }

    @Test
    @Tag("G10")
    void shouldCopyInStepsAndTakeTurnsBetweenPeers()
    {
        fill(second, 2);
        offer(1, 2, 6, grants, grants, QUANTUM);
        offer(2, 3, 7, grants, grants + QUANTUM, LoopbackTransport.PIECE_BYTES);
        proxy.poll(statuses::put, 0);

        agent.doWork();
        proxy.poll(statuses::put, 100);

        assertThat(statuses.get(2)).isZero();
        assertThat(statuses.get(1)).isEqualTo(OPEN);
        work();
        assertThat(statuses.get(1)).isZero();
        assertThat(mismatch(second, grants, grants + QUANTUM, LoopbackTransport.PIECE_BYTES)).isEqualTo(-1);
    }

    @Test
    @Tag("LIFE-1")
    void shouldFailOnlyWhatAsksAPeerWhosePathIsNone()
    {
        fill(first, 1);
        proxy.peerAdded(4, 8, QUANTUM, "/no\0path", "");
        proxy.peerAdded(5, 8, QUANTUM, "", "");
        offer(1, 4, 8, grants, grants, 100);
        offer(2, 5, 8, grants, grants, 100);
        offer(3, 2, 6, grants, grants + PAGE, 100);
        work();

        assertThat(statuses.get(1)).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(statuses.get(2)).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(statuses.get(3)).isZero();
        assertThat(mismatch(first, grants, grants + PAGE, 100)).isEqualTo(-1);
        assertThat(errors).hasSize(2);
    }

    @Test
    void shouldRefuseWhatDoesNotLieWithinBothSegments()
    {
        final long end = own.layout().totalLength();
        offer(1, 2, 6, grants, end - 99, 100);
        offer(2, 2, 6, end - 99, grants, 100);
        offer(3, 2, 6, grants, grants - 1, 100);
        offer(4, 2, 6, grants - 1, grants, 100);
        offer(5, 2, 6, grants, grants, 0);
        offer(6, 2, 6, grants, grants, -1);
        offer(7, 2, 6, Long.MAX_VALUE, grants, 100);
        offer(8, 2, 6, grants, Long.MAX_VALUE, 100);
        offer(9, 2, 6, grants, -100, 100);
        offer(10, 2, 6, grants, grants, Long.MAX_VALUE);
        offer(11, 2, 6, end - 100, end - 100, 100);
        work();

        for (int i = 1; i <= 10; i++)
        {
            assertThat(statuses.get(i)).as("descriptor " + i).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        }
        assertThat(statuses.get(11)).isZero();
        assertThat(counters.failures().get()).isEqualTo(10);
    }

    @Test
    @Tag("G8")
    void shouldFailExactlyTheDescriptorsOfAPeerThatCannotBeReached() throws Exception
    {
        Files.delete(second.path());
        offer(1, 2, 6, grants, grants, 100);
        offer(2, 3, 7, grants, grants, 100);
        offer(3, 4, 7, grants, grants, 100);
        offer(4, 2, 5, grants, grants, 100);
        work();

        assertThat(statuses.get(1)).isZero();
        assertThat(statuses.get(2)).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(statuses.get(3)).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(statuses.get(4)).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(errors).hasSize(1);
    }

    @Test
    @Tag("SLOT-7")
    void shouldEndTheOpenTransfersOfAPeerThatLeaves()
    {
        offer(1, 2, 6, grants, grants, QUANTUM);
        offer(2, 3, 7, grants, grants, QUANTUM);
        proxy.poll(statuses::put, 0);
        agent.doWork();
        assertThat(statuses).isEmpty();

        proxy.peerRemoved(2, 6);
        work();

        assertThat(statuses.get(1)).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(statuses.get(2)).isZero();
    }

    @Test
    void shouldReplaceAPeerByItsNewerGenerationOnly()
    {
        final SegmentFile newer = segment("newer", 2, 9);
        fill(newer, 4);
        offer(1, 2, 6, grants, grants, QUANTUM);
        proxy.poll(statuses::put, 0);
        agent.doWork();
        proxy.peerAdded(2, 9, newer.layout().totalLength(), newer.path().toString(), "");
        proxy.peerAdded(2, 6, first.layout().totalLength(), first.path().toString(), "");
        proxy.peerRemoved(2, 6);
        offer(2, 2, 9, grants, grants, 100);
        work();

        assertThat(statuses.get(1)).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(statuses.get(2)).isZero();
        assertThat(mismatch(newer, grants, grants, 100)).isEqualTo(-1);
        newer.close();
    }

    @Test
    void shouldReadOnFromASegmentWhoseFileIsUnlinked() throws Exception
    {
        fill(first, 3);
        offer(1, 2, 6, grants, grants, 100);
        work();
        Files.delete(first.path());
        offer(2, 2, 6, grants, grants + QUANTUM, 5000);
        work();

        assertThat(statuses.get(2)).isZero();
        assertThat(mismatch(first, grants, grants + QUANTUM, 5000)).isEqualTo(-1);
    }

    @Test
    void shouldSurviveASegmentThatBecomesShorter() throws Exception
    {
        offer(1, 2, 6, grants, grants, 100);
        work();
        try (RandomAccessFile file = new RandomAccessFile(first.path().toFile(), "rw"))
        {
            file.setLength(grants);
        }
        offer(2, 2, 6, grants + QUANTUM, grants, QUANTUM);
        offer(3, 3, 7, grants, grants + QUANTUM, 100);
        work();

        assertThat(statuses.get(2)).isEqualTo(ErrorCode.TRANSPORT);
        assertThat(statuses.get(3)).isZero();
    }

    private SegmentFile segment(final String instance, final int ownerId, final long generation)
    {
        final SegmentFile file = SegmentFile.create(
            directory.resolve(instance),
            new SegmentLayout(instance, ownerId, generation, PAGE, 2 * QUANTUM, QUANTUM),
            0);
        file.markReady();
        return file;
    }

    private static MemorySegment memory(final SegmentFile file)
    {
        return MemorySegment.ofAddress(file.baseAddress()).reinterpret(file.layout().totalLength());
    }

    private void fill(final SegmentFile file, final int seed)
    {
        final byte[] content = new byte[(int) (2 * QUANTUM)];
        new Random(seed).nextBytes(content);
        MemorySegment.copy(content, 0, memory(file), ValueLayout.JAVA_BYTE, grants, content.length);
    }

    private long mismatch(final SegmentFile source, final long remoteOffset, final long localOffset, final long length)
    {
        return memory(source).asSlice(remoteOffset, length).mismatch(memory.asSlice(localOffset, length));
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

    private void work()
    {
        for (int i = 0; i < 20; i++)
        {
            proxy.poll(statuses::put, 100);
            agent.doWork();
        }
        proxy.poll(statuses::put, 100);
    }
}
