package io.fluxon.engine.boundary;

/**
 * Computes checksums of values away from the duty cycle (contract CRC-1). Each accepted request completes exactly once,
 * in any order. Never blocks. Not thread-safe: it belongs to the owner agent.
 */
public interface ChecksumQueue
{
    /**
     * Offers one request.
     *
     * @param token  that the completion carries.
     * @param offset of the value in the own segment file.
     * @param length in bytes.
     * @return false when the queue is full: nothing was taken, try again in a later duty cycle.
     */
    boolean offer(long token, long offset, long length);

    /**
     * Polls for completions.
     *
     * @param listener called for each completion, within this call.
     * @param limit    of completions for this call.
     * @return number of completions handed over.
     */
    int poll(ChecksumListener listener, int limit);
}
