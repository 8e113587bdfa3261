package io.fluxon.engine.transfer;

import org.agrona.collections.Long2LongHashMap;

/**
 * Takes each peer by the way that fits: one of this host, whose segment file can be mapped, by loopback, any other over
 * the network.
 */
public final class AutoTransport implements Transport
{
    private static final long NONE = -1;

    private final LoopbackTransport loopback;
    private final Transport network;
    private final Long2LongHashMap farGenerations = new Long2LongHashMap(NONE);

    /**
     * A choice between two ways.
     *
     * @param loopback to peers of this host.
     * @param network  to all others.
     */
    public AutoTransport(final LoopbackTransport loopback, final Transport network)
    {
        this.loopback = loopback;
        this.network = network;
    }

    @Override
    public void onPeerAdded(
        final int ownerId,
        final long generation,
        final long segmentLength,
        final String segmentPath,
        final String transferAddress)
    {
        loopback.onPeerAdded(ownerId, generation, segmentLength, segmentPath, transferAddress);
        network.onPeerAdded(ownerId, generation, segmentLength, segmentPath, transferAddress);
        if (farGenerations.get(ownerId) < generation && !loopback.isHere(ownerId, generation))
        {
            farGenerations.put(ownerId, generation);
        }
    }

    @Override
    public void onPeerRemoved(final int ownerId, final long generation)
    {
        loopback.onPeerRemoved(ownerId, generation);
        network.onPeerRemoved(ownerId, generation);
        if (farGenerations.get(ownerId) == generation)
        {
            farGenerations.remove(ownerId);
        }
    }

    @Override
    public void submit(final Submission submission)
    {
        final boolean isFar = farGenerations.get(submission.peerOwnerId()) == submission.peerGeneration();
        (isFar ? network : loopback).submit(submission);
    }

    @Override
    public int progress(final TransportListener listener)
    {
        return loopback.progress(listener) + network.progress(listener);
    }

    @Override
    public void close()
    {
        loopback.close();
        network.close();
    }
}
