package io.fluxon.engine.transfer;

import java.util.ArrayList;
import java.util.List;

/**
 * Remembers what it is given; completes when told to.
 */
final class RecordingTransport implements Transport
{
    final List<String> events = new ArrayList<>();
    final List<Transfer> open = new ArrayList<>();
    int submissions;
    int completable;
    int status;
    boolean isClosed;

    @Override
    public void onPeerAdded(
        final int ownerId,
        final long generation,
        final long segmentLength,
        final String segmentPath,
        final String transferAddress)
    {
        events.add("added " + ownerId + "/" + generation + " " + segmentLength + " " + segmentPath + " " +
            transferAddress);
    }

    @Override
    public void onPeerRemoved(final int ownerId, final long generation)
    {
        events.add("removed " + ownerId + "/" + generation);
    }

    @Override
    public void submit(final Submission submission)
    {
        submissions++;
        events.add("submit " + submission.peerOwnerId() + "/" + submission.peerGeneration() + " x" + submission.size());
        for (Transfer transfer = submission.first(); null != transfer; transfer = transfer.next())
        {
            open.add(transfer);
        }
    }

    @Override
    public int progress(final TransportListener listener)
    {
        int workCount = 0;
        while (completable > 0 && !open.isEmpty())
        {
            completable--;
            listener.onTransferred(open.remove(0), status);
            workCount++;
        }
        return workCount;
    }

    @Override
    public void close()
    {
        isClosed = true;
    }
}
