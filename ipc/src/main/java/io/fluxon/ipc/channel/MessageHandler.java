package io.fluxon.ipc.channel;

import org.agrona.DirectBuffer;

/**
 * Receives the messages of a {@link MessageSource}. The buffer is valid only during the call.
 */
@FunctionalInterface
public interface MessageHandler
{
    /**
     * Called for each message.
     *
     * @param connectionId of the connection it came by: equal for all messages of one sender's connection, never used
     *                     again for another within the process.
     * @param buffer       that holds the message.
     * @param offset       of its first byte.
     * @param length       in bytes.
     */
    void onMessage(long connectionId, DirectBuffer buffer, int offset, int length);
}
