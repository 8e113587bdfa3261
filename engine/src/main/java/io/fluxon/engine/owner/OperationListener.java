package io.fluxon.engine.owner;

import org.agrona.DirectBuffer;

/**
 * Whoever waits for the answer to a {@link MasterOperation}.
 */
interface OperationListener
{
    /**
     * A message of the master names the operation. When it is the definitive answer the listener closes the operation
     * with {@link MasterLink#close(MasterOperation)}; any other message is ignored and the operation goes on.
     *
     * @param operation  that is open.
     * @param templateId of the message.
     * @param message    that holds it, header at 0; valid during the call only.
     */
    void onAnswer(MasterOperation operation, int templateId, DirectBuffer message);

    /**
     * The operation is not sent again: its time is over (then its id stays open), or nobody needs its answer any more.
     *
     * @param operation that was given up.
     */
    void onGivenUp(MasterOperation operation);
}
