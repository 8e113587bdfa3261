package io.fluxon.sim.cluster;

import io.fluxon.engine.boundary.TransferListener;
import io.fluxon.engine.boundary.TransferQueue;
import io.fluxon.ipc.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Transfers between the segments of {@link VirtualMemory}: bytes are copied when the transfer ends, not when it is
 * asked for, so that a slot reused too early shows. The transfers from one peer share an endpoint: when that is reset,
 * all of them fail. A completion that is lost is waited for until the transport gives the endpoint up.
 */
public final class VirtualTransfers implements TransferQueue
{
    private static final int NO_BATCH = 0;
    private static final int HALF_CHOICES = 4;
    private static final int ENDPOINT_CHOICES = 2;
    /** An endpoint is given up after the time of a get, and the time that its values may take. */
    private static final int ENDPOINT_TIMEOUTS = 2;

    private final Queue<long[]> completions = new ArrayDeque<>();
    private final Set<String> peers = new HashSet<>();
    private final Set<Integer> heldPeers = new HashSet<>();
    private final List<Runnable> held = new ArrayList<>();
    private final Map<Batch, List<Transfer>> gathering = new LinkedHashMap<>();
    private final Map<Batch, Long> submissionOf = new HashMap<>();
    private final List<Offer> offers = new ArrayList<>();
    private final List<Target> targets = new ArrayList<>();
    private final List<Transfer> open = new ArrayList<>();
    private final DelayedWork hardware;
    private final VirtualOwner owner;
    private final NanoClock clock;
    private final WorkTimes times;
    private final Choices.Stream choices;
    private final Choices.Stream endpointChoices;
    private final long endpointTimeoutNs;
    private final Choices.Stream refusals;
    private final FaultTally tally;
    private final VirtualMemory memory;
    private final WorkerFaults faults;
    private final UnsafeBuffer local;
    private int descriptors;
    private int torn;
    private long lastSubmission;
    private int fullCount;

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

    /**
     * A descriptor that was taken.
     *
     * @param token          of the transfer.
     * @param peerOwnerId    owner that it comes from.
     * @param peerGeneration of that owner.
     * @param submission     number of the submission that it goes out in (contract G8).
     * @param fullCount      how often the queue was full before: what was gathered had to go then.
     */
    public record Offer(long token, int peerOwnerId, long peerGeneration, long submission, int fullCount)
    {
    }

    private record Batch(int number, int peerOwnerId, long peerGeneration)
    {
    }

    VirtualTransfers(final VirtualCluster cluster, final VirtualOwner owner, final WorkerFaults faults)
    {
        this.owner = owner;
        hardware = cluster.hardware();
        clock = cluster.clock();
        choices = cluster.choices().stream(owner.name() + ".transfers");
        endpointChoices = cluster.choices().stream(owner.name() + ".endpoints");
        endpointTimeoutNs = ENDPOINT_TIMEOUTS * cluster.options().ownerSettings.get().getTimeoutNs();
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
            // what is gathered fills the memory, and more of it cannot come
            gathering.values().forEach((gathered) -> gathered.forEach(this::begin));
            gathering.clear();
            fullCount++;
            return false;
        }
        descriptors++;
        final Target target = new Target(token, localOffset, length);
        targets.add(target);
        final Transfer transfer = new Transfer(target, peerOwnerId, peerGeneration, remoteOffset);
        open.add(transfer);
        final Batch gatheredBatch = new Batch(batch, peerOwnerId, peerGeneration);
        final List<Transfer> gathered = gathering.get(gatheredBatch);
        // of one duty cycle, what is not gathered goes out together, whatever batch it is of
        final Batch together = null == gathered ? new Batch(NO_BATCH, peerOwnerId, peerGeneration) : gatheredBatch;
        final long submission = submissionOf.computeIfAbsent(together, (key) -> ++lastSubmission);
        offers.add(new Offer(token, peerOwnerId, peerGeneration, submission, fullCount));
        if (null == gathered)
        {
            begin(transfer);
        }
        else
        {
            gathered.add(transfer);
        }
        return true;
    }

    @Override
    public boolean gather(final int batch, final int peerOwnerId, final long peerGeneration)
    {
        if (isRefused())
        {
            return false;
        }
        final Batch gathered = new Batch(batch, peerOwnerId, peerGeneration);
        if (null == gathering.putIfAbsent(gathered, new ArrayList<>()))
        {
            submissionOf.remove(gathered);
        }
        return true;
    }

    @Override
    public boolean submit(final int batch, final int peerOwnerId, final long peerGeneration)
    {
        if (isRefused())
        {
            return false;
        }
        final List<Transfer> gathered = gathering.remove(new Batch(batch, peerOwnerId, peerGeneration));
        if (null != gathered)
        {
            gathered.forEach(this::begin);
        }
        return true;
    }

    @Override
    public int poll(final TransferListener listener, final int limit)
    {
        offers.clear();
        submissionOf.keySet().removeIf((batch) -> !gathering.containsKey(batch));
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
     * Descriptors that the duty cycle which has just ended has offered.
     *
     * @return them, in the order of their offers.
     */
    public List<Offer> offers()
    {
        return offers;
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

    private void begin(final Transfer transfer)
    {
        final long endNs = times.endNs();
        hardware.add(times.beforeNs(endNs), transfer::moveFirstHalf);
        hardware.add(endNs, () -> endUnlessHeld(transfer.peerOwnerId, transfer::end));
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
        return counted(refusals.chance(faults.fullRate), FaultKind.QUEUE_FULL);
    }

    /** What is under way from a peer fails, and moves nothing more; later transfers go by a new endpoint. */
    private void resetEndpoint(final int peerOwnerId)
    {
        for (final Transfer transfer : List.copyOf(open))
        {
            if (peerOwnerId == transfer.peerOwnerId)
            {
                transfer.complete(ErrorCode.TRANSPORT);
            }
        }
    }

    private boolean counted(final boolean happens, final FaultKind kind)
    {
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
        private boolean isCompleted;

        private Transfer(
            final Target target, final int peerOwnerId, final long peerGeneration, final long remoteOffset)
        {
            this.target = target;
            this.peerOwnerId = peerOwnerId;
            this.peerGeneration = peerGeneration;
            this.remoteOffset = (int)remoteOffset;
        }

        /** Draws as much whether it is completed or not, so that a reset leaves the choices of others alone. */
        private void moveFirstHalf()
        {
            choices.align(HALF_CHOICES);
            endpointChoices.align(ENDPOINT_CHOICES);
            final boolean isFailed = choices.chance(faults.failureRate);
            final boolean isReset = endpointChoices.chance(faults.resetRate);
            if (!isCompleted)
            {
                isMoved = !counted(isFailed, FaultKind.TRANSFER_FAILED);
                move(0, (int)target.length / 2);
                if (counted(isReset, FaultKind.ENDPOINT_RESET))
                {
                    resetEndpoint(peerOwnerId);
                }
            }
        }

        private void end()
        {
            choices.align(HALF_CHOICES);
            endpointChoices.align(ENDPOINT_CHOICES);
            final boolean isTorn = choices.chance(faults.tornRate);
            final boolean isAnswerLost = choices.chance(faults.answerLostRate);
            final boolean isCompletionLost = endpointChoices.chance(faults.completionLostRate);
            if (isCompleted)
            {
                return;
            }
            final int half = (int)target.length / 2;
            move(half, (int)target.length - half);
            if (counted(isCompletionLost, FaultKind.COMPLETION_LOST))
            {
                hardware.add(clock.nanoTime() + endpointTimeoutNs, this::giveUp);
                return;
            }
            if (counted(isTorn, FaultKind.TRANSFER_TORN) && isMoved)
            {
                final int at = (int)target.offset + choices.below((int)target.length);
                local.putByte(at, (byte)(local.getByte(at) ^ 0x40));
                torn++;
            }
            final boolean isGood = !counted(isAnswerLost, FaultKind.TRANSFER_ANSWER_LOST) && isMoved;
            complete(isGood ? ErrorCode.OK : ErrorCode.TRANSPORT);
        }

        private void giveUp()
        {
            if (!isCompleted)
            {
                resetEndpoint(peerOwnerId);
            }
        }

        private void complete(final int status)
        {
            isCompleted = true;
            open.remove(this);
            targets.remove(target);
            completions.add(new long[]{target.token, status});
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
