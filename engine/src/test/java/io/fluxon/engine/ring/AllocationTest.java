package io.fluxon.engine.ring;

import com.sun.management.ThreadMXBean;
import io.fluxon.engine.boundary.ChecksumListener;
import io.fluxon.engine.boundary.TransferListener;
import io.fluxon.engine.checksum.ChecksumAgent;
import io.fluxon.engine.checksum.ChecksumProxy;
import io.fluxon.engine.transfer.LoopbackTransport;
import io.fluxon.engine.transfer.TransferAgent;
import io.fluxon.engine.transfer.TransferCounters;
import io.fluxon.engine.transfer.TransferProxy;
import io.fluxon.ipc.segment.SegmentFile;
import io.fluxon.ipc.segment.SegmentLayout;
import org.agrona.collections.MutableLong;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

class AllocationTest
{
    private static final int WARM_UP = 20_000;
    private static final int ROUNDS = 20_000;
    private static final long TOLERANCE_BYTES = 4096;
    private static final long QUANTUM = 1 << 20;

    @TempDir
    Path directory;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final MutableLong completed = new MutableLong();
    private SegmentFile own;
    private SegmentFile peer;
    private long grants;

    @BeforeEach
    void createSegments()
    {
        own = SegmentFile.create(directory, new SegmentLayout("own", 1, 5, 4096, 4 * QUANTUM, QUANTUM), 0);
        peer = SegmentFile.create(directory, new SegmentLayout("peer", 2, 6, 4096, 4 * QUANTUM, QUANTUM), 0);
        peer.markReady();
        grants = own.layout().grantsOffset();
    }

    @AfterEach
    void closeSegments()
    {
        own.close();
        peer.close();
    }

    @Test
    @Tag("ZERO-1")
    void shouldTransferWithoutAllocation()
    {
        final OneToOneRingBuffer requests = Rings.ring(1 << 16);
        final OneToOneRingBuffer completions = Rings.ring(1 << 16);
        final TransferProxy proxy = new TransferProxy(requests, completions);
        final TransferAgent agent = new TransferAgent(
            requests,
            completions,
            new LoopbackTransport(bytes(), grants, Throwable::printStackTrace),
            new TransferCounters(Rings.counter(), Rings.counter(), Rings.counter(), Rings.counter()),
            256);
        proxy.peerAdded(2, 6, peer.layout().totalLength(), peer.path().toString(), "");
        final TransferListener listener = (token, status) -> completed.addAndGet(0 == status ? 1 : 0);

        final long allocated = allocatedBy(() ->
        {
            proxy.offer(1, 1, 2, 6, grants, grants, 4096);
            proxy.offer(2, 1, 2, 6, grants + 4096, grants + 8192, 8192);
            proxy.poll(listener, 64);
            agent.doWork();
        });
        proxy.poll(listener, 64);
        agent.onClose();

        assertThat(completed.get()).isEqualTo(2 * (WARM_UP + ROUNDS));
        assertThat(allocated).isLessThan(TOLERANCE_BYTES);
    }

    @Test
    @Tag("ZERO-1")
    void shouldComputeChecksumsWithoutAllocation()
    {
        final OneToOneRingBuffer requests = Rings.ring(1 << 16);
        final OneToOneRingBuffer completions = Rings.ring(1 << 16);
        final ChecksumProxy proxy = new ChecksumProxy(requests, completions);
        final ChecksumAgent agent = new ChecksumAgent(requests, completions, bytes(), Rings.counter());
        final ChecksumListener listener = (token, checksum) -> completed.increment();

        final long allocated = allocatedBy(() ->
        {
            proxy.offer(1, grants, 4096);
            agent.doWork();
            proxy.poll(listener, 64);
        });

        assertThat(completed.get()).isEqualTo(WARM_UP + ROUNDS);
        assertThat(allocated).isLessThan(TOLERANCE_BYTES);
    }

    private long allocatedBy(final Runnable round)
    {
        for (int i = 0; i < WARM_UP; i++)
        {
            round.run();
        }
        final long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < ROUNDS; i++)
        {
            round.run();
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private MemorySegment bytes()
    {
        return MemorySegment.ofAddress(own.baseAddress()).reinterpret(own.layout().totalLength());
    }
}
