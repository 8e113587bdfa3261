package io.fluxon.ipc.channel;

import org.agrona.DirectBuffer;

/**
 * Outbound half of a connection: takes whole SBE messages of at most {@link #maxMessageLength()} bytes, in order.
 * Never blocks. Not thread-safe: it belongs to the agent that sends.
 */
public interface ControlChannel extends AutoCloseable
{
    /** No receiver is there yet, or it has gone. The message was not taken. */
    long NOT_CONNECTED = -1;

    /** The receiver is slower than the sender. The message was not taken; try again in a later duty cycle. */
    long BACK_PRESSURED = -2;

    /** The transport is busy with itself. The message was not taken; trying again at once may work. */
    long ADMIN_ACTION = -3;

    /** The channel is closed for good. */
    long CLOSED = -4;

    /**
     * Offers one message.
     *
     * @param buffer that holds the message.
     * @param offset of its first byte.
     * @param length in bytes, at most {@link #maxMessageLength()}.
     * @return a positive number when the message was taken, else one of the constants of this interface.
     */
    long offer(DirectBuffer buffer, int offset, int length);

    /**
     * Longest message that one offer takes.
     *
     * @return length in bytes.
     */
    int maxMessageLength();

    /**
     * Is a receiver there?
     *
     * @return true when an offer can be taken.
     */
    boolean isConnected();

    /** Ends the channel; repeated calls do nothing. */
    @Override
    void close();
}
