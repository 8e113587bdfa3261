package io.fluxon.jmh;

import io.fluxon.engine.boundary.ChecksumListener;
import io.fluxon.engine.checksum.ChecksumAgent;
import io.fluxon.engine.checksum.ChecksumProxy;
import io.fluxon.jmh.cluster.Counters;
import io.fluxon.jmh.cluster.SparseMemory;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * CRC-32C of values of a segment (contract CRC-1), one after the other through a range that is larger than a core's own
 * caches. The reference, and the limit of the machine, is a plain copy of the same bytes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class ChecksumBenchmark implements ChecksumListener
{
    private static final int RANGE_BYTES = 64 << 20;
    private static final int RING_BYTES = 1 << 16;

    /** Length of a value in bytes. */
    @Param({"4096", "1048576", "4718592"})
    public int valueBytes;

    private final CRC32C crc = new CRC32C();
    private final SparseMemory memory = new SparseMemory(2 * RANGE_BYTES);
    private MemorySegment values;
    private MemorySegment target;
    private ByteBuffer bytes;
    private ChecksumProxy proxy;
    private ChecksumAgent agent;
    private int offset;
    private long checksum;
    private boolean isCompleted;

    /** Fills the values. */
    @Setup
    public void setup()
    {
        final MemorySegment segment = memory.segment();
        values = segment.asSlice(0, RANGE_BYTES);
        target = segment.asSlice(RANGE_BYTES, RANGE_BYTES);
        target.fill((byte)1);
        bytes = values.asByteBuffer();
        for (int i = 0; i < RANGE_BYTES; i += Long.BYTES)
        {
            bytes.putLong(i, i * 0x9E3779B97F4A7C15L);
        }
        final OneToOneRingBuffer requests = newRing();
        final OneToOneRingBuffer completions = newRing();
        proxy = new ChecksumProxy(requests, completions);
        agent = new ChecksumAgent(requests, completions, values, Counters.newCounter());
    }

    /** Gives the memory back. */
    @TearDown
    public void tearDown()
    {
        memory.close();
    }

    /**
     * The checksum alone.
     *
     * @return the checksum.
     */
    @Benchmark
    public long crc32c()
    {
        final int start = nextOffset();
        bytes.limit(start + valueBytes).position(start);
        crc.reset();
        crc.update(bytes);
        return crc.getValue();
    }

    /**
     * The checksum as the owner gets it: request, agent's duty cycles, completion.
     *
     * @return the checksum.
     */
    @Benchmark
    public long checksumAgent()
    {
        isCompleted = false;
        if (!proxy.offer(1, nextOffset(), valueBytes))
        {
            throw new IllegalStateException("the ring is full");
        }
        while (!isCompleted)
        {
            agent.doWork();
            proxy.poll(this, 1);
        }
        return checksum;
    }

    /**
     * The reference.
     *
     * @return one byte of the copy.
     */
    @Benchmark
    public byte copyReference()
    {
        final int start = nextOffset();
        MemorySegment.copy(values, start, target, start, valueBytes);
        return target.get(ValueLayout.JAVA_BYTE, start);
    }

    @Override
    public void onChecksumCompleted(final long token, final long completedChecksum)
    {
        checksum = completedChecksum;
        isCompleted = true;
    }

    private int nextOffset()
    {
        final int start = offset;
        offset = start + valueBytes;
        if (offset > RANGE_BYTES - valueBytes)
        {
            offset = 0;
        }
        return start;
    }

    private static OneToOneRingBuffer newRing()
    {
        return new OneToOneRingBuffer(new UnsafeBuffer(
            ByteBuffer.allocateDirect(RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH)));
    }
}
