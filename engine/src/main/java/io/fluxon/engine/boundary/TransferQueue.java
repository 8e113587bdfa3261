package io.fluxon.engine.boundary;

/**
 * Pulls values from the segments of other owners into own slots (contract SLOT-7: owners only pull). Descriptors go in,
 * completions come out, in any order, each accepted descriptor exactly once. Never blocks. Not thread-safe: it belongs
 * to the owner agent.
 */
public interface TransferQueue
{
    /**
     * Offers one descriptor. Descriptors of one peer that are offered in one duty cycle go out in one submission, and
     * so do those of a batch that is gathered (contract G8).
     *
     * @param token          that the completion carries.
     * @param batch          the descriptor belongs to.
     * @param peerOwnerId    owner to pull from.
     * @param peerGeneration of that owner; a peer of another generation is not asked.
     * @param remoteOffset   of the value in the peer's segment file.
     * @param localOffset    of the slot in the own segment file.
     * @param length         in bytes.
     * @return false when the queue is full: nothing was taken, try again in a later duty cycle.
     */
    boolean offer(
        long token,
        int batch,
        int peerOwnerId,
        long peerGeneration,
        long remoteOffset,
        long localOffset,
        long length);

    /**
     * Begins to gather: the descriptors of a batch and a peer that are offered from now on wait until
     * {@link #submit} lets them go together, since they are more than one duty cycle offers. When too many wait they
     * go before.
     *
     * @param batch          that is gathered.
     * @param peerOwnerId    owner to pull from.
     * @param peerGeneration of that owner.
     * @return false when the queue is full: nothing was taken, try again in a later duty cycle.
     */
    boolean gather(int batch, int peerOwnerId, long peerGeneration);

    /**
     * What was gathered goes out, in one submission.
     *
     * @param batch          that was gathered.
     * @param peerOwnerId    owner to pull from.
     * @param peerGeneration of that owner.
     * @return false when the queue is full: nothing was taken, try again in a later duty cycle.
     */
    boolean submit(int batch, int peerOwnerId, long peerGeneration);

    /**
     * Polls for completions.
     *
     * @param listener called for each completion, within this call.
     * @param limit    of completions for this call.
     * @return number of completions handed over.
     */
    int poll(TransferListener listener, int limit);

    /**
     * A peer has joined, or is known under a newer generation.
     *
     * @param ownerId         of the peer.
     * @param generation      of the peer.
     * @param segmentLength   in bytes.
     * @param path            of the peer's segment file on its host.
     * @param transferAddress where owners of other hosts read that segment, empty = nowhere.
     * @return false when the queue is full: nothing was taken, try again in a later duty cycle.
     */
    boolean peerAdded(int ownerId, long generation, long segmentLength, String path, String transferAddress);

    /**
     * A peer has left. Descriptors accepted before complete all the same, with an error where the bytes did not arrive.
     *
     * @param ownerId    of the peer.
     * @param generation of the peer.
     * @return false when the queue is full: nothing was taken, try again in a later duty cycle.
     */
    boolean peerRemoved(int ownerId, long generation);
}
