package io.fluxon.jmh.cluster;

import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.MessageSource;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

import java.nio.ByteBuffer;

/**
 * One direction of a connection between two cores of one thread: a ring of whole messages. Allocates nothing.
 */
public final class MemoryLink implements ControlChannel, MessageSource
{
    private static final int RING_BYTES = 8 << 20;
    private static final int TYPE_ID = 1;
    private static final long TAKEN = 1;

    private final OneToOneRingBuffer ring = new OneToOneRingBuffer(new UnsafeBuffer(
        ByteBuffer.allocateDirect(RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH)));
    private final org.agrona.concurrent.MessageHandler onRecord = this::onRecord;
    private final long connectionId;
    private MessageHandler handler;
    private boolean isClosed;

    /**
     * An empty link.
     *
     * @param connectionId that its receiver sees.
     */
    public MemoryLink(final long connectionId)
    {
        this.connectionId = connectionId;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        if (isClosed)
        {
            return CLOSED;
        }
        return ring.write(TYPE_ID, buffer, offset, length) ? TAKEN : BACK_PRESSURED;
    }

    @Override
    public int maxMessageLength()
    {
        return ring.maxMsgLength();
    }

    @Override
    public boolean isConnected()
    {
        return !isClosed;
    }

    @Override
    public void close()
    {
        isClosed = true;
    }

    @Override
    public int poll(final MessageHandler messageHandler, final int limit)
    {
        handler = messageHandler;
        return ring.read(onRecord, limit);
    }

    private void onRecord(final int typeId, final MutableDirectBuffer buffer, final int index, final int length)
    {
        handler.onMessage(connectionId, buffer, index, length);
    }
}
