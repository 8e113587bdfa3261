package io.fluxon.engine.transfer;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.segment.SegmentFile;
import org.agrona.ErrorHandler;
import org.agrona.collections.Int2ObjectHashMap;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;

/**
 * Transport between owners of one host: maps the segments of its peers read-only and copies. A duty cycle copies at
 * most {@value #STEP_BYTES} bytes, in pieces of at most {@value #PIECE_BYTES}, one submission after the other in turn,
 * so a long value neither holds up the thread nor the values of another peer.
 * <p>
 * A peer is mapped when the first submission for it comes; one that cannot be mapped fails that submission, and the
 * next one tries again.
 */
public final class LoopbackTransport implements Transport
{
    /** Bytes that one call of {@link #progress} copies at most. */
    static final int STEP_BYTES = 4 * 1024 * 1024;

    /** Bytes that are copied at most before another submission has its turn. */
    static final int PIECE_BYTES = 512 * 1024;

    /** What a transfer counts against the step at least. */
    private static final int LEAST_COST_BYTES = 4096;

    private final MemorySegment segment;
    private final long grantsOffset;
    private final ErrorHandler errorHandler;
    private final Int2ObjectHashMap<LoopbackPeer> peers = new Int2ObjectHashMap<>();
    private final ArrayList<LoopbackWork> active = new ArrayList<>();
    private final ArrayList<LoopbackWork> pool = new ArrayList<>();
    private int turn;

    /**
     * A transport into one segment.
     *
     * @param segment      the own segment file, whole: local offsets are offsets in it.
     * @param grantsOffset of the first byte in it that a transfer may write to.
     * @param errorHandler that is told why a peer could not be mapped.
     */
    public LoopbackTransport(final MemorySegment segment, final long grantsOffset, final ErrorHandler errorHandler)
    {
        this.segment = segment;
        this.grantsOffset = grantsOffset;
        this.errorHandler = errorHandler;
    }

    @Override
    public void onPeerAdded(
        final int ownerId,
        final long generation,
        final long segmentLength,
        final String segmentPath,
        final String transferAddress)
    {
        final LoopbackPeer peer = peers.get(ownerId);
        if (null != peer && peer.generation() >= generation)
        {
            return;
        }
        if (null != peer)
        {
            lose(peer);
        }
        peers.put(ownerId, new LoopbackPeer(generation, segmentPath));
    }

    /**
     * Is this incarnation of a peer on this host? Its segment is mapped then.
     *
     * @param ownerId    of the peer.
     * @param generation of the peer.
     * @return true when it can be read here.
     */
    boolean isHere(final int ownerId, final long generation)
    {
        final LoopbackPeer peer = peers.get(ownerId);
        return null != peer && peer.generation() == generation && null == tryMap(peer) &&
            ownerId == peer.mapping().ownerId();
    }

    @Override
    public void onPeerRemoved(final int ownerId, final long generation)
    {
        final LoopbackPeer peer = peers.get(ownerId);
        if (null != peer && peer.generation() == generation)
        {
            peers.remove(ownerId);
            lose(peer);
        }
    }

    @Override
    public void submit(final Submission submission)
    {
        final LoopbackPeer peer = peers.get(submission.peerOwnerId());
        final boolean isReachable =
            null != peer && peer.generation() == submission.peerGeneration() && map(peer);
        final LoopbackWork work = pool.isEmpty() ? new LoopbackWork() : pool.remove(pool.size() - 1);
        work.init(submission.first(), isReachable ? peer : null);
        active.add(work);
    }

    @Override
    public int progress(final TransportListener listener)
    {
        int workCount = 0;
        long budget = STEP_BYTES;
        while (budget > 0 && !active.isEmpty())
        {
            turn = turn < active.size() ? turn : 0;
            final LoopbackWork work = active.get(turn);
            budget -= Math.max(LEAST_COST_BYTES, step(work, listener));
            workCount++;
            if (null == work.transfer)
            {
                recycle(work);
            }
            else
            {
                turn++;
            }
        }
        return workCount;
    }

    @Override
    public void close()
    {
        active.clear();
        for (final LoopbackPeer peer : peers.values())
        {
            peer.close();
        }
        peers.clear();
    }

    private boolean map(final LoopbackPeer peer)
    {
        final RuntimeException problem = tryMap(peer);
        if (null != problem)
        {
            // whatever is wrong with one peer, a path that is none included, the others go on
            errorHandler.onError(problem);
        }
        return null == problem;
    }

    private static RuntimeException tryMap(final LoopbackPeer peer)
    {
        try
        {
            if (null == peer.mapping())
            {
                peer.map(SegmentFile.mapForPeer(Path.of(peer.path()), peer.generation()));
            }
            return null;
        }
        catch (final RuntimeException ex)
        {
            return ex;
        }
    }

    private void lose(final LoopbackPeer peer)
    {
        for (int i = 0, size = active.size(); i < size; i++)
        {
            final LoopbackWork work = active.get(i);
            work.peer = work.peer == peer ? null : work.peer;
        }
        peer.close();
    }

    private long step(final LoopbackWork work, final TransportListener listener)
    {
        final Transfer transfer = work.transfer;
        final int status = 0 == transfer.moved() ? check(work) : null == work.peer ? ErrorCode.TRANSPORT : 0;
        if (0 != status)
        {
            work.transfer = transfer.next();
            listener.onTransferred(transfer, status);
            return 0;
        }

        final long length = Math.min(PIECE_BYTES, transfer.length() - transfer.moved());
        final boolean isCopied = copy(work.peer, transfer, length);
        transfer.addMoved(length);
        if (!isCopied || transfer.moved() == transfer.length())
        {
            work.transfer = transfer.next();
            listener.onTransferred(transfer, isCopied ? 0 : ErrorCode.TRANSPORT);
        }
        return length;
    }

    private int check(final LoopbackWork work)
    {
        if (null == work.peer)
        {
            return ErrorCode.TRANSPORT;
        }

        final Transfer transfer = work.transfer;
        final long length = transfer.length();
        final boolean isLocal = length > 0 && transfer.localOffset() >= grantsOffset &&
            transfer.localOffset() <= segment.byteSize() - length;
        return isLocal && work.peer.mapping().contains(transfer.remoteOffset(), length) ?
            0 : ErrorCode.INVALID_ARGUMENT;
    }

    private boolean copy(final LoopbackPeer peer, final Transfer transfer, final long length)
    {
        try
        {
            MemorySegment.copy(
                peer.mapping().memory(),
                transfer.remoteOffset() - peer.mapping().mapOffset() + transfer.moved(),
                segment,
                transfer.localOffset() + transfer.moved(),
                length);
            // a fault is thrown at the next return from native code at the latest: it must not be later than here
            Thread.yield();
            return true;
        }
        catch (final InternalError ex)
        {
            // how the runtime tells that a mapped file has become shorter under its reader
            errorHandler.onError(ex);
            return false;
        }
    }

    private void recycle(final LoopbackWork work)
    {
        active.remove(turn);
        work.peer = null;
        pool.add(work);
    }
}
