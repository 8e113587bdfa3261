package io.fluxon.ipc.channel;

import org.agrona.DirectBuffer;

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
        return false;
    }

    /**
     * The current message, in a buffer of exactly its bounds: header at 0, block at 8.
     *
     * @return the buffer, the same object each time.
     */
    public DirectBuffer message()
    {
        return null;
    }

    /**
     * Template id of the current message.
     *
     * @return the id, or -1 when the message has no header of this protocol.
     */
    public int templateId()
    {
        return -1;
    }

    /**
     * Could the three fields that every message begins with be read? They can of many malformed messages, so that
     * these can be refused by name.
     *
     * @return true when generation, session id and correlation id have meaning.
     */
    public boolean hasPreamble()
    {
        return false;
    }

    /**
     * Generation (or epoch) of the current message.
     *
     * @return the field, 0 without a preamble.
     */
    public long generation()
    {
        return 0;
    }

    /**
     * Session id of the current message.
     *
     * @return the field, 0 without a preamble.
     */
    public long sessionId()
    {
        return 0;
    }

    /**
     * Correlation id of the current message.
     *
     * @return the field, 0 without a preamble.
     */
    public long correlationId()
    {
        return 0;
    }

    /**
     * Malformed messages seen.
     *
     * @return count since the start.
     */
    public long malformed()
    {
        return 0;
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
        return false;
    }
}
