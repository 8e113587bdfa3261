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
     * @return work done: number of messages handed over, plus pieces of longer messages that were taken in; 0 when
     *         there was nothing to do.
     */
    int poll(MessageHandler handler, int limit);
}
