package io.fluxon.engine.owner;

import org.agrona.DirectBuffer;

/**
 * Whoever waits for the answer to a {@link MasterOperation}.
 */
interface OperationListener
{
    /**
     * The master has answered. The operation is closed after the call unless the answer is refused.
     *
     * @param operation  that was answered.
     * @param templateId of the answer.
     * @param message    that holds it, header at 0; valid during the call only.
     * @return true when the answer is definitive; false when it is not an answer to this operation, which then goes on.
     */
    boolean onAnswer(MasterOperation operation, int templateId, DirectBuffer message);

    /**
     * The time of an operation that may end by time is over; it is not sent again, and its id stays open.
     *
     * @param operation that was given up.
     */
    void onGivenUp(MasterOperation operation);
}
