package io.fluxon.ipc.channel;

import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.MessagePartDecoder;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayDeque;

/**
 * Puts the {@code MessagePart}s of each connection together again and hands the whole message over; other messages pass
 * through as they are. Stands between a {@link MessageSource} and the agent's handler.
 * <p>
 * Bounds (contract BOUND-1): no whole message is longer than {@code maxMessageBytes}, no more than {@code
 * maxIncomplete} messages are incomplete at a time (parts that would begin one more are dropped), memory grows with the
 * bytes that arrived and not with what a part says will come. Whatever does not fit is dropped and counted: a message
 * that does not continue what its connection has begun drops that. Belongs to one agent; allocates nothing once its
 * buffers have grown to what is in use.
 */
public final class MessageAssembler implements MessageHandler
{
    /** Incomplete messages at a time when nothing else is said. */
    public static final int DEFAULT_MAX_INCOMPLETE = 128;

    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int INITIAL_BUFFER_LENGTH = 4096;

    private final int maxMessageBytes;
    private final int maxIncomplete;
    private final MessageHandler handler;
    private final Long2ObjectHashMap<Assembly> assemblies = new Long2ObjectHashMap<>();
    private final ArrayDeque<Assembly> pool = new ArrayDeque<>();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final MessagePartDecoder part = new MessagePartDecoder();
    private final UnsafeBuffer whole = new UnsafeBuffer(0, 0);
    private long dropped;

    /**
     * Creates an assembler for at most {@link #DEFAULT_MAX_INCOMPLETE} incomplete messages.
     *
     * @param maxMessageBytes longest whole message.
     * @param handler         that gets the whole messages.
     */
    public MessageAssembler(final int maxMessageBytes, final MessageHandler handler)
    {
        this(maxMessageBytes, DEFAULT_MAX_INCOMPLETE, handler);
    }

    /**
     * Creates an assembler.
     *
     * @param maxMessageBytes longest whole message.
     * @param maxIncomplete   bound of messages that are incomplete at a time, one a connection.
     * @param handler         that gets the whole messages, each in a buffer of exact bounds when it came in parts.
     */
    public MessageAssembler(final int maxMessageBytes, final int maxIncomplete, final MessageHandler handler)
    {
        if (maxMessageBytes < OutboundQueue.MIN_MESSAGE_LENGTH || maxIncomplete < 1)
        {
            throw new IllegalArgumentException(
                "maxMessageBytes " + maxMessageBytes + ", maxIncomplete " + maxIncomplete + ": too small");
        }

        this.maxMessageBytes = maxMessageBytes;
        this.maxIncomplete = maxIncomplete;
        this.handler = handler;
    }

    @Override
    public void onMessage(final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (isPart(buffer, offset, length))
        {
            onPart(connectionId, buffer, offset, length);
        }
        else
        {
            dropIncomplete(connectionId);
            handler.onMessage(connectionId, buffer, offset, length);
        }
    }

    /**
     * Forgets a connection that has ended, with its incomplete message.
     *
     * @param connectionId that will not be seen again.
     */
    public void forget(final long connectionId)
    {
        dropIncomplete(connectionId);
    }

    /**
     * Messages that are incomplete now.
     *
     * @return count.
     */
    public int incomplete()
    {
        return assemblies.size();
    }

    /**
     * What was dropped: bad parts, and messages that were begun and never completed.
     *
     * @return count since the start.
     */
    public long dropped()
    {
        return dropped;
    }

    private boolean isPart(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < HEADER_LENGTH)
        {
            return false;
        }

        header.wrap(buffer, offset);
        return MessagePartDecoder.SCHEMA_ID == header.schemaId() &&
            MessagePartDecoder.TEMPLATE_ID == header.templateId();
    }

    private void onPart(final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (length <= OutboundQueue.PART_HEADER_LENGTH ||
            MessagePartDecoder.SCHEMA_VERSION != header.version() ||
            MessagePartDecoder.BLOCK_LENGTH != header.blockLength())
        {
            dropPart(connectionId);
            return;
        }

        part.wrap(buffer, offset + HEADER_LENGTH, header.blockLength(), header.version());
        final int totalLength = part.totalLength();
        final int partOffset = part.partOffset();
        final int partLength = part.partLength();
        if (partLength != length - OutboundQueue.PART_HEADER_LENGTH ||
            totalLength < OutboundQueue.MIN_MESSAGE_LENGTH || totalLength > maxMessageBytes ||
            partOffset < 0 || partOffset > totalLength - partLength)
        {
            dropPart(connectionId);
            return;
        }

        final Assembly assembly = 0 == partOffset ?
            begin(connectionId, part.messageId(), totalLength) : next(connectionId, partOffset, totalLength);
        if (null == assembly)
        {
            dropPart(connectionId);
            return;
        }

        assembly.append(buffer, offset + OutboundQueue.PART_HEADER_LENGTH, partLength);
        if (assembly.receivedBytes == totalLength)
        {
            complete(connectionId, assembly);
        }
    }

    private Assembly begin(final long connectionId, final long messageId, final int totalLength)
    {
        dropIncomplete(connectionId);
        if (assemblies.size() >= maxIncomplete)
        {
            return null;
        }

        final Assembly pooled = pool.pollLast();
        final Assembly assembly = null == pooled ? new Assembly() : pooled;
        assembly.messageId = messageId;
        assembly.totalLength = totalLength;
        assembly.receivedBytes = 0;
        assemblies.put(connectionId, assembly);

        return assembly;
    }

    private Assembly next(final long connectionId, final int partOffset, final int totalLength)
    {
        final Assembly assembly = assemblies.get(connectionId);
        return null != assembly && assembly.messageId == part.messageId() &&
            assembly.totalLength == totalLength && assembly.receivedBytes == partOffset ? assembly : null;
    }

    private void complete(final long connectionId, final Assembly assembly)
    {
        assemblies.remove(connectionId);
        whole.wrap(assembly.bytes, 0, assembly.totalLength);
        try
        {
            if (isPart(whole, 0, assembly.totalLength))
            {
                dropped++;
            }
            else
            {
                handler.onMessage(connectionId, whole, 0, assembly.totalLength);
            }
        }
        finally
        {
            pool.addLast(assembly);
        }
    }

    private void dropPart(final long connectionId)
    {
        dropped++;
        dropIncomplete(connectionId);
    }

    private void dropIncomplete(final long connectionId)
    {
        if (!assemblies.isEmpty())
        {
            final Assembly assembly = assemblies.remove(connectionId);
            if (null != assembly)
            {
                dropped++;
                pool.addLast(assembly);
            }
        }
    }

    private static final class Assembly
    {
        private byte[] bytes = new byte[INITIAL_BUFFER_LENGTH];
        private long messageId;
        private int totalLength;
        private int receivedBytes;

        void append(final DirectBuffer buffer, final int offset, final int length)
        {
            final int required = receivedBytes + length;
            if (required > bytes.length)
            {
                final int grown = (int) Math.min(totalLength, Math.max((long) required, 2L * bytes.length));
                final byte[] larger = new byte[grown];
                System.arraycopy(bytes, 0, larger, 0, receivedBytes);
                bytes = larger;
            }
            buffer.getBytes(offset, bytes, receivedBytes, length);
            receivedBytes = required;
        }
    }
}
