package io.fluxon.ipc.channel;

import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.MessagePartEncoder;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableRingBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * Sends messages of any length by a {@link ControlChannel}, in order: at once when the channel takes them, else later
 * from a bounded queue. A message longer than the channel's {@link ControlChannel#maxMessageLength()} goes as {@code
 * MessagePart}s: message header, block, then raw bytes. Nothing is allocated once the queue has grown to what is in
 * use. Belongs to one agent.
 * <p>
 * What the bound means (contract BOUND-1): {@link #send} either takes the whole message or nothing of it. A message is
 * never longer than the bound. When the channel is closed for good, the messages that wait are dropped and counted, and
 * so is everything sent later: no receiver will come.
 * <p>
 * A receiver that goes and comes back in the middle of a message in parts gets that message from its first part again.
 */
public final class OutboundQueue implements AutoCloseable
{
    /** Bytes of message header and block ahead of the raw bytes of a part. */
    public static final int PART_HEADER_LENGTH =
        MessageHeaderEncoder.ENCODED_LENGTH + MessagePartEncoder.BLOCK_LENGTH;

    /** Least bytes of a message: header, generation, session id, correlation id. */
    public static final int MIN_MESSAGE_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + 3 * Long.BYTES;

    private static final int GENERATION_OFFSET = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int SESSION_ID_OFFSET = GENERATION_OFFSET + Long.BYTES;
    private static final int ADMIN_ACTION_ATTEMPTS = 3;
    private static final int INITIAL_QUEUE_LENGTH = 4096;

    private final ControlChannel channel;
    private final int maxQueuedBytes;
    private final ExpandableRingBuffer queue;
    private final ExpandableRingBuffer.MessageConsumer onQueuedMessage = this::onQueuedMessage;
    private final ExpandableRingBuffer.MessageConsumer onDroppedMessage = this::onDroppedMessage;
    private final MessageHeaderEncoder headerEncoder = new MessageHeaderEncoder();
    private final MessagePartEncoder partEncoder = new MessagePartEncoder();
    private UnsafeBuffer partBuffer = new UnsafeBuffer(new byte[0]);
    private int queuedBytes;
    private int headSentBytes;
    private int flushed;
    private long headMessageId;
    private long nextMessageId = 1;
    private long droppedMessages;
    private boolean isClosed;

    /**
     * Creates a queue in front of a channel.
     *
     * @param channel        to send by; the queue closes it.
     * @param maxQueuedBytes bound of the bytes that wait, each message with 8 bytes of header and aligned to 8; at
     *                       least that of the longest message that is to be sent.
     */
    public OutboundQueue(final ControlChannel channel, final int maxQueuedBytes)
    {
        if (maxQueuedBytes < INITIAL_QUEUE_LENGTH || maxQueuedBytes > ExpandableRingBuffer.MAX_CAPACITY / 2)
        {
            throw new IllegalArgumentException("maxQueuedBytes " + maxQueuedBytes + " is not within " +
                INITIAL_QUEUE_LENGTH + " to " + ExpandableRingBuffer.MAX_CAPACITY / 2);
        }

        this.channel = channel;
        this.maxQueuedBytes = maxQueuedBytes;
        // a message never wraps, so the ring may need twice the bytes that wait
        this.queue = new ExpandableRingBuffer(
            INITIAL_QUEUE_LENGTH, 2 * BitUtil.findNextPositivePowerOfTwo(maxQueuedBytes), false);
    }

    /**
     * Sends one message, or queues what the channel does not take now.
     *
     * @param buffer that holds the message: message header first, then generation, session id and correlation id.
     * @param offset of its first byte.
     * @param length in bytes.
     * @return true when the message was taken; false when the bound would be passed, then nothing of it was taken.
     */
    public boolean send(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < MIN_MESSAGE_LENGTH)
        {
            throw new IllegalArgumentException("message of " + length + " bytes is shorter than its first fields");
        }

        if (isClosed)
        {
            droppedMessages++;
            return true;
        }

        final int queueLength = queueLength(length);
        if (queueLength < 0 || queueLength > maxQueuedBytes - queuedBytes)
        {
            return 0 == queuedBytes && length <= channel.maxMessageLength() && trySend(buffer, offset, length);
        }

        if (0 == queuedBytes && trySend(buffer, offset, length))
        {
            return true;
        }

        if (isClosed)
        {
            droppedMessages++;
            return true;
        }

        if (!queue.append(buffer, offset, length))
        {
            throw new IllegalStateException("queue refused " + length + " bytes within its bound");
        }
        queuedBytes += queueLength;

        return true;
    }

    /**
     * Sends messages that wait, in order, for as long as the channel takes them.
     *
     * @param maxMessages to send in this call.
     * @return number of messages that left the queue.
     */
    public int flush(final int maxMessages)
    {
        if (0 == queuedBytes)
        {
            return 0;
        }

        flushed = 0;
        queue.consume(onQueuedMessage, maxMessages);

        return flushed;
    }

    /**
     * Bytes that wait, each message with 8 bytes of header and aligned to 8.
     *
     * @return bytes in the queue.
     */
    public int queuedBytes()
    {
        return queuedBytes;
    }

    /**
     * Longest message that {@link #send} takes for sure now.
     *
     * @return length in bytes, 0 or more.
     */
    public int availableBytes()
    {
        return Math.max(0, maxQueuedBytes - queuedBytes - ExpandableRingBuffer.HEADER_LENGTH & -Long.BYTES);
    }

    /**
     * Does the channel take less than is sent?
     *
     * @return true while messages wait.
     */
    public boolean isBackPressured()
    {
        return queuedBytes > 0;
    }

    /**
     * Has the channel said that it is closed for good?
     *
     * @return true when nothing sent will arrive.
     */
    public boolean isClosed()
    {
        return isClosed;
    }

    /**
     * Messages dropped because the channel is closed.
     *
     * @return count since the start.
     */
    public long droppedMessages()
    {
        return droppedMessages;
    }

    /**
     * The channel behind the queue.
     *
     * @return the channel given at construction.
     */
    public ControlChannel channel()
    {
        return channel;
    }

    /** Drops what waits and closes the channel; repeated calls do nothing. */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            dropAll();
        }
        channel.close();
    }

    private static int queueLength(final int length)
    {
        return BitUtil.align(length + ExpandableRingBuffer.HEADER_LENGTH, ExpandableRingBuffer.HEADER_ALIGNMENT);
    }

    private boolean onQueuedMessage(
        final MutableDirectBuffer buffer, final int offset, final int length, final int headOffset)
    {
        if (isClosed)
        {
            droppedMessages++;
        }
        else if (!trySend(buffer, offset, length))
        {
            if (!isClosed)
            {
                return false;
            }
            droppedMessages++;
        }

        queuedBytes -= queueLength(length);
        flushed++;
        return true;
    }

    private boolean onDroppedMessage(
        final MutableDirectBuffer buffer, final int offset, final int length, final int headOffset)
    {
        droppedMessages++;
        return true;
    }

    private void dropAll()
    {
        queue.consume(onDroppedMessage, Integer.MAX_VALUE);
        queuedBytes = 0;
        headSentBytes = 0;
    }

    private boolean trySend(final DirectBuffer buffer, final int offset, final int length)
    {
        if (0 == headSentBytes && length <= channel.maxMessageLength())
        {
            return offer(buffer, offset, length);
        }

        return trySendParts(buffer, offset, length);
    }

    private boolean trySendParts(final DirectBuffer buffer, final int offset, final int length)
    {
        if (0 == headSentBytes)
        {
            headMessageId = nextMessageId++;
        }

        while (headSentBytes < length)
        {
            final int maxPartLength = channel.maxMessageLength() - PART_HEADER_LENGTH;
            if (maxPartLength <= 0)
            {
                throw new IllegalStateException("channel takes no part: maxMessageLength " +
                    channel.maxMessageLength());
            }

            final int partLength = Math.min(maxPartLength, length - headSentBytes);
            encodePart(buffer, offset, length, partLength);
            if (!offer(partBuffer, 0, PART_HEADER_LENGTH + partLength))
            {
                return false;
            }
            headSentBytes += partLength;
        }

        headSentBytes = 0;
        return true;
    }

    private void encodePart(final DirectBuffer buffer, final int offset, final int length, final int partLength)
    {
        if (partBuffer.capacity() < PART_HEADER_LENGTH + partLength)
        {
            partBuffer = new UnsafeBuffer(new byte[PART_HEADER_LENGTH + partLength]);
        }

        partEncoder.wrapAndApplyHeader(partBuffer, 0, headerEncoder)
            .generation(buffer.getLong(offset + GENERATION_OFFSET, ByteOrder.LITTLE_ENDIAN))
            .sessionId(buffer.getLong(offset + SESSION_ID_OFFSET, ByteOrder.LITTLE_ENDIAN))
            .messageId(headMessageId)
            .totalLength(length)
            .partOffset(headSentBytes)
            .partLength(partLength);
        partBuffer.putBytes(PART_HEADER_LENGTH, buffer, offset + headSentBytes, partLength);
    }

    private boolean offer(final DirectBuffer buffer, final int offset, final int length)
    {
        long result;
        int attempts = ADMIN_ACTION_ATTEMPTS;
        do
        {
            result = channel.offer(buffer, offset, length);
        }
        while (ControlChannel.ADMIN_ACTION == result && --attempts > 0);

        if (ControlChannel.CLOSED == result)
        {
            isClosed = true;
            headSentBytes = 0;
        }
        else if (ControlChannel.NOT_CONNECTED == result)
        {
            // whoever connects next has not seen the parts that went before
            headSentBytes = 0;
        }

        return result > 0;
    }
}
