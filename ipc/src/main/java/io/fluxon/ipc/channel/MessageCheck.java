package io.fluxon.ipc.channel;

import io.fluxon.codecs.control.GroupSizeEncodingDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.VarDataEncodingDecoder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * Checks that a control message is whole before anything acts on it: schema, version, template and block lengths are
 * those of this protocol, and every group and field of variable length ends within the message. A decoder wrapped on
 * {@link #message()} after a good check never reads outside it. Allocates nothing. Belongs to one agent.
 * <p>
 * What it does not judge: values. Enums of unknown value decode as {@code SBE_UNKNOWN}; lengths of keys, counts and
 * ranges are the adapter's to check ({@link #isKey}).
 */
public final class MessageCheck
{
    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int SESSION_ID_OFFSET = HEADER_LENGTH + Long.BYTES;
    private static final int CORRELATION_ID_OFFSET = SESSION_ID_OFFSET + Long.BYTES;
    private static final int NO_TEMPLATE = -1;
    private static final int OVERRUN = -1;

    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private int templateId = NO_TEMPLATE;
    private boolean hasPreamble;
    private long malformed;

    /**
     * Checks one message and makes it the current one.
     *
     * @param buffer that holds the message.
     * @param offset of its first byte.
     * @param length in bytes.
     * @return true when it is a whole message of this protocol; false when it is malformed, which is counted.
     */
    public boolean isValid(final DirectBuffer buffer, final int offset, final int length)
    {
        templateId = NO_TEMPLATE;
        hasPreamble = false;
        message.wrap(buffer, offset, length);

        final boolean isValid = hasHeader() && isWhole(length);
        if (!isValid)
        {
            malformed++;
        }

        return isValid;
    }

    /**
     * The current message, in a buffer of exactly its bounds: header at 0, block at 8. Valid as long as the buffer it
     * came in.
     *
     * @return the buffer, the same object each time.
     */
    public DirectBuffer message()
    {
        return message;
    }

    /**
     * Template id of the current message.
     *
     * @return the id, or -1 when the message has no header of this protocol.
     */
    public int templateId()
    {
        return templateId;
    }

    /**
     * Could the three fields that every message begins with be read? They can of many malformed messages, so that
     * these can be refused by name.
     *
     * @return true when generation, session id and correlation id have meaning.
     */
    public boolean hasPreamble()
    {
        return hasPreamble;
    }

    /**
     * Generation (or epoch) of the current message.
     *
     * @return the field, 0 without a preamble.
     */
    public long generation()
    {
        return preambleField(HEADER_LENGTH);
    }

    /**
     * Session id of the current message.
     *
     * @return the field, 0 without a preamble.
     */
    public long sessionId()
    {
        return preambleField(SESSION_ID_OFFSET);
    }

    /**
     * Correlation id of the current message.
     *
     * @return the field, 0 without a preamble.
     */
    public long correlationId()
    {
        return preambleField(CORRELATION_ID_OFFSET);
    }

    /**
     * Malformed messages seen.
     *
     * @return count since the start.
     */
    public long malformed()
    {
        return malformed;
    }

    /**
     * Is this a key: 1 to {@code maxKeyBytes} bytes of valid UTF-8 (no overlong forms, no surrogates)?
     *
     * @param buffer      that holds it.
     * @param offset      of its first byte.
     * @param length      in bytes.
     * @param maxKeyBytes bound of the length.
     * @return true when it is one.
     */
    public static boolean isKey(
        final DirectBuffer buffer, final int offset, final int length, final int maxKeyBytes)
    {
        return length >= 1 && length <= maxKeyBytes && Utf8Check.isValid(buffer, offset, length);
    }

    private long preambleField(final int offset)
    {
        return hasPreamble ? message.getLong(offset, ByteOrder.LITTLE_ENDIAN) : 0;
    }

    private boolean hasHeader()
    {
        if (message.capacity() < HEADER_LENGTH)
        {
            return false;
        }

        header.wrap(message, 0);
        if (MessageHeaderDecoder.SCHEMA_ID != header.schemaId() ||
            MessageHeaderDecoder.SCHEMA_VERSION != header.version())
        {
            return false;
        }

        templateId = header.templateId();
        hasPreamble = message.capacity() >= OutboundQueue.MIN_MESSAGE_LENGTH;
        return true;
    }

    private boolean isWhole(final int length)
    {
        final int[] shape = MessageShapes.of(templateId);
        if (null == shape || shape[0] != header.blockLength())
        {
            return false;
        }

        int limit = HEADER_LENGTH + shape[0];
        for (int i = 1; i < shape.length && OVERRUN != limit && limit <= length; i++)
        {
            limit = MessageShapes.DATA == shape[i] ? skipData(limit, length) : skipGroup(shape[i], limit, length);
        }

        return OVERRUN != limit && limit <= length;
    }

    private int skipData(final int offset, final int length)
    {
        if (offset > length - VarDataEncodingDecoder.varDataEncodingOffset())
        {
            return OVERRUN;
        }

        return offset + VarDataEncodingDecoder.varDataEncodingOffset() + uint16(offset);
    }

    private int skipGroup(final int item, final int offset, final int length)
    {
        if (offset > length - GroupSizeEncodingDecoder.ENCODED_LENGTH)
        {
            return OVERRUN;
        }

        final int blockLength = uint16(offset + GroupSizeEncodingDecoder.blockLengthEncodingOffset());
        final int count = uint16(offset + GroupSizeEncodingDecoder.numInGroupEncodingOffset());
        if (MessageShapes.groupBlockLength(item) != blockLength)
        {
            return OVERRUN;
        }

        final int dataCount = MessageShapes.groupDataCount(item);
        int limit = offset + GroupSizeEncodingDecoder.ENCODED_LENGTH;
        if (0 == dataCount)
        {
            final long end = limit + (long) count * blockLength;
            return end <= length ? (int) end : OVERRUN;
        }

        for (int i = 0; i < count && OVERRUN != limit && limit <= length; i++)
        {
            limit += blockLength;
            for (int j = 0; j < dataCount && OVERRUN != limit && limit <= length; j++)
            {
                limit = skipData(limit, length);
            }
        }

        return limit;
    }

    private int uint16(final int offset)
    {
        return message.getShort(offset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }
}
