package io.fluxon.engine.transfer;

/**
 * Moves bytes from the segments of peers into the own segment. One-sided: the peer's program takes no part. Used by one
 * thread, the {@link TransferAgent}'s; never blocks it for longer than one bounded step.
 */
public interface Transport extends AutoCloseable
{
    /**
     * A peer has joined. A newer generation replaces the older one, whose open transfers end with
     * {@link io.fluxon.ipc.ErrorCode#TRANSPORT}; an older one is ignored.
     *
     * @param ownerId         of the peer.
     * @param generation      of the peer.
     * @param segmentLength   of the peer in bytes.
     * @param segmentPath     of the peer's segment file on its host.
     * @param transferAddress where owners of other hosts read that segment, empty = nowhere.
     */
    void onPeerAdded(
        int ownerId, long generation, long segmentLength, String segmentPath, String transferAddress);

    /**
     * A peer has left: its open transfers end with {@link io.fluxon.ipc.ErrorCode#TRANSPORT}.
     *
     * @param ownerId    of the peer.
     * @param generation of the peer; another one is ignored.
     */
    void onPeerRemoved(int ownerId, long generation);

    /**
     * Takes over one submission. Each of its transfers is completed exactly once by a later {@link #progress}: with
     * {@link io.fluxon.ipc.ErrorCode#INVALID_ARGUMENT} when it does not lie within both segments, with
     * {@link io.fluxon.ipc.ErrorCode#TRANSPORT} when the peer is unknown or cannot be reached.
     *
     * @param submission of at least one transfer.
     */
    void submit(Submission submission);

    /**
     * Does a bounded amount of work on what was submitted.
     *
     * @param listener called for each transfer that ended.
     * @return work count, 0 = nothing to do.
     */
    int progress(TransportListener listener);

    /** Ends it; what is open is dropped. Repeated calls do nothing. */
    @Override
    void close();
}
