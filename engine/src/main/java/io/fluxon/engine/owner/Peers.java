package io.fluxon.engine.owner;

import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.codecs.control.PeerUpdateDecoder;
import io.fluxon.engine.boundary.TransferQueue;

import java.util.ArrayList;

/**
 * The other owners, as the master lists them, told to the transport. A list replaces the one before; what the transport
 * does not take at once is told in a later duty cycle.
 */
final class Peers
{
    private final TransferQueue transfers;
    private final OwnerCounters counters;
    private final int ownOwnerId;
    private final ArrayList<Peer> peers = new ArrayList<>();
    private boolean isPending;
    private boolean hasRemoteCache;
    private long version;

    Peers(final TransferQueue transfers, final OwnerCounters counters, final int ownOwnerId)
    {
        this.transfers = transfers;
        this.counters = counters;
        this.ownOwnerId = ownOwnerId;
    }

    /**
     * One other owner's incarnation.
     */
    private static final class Peer
    {
        final int ownerId;
        final long generation;
        final long segmentLength;
        final String segmentPath;
        final String transferAddress;
        boolean isTold;
        boolean isListed = true;

        Peer(
            final int ownerId,
            final long generation,
            final long segmentLength,
            final String segmentPath,
            final String transferAddress)
        {
            this.ownerId = ownerId;
            this.generation = generation;
            this.segmentLength = segmentLength;
            this.segmentPath = segmentPath;
            this.transferAddress = transferAddress;
        }
    }

    /** Last list that is known, for the master to repeat a newer one. */
    long version()
    {
        return version;
    }

    /** Is there an owner that holds copies for others (contract REPL-3)? */
    boolean hasRemoteCache()
    {
        return hasRemoteCache;
    }

    /** A new session may list the same peers under any version. */
    void reset()
    {
        version = 0;
    }

    /** Takes a list; true when an owner is lost that was known. */
    boolean onUpdate(final PeerUpdateDecoder update)
    {
        if (update.peerVersion() < version)
        {
            return false;
        }

        for (int i = 0; i < peers.size(); i++)
        {
            peers.get(i).isListed = false;
        }
        hasRemoteCache = false;

        for (final PeerUpdateDecoder.PeersDecoder listed : update.peers())
        {
            final int ownerId = listed.ownerId();
            final long generation = listed.ownerGeneration();
            final boolean isRemote = OwnerRole.REMOTE_CACHE == listed.role();
            final long segmentLength = listed.segmentLength();
            final String path = listed.segmentPath();
            listed.skipName();
            listed.skipHostName();
            final String transferAddress = listed.transferAddress();
            if (ownOwnerId != ownerId)
            {
                hasRemoteCache |= isRemote;
                list(ownerId, generation, segmentLength, path, transferAddress);
            }
        }

        version = update.peerVersion();
        isPending = true;
        boolean isAnyLost = false;
        for (int i = 0; i < peers.size(); i++)
        {
            isAnyLost |= !peers.get(i).isListed;
        }
        doWork();

        return isAnyLost;
    }

    /** Tells the transport what it does not know yet; number of owners that it has heard of. */
    int doWork()
    {
        if (!isPending)
        {
            return 0;
        }

        isPending = false;
        int told = 0;
        for (int i = peers.size() - 1; i >= 0; i--)
        {
            final Peer peer = peers.get(i);
            if (!peer.isListed && (!peer.isTold || transfers.peerRemoved(peer.ownerId, peer.generation)))
            {
                peers.remove(i);
                told++;
            }
        }

        for (int i = 0; i < peers.size(); i++)
        {
            final Peer peer = peers.get(i);
            if (peer.isListed && !peer.isTold)
            {
                peer.isTold = transfers.peerAdded(
                    peer.ownerId, peer.generation, peer.segmentLength, peer.segmentPath, peer.transferAddress);
                told += peer.isTold ? 1 : 0;
            }
            isPending |= peer.isListed != peer.isTold;
        }
        counters.set(OwnerCounter.PEERS, peers.size());

        return told;
    }

    private void list(
        final int ownerId,
        final long generation,
        final long segmentLength,
        final String segmentPath,
        final String transferAddress)
    {
        for (int i = 0; i < peers.size(); i++)
        {
            final Peer peer = peers.get(i);
            if (ownerId == peer.ownerId && generation == peer.generation)
            {
                peer.isListed = true;
                return;
            }
        }

        peers.add(new Peer(ownerId, generation, segmentLength, segmentPath, transferAddress));
    }
}
