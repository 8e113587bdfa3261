package io.fluxon.engine.transfer;

/**
 * Receives the ends of transfers.
 */
@FunctionalInterface
public interface TransportListener
{
    /**
     * A transfer has ended; nothing touches its target any more. The transfer and, with its last one, the submission
     * must not be used afterwards, so its successor is to be read before.
     *
     * @param transfer that ended.
     * @param status   0 when all bytes have arrived, else an error code of {@link io.fluxon.ipc.ErrorCode}.
     */
    void onTransferred(Transfer transfer, int status);
}
