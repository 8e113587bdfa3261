package io.fluxon.jcstress;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

/**
 * What is shared, small and on the heap: a stress test makes millions of it.
 */
public final class Memory
{
    private Memory()
    {
    }

    /**
     * A ring.
     *
     * @param capacity in bytes, a power of two; an eighth of it is the longest record.
     * @return an empty ring.
     */
    public static OneToOneRingBuffer ring(final int capacity)
    {
        return new OneToOneRingBuffer(new UnsafeBuffer(new byte[capacity + RingBufferDescriptor.TRAILER_LENGTH]));
    }

    /**
     * A counter of its own.
     *
     * @return a counter at 0.
     */
    public static AtomicCounter counter()
    {
        return new AtomicCounter(new UnsafeBuffer(new byte[CountersReader.COUNTER_LENGTH]), 0);
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
            new UnsafeBuffer(new byte[maxCounters * CountersReader.METADATA_LENGTH]),
            new UnsafeBuffer(new byte[maxCounters * CountersReader.COUNTER_LENGTH]));
    }
}
