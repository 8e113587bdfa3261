package io.fluxon.tools.bench.transfer;

import io.fluxon.engine.checksum.ChecksumAgent;
import io.fluxon.engine.checksum.ChecksumProxy;
import io.fluxon.engine.config.IdleStrategyName;
import io.fluxon.engine.transfer.TransferAgent;
import io.fluxon.engine.transfer.TransferCounters;
import io.fluxon.engine.transfer.TransferProxy;
import io.fluxon.engine.transfer.ucx.UcxLibrary;
import io.fluxon.engine.transfer.ucx.UcxTransport;
import io.fluxon.ipc.segment.SegmentFile;
import io.fluxon.ipc.segment.SegmentLayout;
import io.fluxon.tools.cluster.ClusterException;
import org.agrona.BitUtil;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.agrona.concurrent.status.AtomicCounter;

import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One end of the path: a segment in memory, and beside it the transfer and checksum threads of an owner, made of the
 * same classes. What an owner's core does, this process's main thread does.
 */
final class TransferEnd implements AutoCloseable
{
    /** Every end's generation: each lives once. */
    static final long GENERATION = 1;

    private static final int RING_BYTES = 1 << 21;
    private static final int COUNTER_BYTES = 1024;
    private static final int MEMORY_PAGE = 4096;
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private final int pageBytes;
    private final SegmentFile segment;
    private final MemorySegment memory;
    private final UcxTransport transport;
    private final TransferProxy transfers;
    private final ChecksumProxy checksums;
    private final AtomicCounter submissions = counter();
    private final AtomicCounter checksumBytes = counter();
    private final List<AgentRunner> runners = new ArrayList<>();

    /**
     * Opens an end, with memory for its pages.
     *
     * @param directory for its segment.
     * @param ownerId   of the end.
     * @param address   to listen at.
     * @param pages     of the segment.
     * @param pageBytes length of each.
     * @param idle      of its threads.
     * @throws ClusterException when UCX is missing.
     */
    TransferEnd(
        final Path directory,
        final int ownerId,
        final String address,
        final int pages,
        final int pageBytes,
        final IdleStrategyName idle)
    {
        final String problem = UcxLibrary.load();
        if (null != problem)
        {
            throw new ClusterException(problem);
        }
        this.pageBytes = pageBytes;
        final long slotBytes = BitUtil.align((long) pageBytes, MEMORY_PAGE);
        segment = SegmentFile.create(
            directory,
            new SegmentLayout("end-" + ownerId, ownerId, GENERATION, MEMORY_PAGE, pages * slotBytes, slotBytes), 0);
        final SegmentLayout layout = segment.layout();
        segment.touch(layout.grantsOffset(), layout.grantsLength());
        memory = MemorySegment.ofAddress(segment.baseAddress()).reinterpret(layout.totalLength());
        transport = new UcxTransport(memory, layout.grantsOffset(), GENERATION, new InetSocketAddress(address, 0),
            SILENCE_NS, SystemNanoClock.INSTANCE, Throwable::printStackTrace);

        final OneToOneRingBuffer requests = ring();
        final OneToOneRingBuffer completions = ring();
        transfers = new TransferProxy(requests, completions);
        start(idle, new TransferAgent(requests, completions, transport,
            new TransferCounters(counter(), submissions, counter(), counter()), TransferBenchSettings.MAX_PAGES));
        final OneToOneRingBuffer values = ring();
        final OneToOneRingBuffer sums = ring();
        checksums = new ChecksumProxy(values, sums);
        start(idle, new ChecksumAgent(values, sums, memory, checksumBytes));
    }

    /** Where others read here. */
    String address()
    {
        return transport.address();
    }

    MemorySegment memory()
    {
        return memory;
    }

    TransferProxy transfers()
    {
        return transfers;
    }

    ChecksumProxy checksums()
    {
        return checksums;
    }

    /** Submissions so far (contract G8). */
    long submissions()
    {
        return submissions.get();
    }

    /** Bytes so far whose checksum was computed (contract CRC-1). */
    long checksumBytes()
    {
        return checksumBytes.get();
    }

    /** Where a page lies in the segment. */
    long pageOffset(final int page)
    {
        return segment.layout().grantsOffset() + page * segment.layout().grantQuantum();
    }

    int pageBytes()
    {
        return pageBytes;
    }

    @Override
    public void close()
    {
        runners.reversed().forEach(AgentRunner::close);
        segment.close();
    }

    private void start(final IdleStrategyName idle, final Agent agent)
    {
        final AgentRunner runner =
            new AgentRunner(idle.create(), Throwable::printStackTrace, null, agent);
        runners.add(runner);
        AgentRunner.startOnThread(runner);
    }

    private static OneToOneRingBuffer ring()
    {
        return new OneToOneRingBuffer(new UnsafeBuffer(
            ByteBuffer.allocateDirect(RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH)));
    }

    private static AtomicCounter counter()
    {
        return new AtomicCounter(new UnsafeBuffer(ByteBuffer.allocateDirect(COUNTER_BYTES)), 0);
    }
}
