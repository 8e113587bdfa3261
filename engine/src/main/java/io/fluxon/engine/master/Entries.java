package io.fluxon.engine.master;

import io.fluxon.codecs.control.GroupSizeEncodingDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.VarDataEncodingDecoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Positions within checked messages: a group can be entered at any entry, so that a batch is worked on in slices.
 */
final class Entries
{
    /** Bytes ahead of a key. */
    static final int KEY_HEADER_LENGTH = VarDataEncodingDecoder.varDataEncodingOffset();

    /** Bytes ahead of the first entry of a group. */
    static final int GROUP_HEADER_LENGTH = GroupSizeEncodingDecoder.ENCODED_LENGTH;

    private static final int GENERATION_OFFSET = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int SESSION_ID_OFFSET = GENERATION_OFFSET + Long.BYTES;
    private static final int CORRELATION_ID_OFFSET = SESSION_ID_OFFSET + Long.BYTES;

    private Entries()
    {
    }

    /** Offset of the first group's header in a message. */
    static int firstGroup(final DirectBuffer message)
    {
        return MessageHeaderDecoder.ENCODED_LENGTH +
            (message.getShort(MessageHeaderDecoder.blockLengthEncodingOffset(), LITTLE_ENDIAN) & 0xFFFF);
    }

    static int groupBlockLength(final DirectBuffer message, final int groupOffset)
    {
        return message.getShort(groupOffset + GroupSizeEncodingDecoder.blockLengthEncodingOffset(), LITTLE_ENDIAN) &
            0xFFFF;
    }

    static int groupCount(final DirectBuffer message, final int groupOffset)
    {
        return message.getShort(groupOffset + GroupSizeEncodingDecoder.numInGroupEncodingOffset(), LITTLE_ENDIAN) &
            0xFFFF;
    }

    static int keyLength(final DirectBuffer message, final int keyHeaderOffset)
    {
        return message.getShort(keyHeaderOffset, LITTLE_ENDIAN) & 0xFFFF;
    }

    static int getInt(final DirectBuffer message, final int offset)
    {
        return message.getInt(offset, LITTLE_ENDIAN);
    }

    static long getLong(final DirectBuffer message, final int offset)
    {
        return message.getLong(offset, LITTLE_ENDIAN);
    }

    static int templateId(final DirectBuffer message)
    {
        return message.getShort(MessageHeaderDecoder.templateIdEncodingOffset(), LITTLE_ENDIAN) & 0xFFFF;
    }

    static long correlationId(final DirectBuffer message)
    {
        return message.getLong(CORRELATION_ID_OFFSET, LITTLE_ENDIAN);
    }

    static void correlationId(final MutableDirectBuffer message, final long correlationId)
    {
        message.putLong(CORRELATION_ID_OFFSET, correlationId, LITTLE_ENDIAN);
    }

    static void sessionId(final MutableDirectBuffer message, final long sessionId)
    {
        message.putLong(SESSION_ID_OFFSET, sessionId, LITTLE_ENDIAN);
    }
}
