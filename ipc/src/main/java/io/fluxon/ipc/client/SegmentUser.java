package io.fluxon.ipc.client;

/**
 * Something of this process that reads and writes a client's segment by address, beside the client's calls.
 */
public interface SegmentUser
{
    /**
     * The client is about to end its session and to unmap the segment: ends what touches it, within a bounded time, and
     * begins nothing new. Called again when the client is closed again.
     *
     * @throws RuntimeException when something may still touch the segment; the client then stays open.
     */
    void endUse();
}
