package io.fluxon.engine.owner;

import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.MessageSource;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayDeque;

/**
 * One direction of a connection in memory. Buffers of messages that were polled are used again.
 */
final class Wire implements ControlChannel, MessageSource
{
    private static final int MIN_CAPACITY = 4096;

    final ArrayDeque<UnsafeBuffer> messages = new ArrayDeque<>();
    private final ArrayDeque<UnsafeBuffer> free = new ArrayDeque<>();
    long connectionId = 1;
    boolean isConnected = true;
    boolean isClosed;
    int maxMessageLength = 8 * 1024 * 1024;

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        if (isClosed)
        {
            return CLOSED;
        }

        if (!isConnected)
        {
            return NOT_CONNECTED;
        }

        put(buffer, offset, length);

        return 1;
    }

    void put(final DirectBuffer buffer, final int offset, final int length)
    {
        UnsafeBuffer message = free.pollFirst();
        if (null == message || message.byteArray().length < length)
        {
            message = new UnsafeBuffer(new byte[Math.max(MIN_CAPACITY, length)]);
        }
        message.wrap(message.byteArray(), 0, length);
        buffer.getBytes(offset, message, 0, length);
        messages.addLast(message);
    }

    @Override
    public int poll(final MessageHandler handler, final int limit)
    {
        int count = 0;
        while (count < limit && !messages.isEmpty())
        {
            final UnsafeBuffer message = messages.pollFirst();
            handler.onMessage(connectionId, message, 0, message.capacity());
            free.addLast(message);
            count++;
        }

        return count;
    }

    @Override
    public int maxMessageLength()
    {
        return maxMessageLength;
    }

    @Override
    public boolean isConnected()
    {
        return isConnected;
    }

    @Override
    public void close()
    {
        isClosed = true;
    }
}
