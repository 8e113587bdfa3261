package io.fluxon.engine.boundary;

/**
 * Receives the completions of a {@link TransferQueue}.
 */
@FunctionalInterface
public interface TransferListener
{
    /**
     * One descriptor has ended; nothing touches its target slot any more (contract SLOT-7).
     *
     * @param token  of the descriptor.
     * @param status 0 when all bytes are in the slot, else an error code of {@link io.fluxon.ipc.ErrorCode}.
     */
    void onTransferCompleted(long token, int status);
}
