package io.fluxon.jmh.cluster;

import io.fluxon.engine.boundary.TransferListener;
import io.fluxon.engine.boundary.TransferQueue;

/**
 * Completes at the next poll and moves nothing: what an owner core costs without its values.
 */
final class InstantTransfers implements TransferQueue
{
    private static final int CAPACITY = 1 << 14;

    private final long[] tokens = new long[CAPACITY];
    private int head;
    private int tail;

    @Override
    public boolean offer(
        final long token,
        final int batch,
        final int peerOwnerId,
        final long peerGeneration,
        final long remoteOffset,
        final long localOffset,
        final long length)
    {
        if (CAPACITY == tail - head)
        {
            return false;
        }
        tokens[tail++ & CAPACITY - 1] = token;
        return true;
    }

    @Override
    public boolean gather(final int batch, final int peerOwnerId, final long peerGeneration)
    {
        return true;
    }

    @Override
    public boolean submit(final int batch, final int peerOwnerId, final long peerGeneration)
    {
        return true;
    }

    @Override
    public int poll(final TransferListener listener, final int limit)
    {
        int count = 0;
        while (count < limit && head != tail)
        {
            listener.onTransferCompleted(tokens[head++ & CAPACITY - 1], 0);
            count++;
        }
        return count;
    }

    @Override
    public boolean peerAdded(
        final int ownerId,
        final long generation,
        final long segmentLength,
        final String path,
        final String transferAddress)
    {
        return true;
    }

    @Override
    public boolean peerRemoved(final int ownerId, final long generation)
    {
        return true;
    }
}
