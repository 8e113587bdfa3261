package io.fluxon.sim.cluster;

import io.fluxon.engine.boundary.TransferListener;
import io.fluxon.engine.boundary.TransferQueue;
import io.fluxon.ipc.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Transfers between the segments of {@link VirtualMemory}: bytes are copied when the transfer ends, not when it is
 * asked for, so that a slot reused too early shows.
 */
public final class VirtualTransfers implements TransferQueue
{
    private static final int HALF_CHOICES = 4;

    private final Queue<long[]> completions = new ArrayDeque<>();
    private final Set<String> peers = new HashSet<>();
    private final Set<Integer> heldPeers = new HashSet<>();
    private final List<Runnable> held = new ArrayList<>();
    private final List<Target> targets = new ArrayList<>();
    private final DelayedWork hardware;
    private final VirtualOwner owner;
    private final NanoClock clock;
    private final WorkTimes times;
    private final Choices.Stream choices;
    private final Choices.Stream refusals;
    private final FaultTally tally;
    private final VirtualMemory memory;
    private final WorkerFaults faults;
    private final UnsafeBuffer local;
    private int descriptors;
    private int torn;

    /**
     * Where a transfer that has not ended writes.
     *
     * @param token  of the transfer.
     * @param offset of the value in the owner's segment.
     * @param length of the value.
     */
    public record Target(long token, long offset, long length)
    {
    }

    VirtualTransfers(final VirtualCluster cluster, final VirtualOwner owner, final WorkerFaults faults)
    {
        this.owner = owner;
        hardware = cluster.hardware();
        clock = cluster.clock();
        choices = cluster.choices().stream(owner.name() + ".transfers");
        refusals = cluster.choices().stream(owner.name() + ".transfers.refusals");
        times = new WorkTimes(cluster, owner.name() + ".transfers.times", faults, FaultKind.TRANSFER_DELAYED);
        tally = cluster.faults();
        memory = cluster.memory();
        local = owner.segment();
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
        if (targets.size() + completions.size() >= faults.capacity || times.isFull())
        {
            return false;
        }
        descriptors++;
        final Target target = new Target(token, localOffset, length);
        targets.add(target);
        final long endNs = times.endNs();
        final Transfer transfer = new Transfer(target, peerOwnerId, peerGeneration, remoteOffset);
        hardware.add(times.beforeNs(endNs), transfer::moveFirstHalf);
        hardware.add(endNs, () -> endUnlessHeld(peerOwnerId, transfer::end));
        return true;
    }

    @Override
    public int poll(final TransferListener listener, final int limit)
    {
        if (faults.held)
        {
            return 0;
        }
        releaseHeld();
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
    public boolean peerAdded(
        final int ownerId,
        final long generation,
        final long segmentLength,
        final String path,
        final String transferAddress)
    {
        if (isRefused())
        {
            return false;
        }
        peers.add(ownerId + "/" + generation);
        return true;
    }

    @Override
    public boolean peerRemoved(final int ownerId, final long generation)
    {
        if (isRefused())
        {
            return false;
        }
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
            releaseHeld();
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
     * Transfers that have ended with a wrong byte.
     *
     * @return their number.
     */
    public int torn()
    {
        return torn;
    }

    /**
     * Transfers that were taken and have not been completed.
     *
     * @return their number.
     */
    public int inMotion()
    {
        return targets.size();
    }

    /**
     * Where transfers that have not ended write.
     *
     * @return the places, in the order of their offers.
     */
    public List<Target> targets()
    {
        return targets;
    }

    /**
     * When the next completion can be taken.
     *
     * @return nanoseconds, or {@link Long#MAX_VALUE} when there is none yet.
     */
    public long earliestNs()
    {
        return completions.isEmpty() ? Long.MAX_VALUE : clock.nanoTime();
    }

    private void endUnlessHeld(final int peerOwnerId, final Runnable transfer)
    {
        if (faults.held || heldPeers.contains(peerOwnerId))
        {
            held.add(transfer);
        }
        else
        {
            transfer.run();
        }
    }

    private void releaseHeld()
    {
        if (heldPeers.isEmpty())
        {
            held.forEach(Runnable::run);
            held.clear();
        }
    }

    private boolean isRefused()
    {
        final boolean isRefused = refusals.chance(faults.fullRate);
        if (isRefused)
        {
            tally.count(FaultKind.QUEUE_FULL, owner);
        }
        return isRefused;
    }

    private boolean happens(final double rate, final FaultKind kind)
    {
        final boolean happens = choices.chance(rate);
        if (happens)
        {
            tally.count(kind, owner);
        }
        return happens;
    }

    /** One transfer: its bytes move in two halves, so that a slot reused too early at either end shows. */
    private final class Transfer
    {
        private final Target target;
        private final int peerOwnerId;
        private final long peerGeneration;
        private final int remoteOffset;
        private boolean isMoved = true;

        private Transfer(
            final Target target, final int peerOwnerId, final long peerGeneration, final long remoteOffset)
        {
            this.target = target;
            this.peerOwnerId = peerOwnerId;
            this.peerGeneration = peerGeneration;
            this.remoteOffset = (int)remoteOffset;
        }

        private void moveFirstHalf()
        {
            choices.align(HALF_CHOICES);
            isMoved = !happens(faults.failureRate, FaultKind.TRANSFER_FAILED);
            move(0, (int)target.length / 2);
        }

        private void end()
        {
            final int half = (int)target.length / 2;
            move(half, (int)target.length - half);
            choices.align(HALF_CHOICES);
            final boolean isTorn = happens(faults.tornRate, FaultKind.TRANSFER_TORN);
            final boolean isAnswerLost = happens(faults.answerLostRate, FaultKind.TRANSFER_ANSWER_LOST);
            if (isMoved && isTorn)
            {
                final int at = (int)target.offset + choices.below((int)target.length);
                local.putByte(at, (byte)(local.getByte(at) ^ 0x40));
                torn++;
            }
            targets.remove(target);
            final boolean isGood = isMoved && !isAnswerLost;
            completions.add(new long[]{target.token, isGood ? ErrorCode.OK : ErrorCode.TRANSPORT});
            owner.wake(clock.nanoTime());
        }

        private void move(final int from, final int length)
        {
            final UnsafeBuffer remote = memory.segment(peerOwnerId, peerGeneration);
            isMoved &= !owner.isDead() && null != remote && peers.contains(peerOwnerId + "/" + peerGeneration);
            if (isMoved)
            {
                local.putBytes((int)target.offset + from, remote, remoteOffset + from, length);
            }
        }
    }
}
