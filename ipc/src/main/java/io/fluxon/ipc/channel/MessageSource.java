package io.fluxon.ipc.channel;

/**
 * Inbound half: hands over the messages that have arrived. Never blocks. Not thread-safe: it belongs to the agent that
 * polls.
 */
public interface MessageSource
{
    /**
     * Polls for messages.
     *
     * @param handler that is called for each message, within this call.
     * @param limit   of messages for this call.
     * @return number of messages handed over.
     */
    int poll(MessageHandler handler, int limit);
}
