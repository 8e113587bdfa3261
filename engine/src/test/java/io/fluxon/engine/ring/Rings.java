package io.fluxon.engine.ring;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.agrona.concurrent.status.AtomicCounter;

import java.nio.ByteBuffer;

/**
 * Rings and counters in memory of their own.
 */
public final class Rings
{
    private Rings()
    {
    }

    public static OneToOneRingBuffer ring(final int capacity)
    {
        return new OneToOneRingBuffer(
            new UnsafeBuffer(ByteBuffer.allocateDirect(capacity + RingBufferDescriptor.TRAILER_LENGTH)));
    }

    public static AtomicCounter counter()
    {
        return new AtomicCounter(new UnsafeBuffer(ByteBuffer.allocateDirect(1024)), 0);
    }
}
