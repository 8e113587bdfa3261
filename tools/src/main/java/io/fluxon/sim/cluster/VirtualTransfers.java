package io.fluxon.sim.cluster;

import io.fluxon.engine.boundary.TransferListener;
import io.fluxon.engine.boundary.TransferQueue;
import io.fluxon.ipc.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Transfers between the segments of {@link VirtualMemory}: bytes are copied when the transfer ends, not when it is
 * asked for, so that a slot reused too early shows.
 */
public final class VirtualTransfers implements TransferQueue
{
    private final Queue<long[]> completions = new ArrayDeque<>();
    private final Set<String> peers = new HashSet<>();
    private final Set<Integer> heldPeers = new HashSet<>();
    private final List<Runnable> held = new ArrayList<>();
    private final DelayedWork work;
    private final Random random;
    private final VirtualMemory memory;
    private final WorkerFaults faults;
    private final UnsafeBuffer local;
    private int descriptors;
    private int inMotion;

    /**
     * Creates the queue of one owner.
     *
     * @param clock  of the run.
     * @param random of the run.
     * @param memory of the run.
     * @param local  segment of the owner.
     * @param faults of its transfers.
     */
    public VirtualTransfers(
        final NanoClock clock,
        final Random random,
        final VirtualMemory memory,
        final UnsafeBuffer local,
        final WorkerFaults faults)
    {
        this.work = new DelayedWork(clock, random);
        this.random = random;
        this.memory = memory;
        this.local = local;
        this.faults = faults;
    }

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
        if (inMotion + completions.size() >= faults.capacity || random.nextDouble() < faults.fullRate)
        {
            return false;
        }
        descriptors++;
        inMotion++;
        final Runnable transfer =
            () -> end(token, transfer(peerOwnerId, peerGeneration, remoteOffset, localOffset, (int)length));
        work.add(faults, () -> endUnlessHeld(peerOwnerId, transfer));
        return true;
    }

    @Override
    public int poll(final TransferListener listener, final int limit)
    {
        if (faults.held)
        {
            return 0;
        }
        work.run(limit);
        int count = 0;
        while (count < limit && !completions.isEmpty())
        {
            final long[] completion = completions.poll();
            listener.onTransferCompleted(completion[0], (int)completion[1]);
            count++;
        }
        return count;
    }

    @Override
    public boolean peerAdded(final int ownerId, final long generation, final long segmentLength, final String path)
    {
        peers.add(ownerId + "/" + generation);
        return true;
    }

    @Override
    public boolean peerRemoved(final int ownerId, final long generation)
    {
        peers.remove(ownerId + "/" + generation);
        return true;
    }

    /**
     * Keeps the transfers from one peer from ending, or lets them end.
     *
     * @param peerOwnerId of the peer.
     * @param isHeld      true to keep them.
     */
    public void hold(final int peerOwnerId, final boolean isHeld)
    {
        if (isHeld)
        {
            heldPeers.add(peerOwnerId);
        }
        else
        {
            heldPeers.remove(peerOwnerId);
            held.forEach(Runnable::run);
            held.clear();
        }
    }

    /**
     * Descriptors taken so far.
     *
     * @return their number.
     */
    public int descriptors()
    {
        return descriptors;
    }

    /**
     * Transfers that were taken and have not been completed.
     *
     * @return their number.
     */
    public int inMotion()
    {
        return inMotion;
    }

    /**
     * When the next transfer ends.
     *
     * @return nanoseconds, or {@link Long#MAX_VALUE} when none runs.
     */
    public long earliestNs()
    {
        return completions.isEmpty() ? work.earliestNs() : 0;
    }

    private void endUnlessHeld(final int peerOwnerId, final Runnable transfer)
    {
        if (heldPeers.contains(peerOwnerId))
        {
            held.add(transfer);
        }
        else
        {
            transfer.run();
        }
    }

    private void end(final long token, final int status)
    {
        inMotion--;
        completions.add(new long[]{token, status});
    }

    private int transfer(
        final int ownerId,
        final long generation,
        final long remoteOffset,
        final long localOffset,
        final int length)
    {
        final UnsafeBuffer remote = memory.segment(ownerId, generation);
        if (null == remote || !peers.contains(ownerId + "/" + generation) || random.nextDouble() < faults.failureRate)
        {
            return ErrorCode.TRANSPORT;
        }
        local.putBytes((int)localOffset, remote, (int)remoteOffset, length);
        if (random.nextDouble() < faults.tornRate)
        {
            final int at = (int)localOffset + random.nextInt(length);
            local.putByte(at, (byte)(local.getByte(at) ^ 0x40));
        }
        return ErrorCode.OK;
    }
}
