package io.fluxon.engine.transfer;

import io.fluxon.jcstress.Memory;
import org.agrona.concurrent.status.CountersManager;

/**
 * A transport that moves a value by writing its token where it belongs, and looks at what it was given.
 */
final class StubTransport implements Transport
{
    static final TransferCounters COUNTERS = counters();

    private static final int BROKEN = -100;

    private final int peerOwnerId;
    private final long peerGeneration;
    private long[] target;
    private Submission pending;
    private int descriptors;
    private int submissions;

    StubTransport(final int peerOwnerId, final long peerGeneration)
    {
        this.peerOwnerId = peerOwnerId;
        this.peerGeneration = peerGeneration;
    }

    private static TransferCounters counters()
    {
        final CountersManager manager = Memory.lastingCounters(4);
        return new TransferCounters(manager.newCounter("descriptors"), manager.newCounter("submissions"),
            manager.newCounter("bytes"), manager.newCounter("failures"));
    }

    /** Where the values go: that of token t to the places 2t and 2t + 1. */
    StubTransport target(final long[] newTarget)
    {
        target = newTarget;
        return this;
    }

    static long remote(final long token)
    {
        return token << 40;
    }

    static long local(final long token)
    {
        return token << 20;
    }

    /** Descriptors that came, less than 0 when one was not as it was sent. */
    int descriptors()
    {
        return descriptors;
    }

    int submissions()
    {
        return submissions;
    }

    @Override
    public void submit(final Submission submission)
    {
        submissions++;
        pending = submission;
        for (Transfer transfer = submission.first(); null != transfer; transfer = transfer.next())
        {
            descriptors += isAsSent(submission, transfer) ? 1 : BROKEN;
        }
    }

    private boolean isAsSent(final Submission submission, final Transfer transfer)
    {
        final long token = transfer.token();
        return peerOwnerId == submission.peerOwnerId() && peerGeneration == submission.peerGeneration() &&
            remote(token) == transfer.remoteOffset() && local(token) == transfer.localOffset() &&
            token == transfer.length();
    }

    @Override
    public int progress(final TransportListener listener)
    {
        if (null == target || null == pending)
        {
            return 0;
        }

        Transfer transfer = pending.first();
        pending = null;
        int moved = 0;
        while (null != transfer)
        {
            final Transfer next = transfer.next();
            final int place = 2 * (int)transfer.token();
            target[place] = transfer.token();
            target[place + 1] = transfer.token();
            listener.onTransferred(transfer, 0);
            transfer = next;
            moved++;
        }
        return moved;
    }

    @Override
    public void onPeerAdded(
        final int ownerId,
        final long generation,
        final long segmentLength,
        final String segmentPath,
        final String transferAddress)
    {
        descriptors = BROKEN;
    }

    @Override
    public void onPeerRemoved(final int ownerId, final long generation)
    {
        descriptors = BROKEN;
    }

    @Override
    public void close()
    {
        descriptors = BROKEN;
    }
}
