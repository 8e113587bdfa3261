package io.fluxon.engine.owner;

import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.MessageSource;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayDeque;

/**
 * One direction of a connection in memory.
 */
final class Wire implements ControlChannel, MessageSource
{
    final ArrayDeque<UnsafeBuffer> messages = new ArrayDeque<>();
    long connectionId = 1;
    boolean isConnected = true;
    boolean isClosed;
    int maxMessageLength = 64 * 1024;

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
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        messages.addLast(new UnsafeBuffer(bytes));
    }

    @Override
    public int poll(final MessageHandler handler, final int limit)
    {
        int count = 0;
        while (count < limit && !messages.isEmpty())
        {
            final UnsafeBuffer message = messages.pollFirst();
            handler.onMessage(connectionId, message, 0, message.capacity());
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
