package io.fluxon.jcstress;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is shared, small: a stress test makes millions of it. The memory is off-heap, where it has to be aligned, and
 * goes round: it is given again when much more has been given than the states of a round of jcstress need.
 */
public final class Memory
{
    /** States that jcstress keeps at once, {@code -strideSize} times {@code -strideCount}. */
    static final int STRIDE_SIZE = 64;
    static final int STRIDE_COUNT = 16;

    private static final int MAX_BYTES_OF_STATE = 16 << 10;
    private static final int SLAB_BYTES = 4 * STRIDE_SIZE * STRIDE_COUNT * MAX_BYTES_OF_STATE;
    private static final ByteBuffer SLAB = ByteBuffer.allocateDirect(SLAB_BYTES);
    private static final AtomicLong GIVEN = new AtomicLong();

    private Memory()
    {
    }

    /**
     * Memory of its own, all zero.
     *
     * @param length in bytes, at most 16 KiB a state.
     * @return buffer that begins at a cache line.
     */
    public static UnsafeBuffer buffer(final int length)
    {
        final int taken = BitUtil.align(length, BitUtil.CACHE_LINE_LENGTH);
        int offset = (int)(GIVEN.getAndAdd(taken) % SLAB_BYTES);
        while (offset + length > SLAB_BYTES)
        {
            offset = (int)(GIVEN.getAndAdd(taken) % SLAB_BYTES);
        }
        final UnsafeBuffer buffer = new UnsafeBuffer(SLAB, offset, length);
        buffer.setMemory(0, length, (byte)0);
        return buffer;
    }

    /**
     * A ring.
     *
     * @param capacity in bytes, a power of two; an eighth of it is the longest record.
     * @return an empty ring.
     */
    public static OneToOneRingBuffer ring(final int capacity)
    {
        return new OneToOneRingBuffer(buffer(capacity + RingBufferDescriptor.TRAILER_LENGTH));
    }

    /**
     * Counters as in a counters file.
     *
     * @param maxCounters that can be allocated.
     * @return the manager of none.
     */
    public static CountersManager counters(final int maxCounters)
    {
        return new CountersManager(
            buffer(maxCounters * CountersReader.METADATA_LENGTH), buffer(maxCounters * CountersReader.COUNTER_LENGTH));
    }

    /**
     * Counters that all rounds use.
     *
     * @param maxCounters that can be allocated.
     * @return the manager of none, in memory that is not given again.
     */
    public static CountersManager lastingCounters(final int maxCounters)
    {
        return new CountersManager(
            new UnsafeBuffer(ByteBuffer.allocateDirect(maxCounters * CountersReader.METADATA_LENGTH)),
            new UnsafeBuffer(ByteBuffer.allocateDirect(maxCounters * CountersReader.COUNTER_LENGTH)));
    }
}
