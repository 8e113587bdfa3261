package io.fluxon.engine.owner;

import io.fluxon.engine.memory.InvariantViolation;

import java.util.ArrayList;
import java.util.Arrays;

/**
 * Brings here what one read has asked for, and no other read before it: for each source owner one submission of
 * descriptors and one batch get done, and what does not come is revoked together (contract G8), whichever jobs lead the
 * flights. So what a read asks for waits for that read alone. It outlives the read (contract GET-5). Likewise what a
 * copy of a group needs, but one message confirms all of that, when all has arrived (contract REPL-1). Pooled.
 */
final class PullJob extends Job
{
    /**
     * Life of a pull job.
     */
    private enum State
    {
        /** In the pool. */
        FREE,
        /** Its read asks for flights. */
        COLLECTING,
        /** All are asked for. */
        COMPLETE
    }

    private static final int MIN_CAPACITY = 64;

    private final OwnerCore core;
    private final RevokeBatch revokes;
    private final ArrayList<PullPart> parts = new ArrayList<>();
    private final ArrayList<Flight> together = new ArrayList<>();
    private Flight[] flights = new Flight[MIN_CAPACITY];
    private int[] checksumQueue = new int[MIN_CAPACITY];
    private int count;
    private int live;
    private int offered;
    private int checksumHead;
    private int checksumTail;
    private int submissions;
    private int refusals;
    private boolean isInSteps;
    private ReplicaPull group;
    private State state = State.FREE;

    PullJob(final OwnerCore core)
    {
        this.core = core;
        revokes = new RevokeBatch(core);
    }

    /**
     * A read begins to ask for flights, so many at most.
     *
     * @param inSteps true when one step of the read, or of this job, may not be enough: descriptors are gathered then,
     *                until all of them are offered.
     */
    PullJob begin(final int maxFlights, final boolean inSteps)
    {
        if (flights.length < maxFlights)
        {
            flights = Arrays.copyOf(flights, maxFlights);
            checksumQueue = new int[maxFlights];
        }
        count = 0;
        live = 0;
        offered = 0;
        refusals = 0;
        checksumHead = 0;
        checksumTail = 0;
        isInSteps = inSteps;
        state = State.COLLECTING;

        return this;
    }

    /** What arrives is confirmed by one message, all or nothing, as long as the group wants it (contract REPL-1). */
    PullJob together(final ReplicaPull ofGroup)
    {
        group = ofGroup;

        return this;
    }

    /** The group has given up: what other reads want of it is confirmed as for a read. */
    void notTogether()
    {
        group = null;
        core.resume(this);
    }

    /** The payload of a flight is to move. */
    void add(final Flight flight)
    {
        flight.pull = this;
        flight.pullIndex = count;
        flight.part = part(flight.sourceOwnerId, flight.sourceGeneration);
        flight.part.moving++;
        flights[count++] = flight;
        live++;
        core.resume(this);
    }

    /** The read has asked for all. */
    void end()
    {
        state = State.COMPLETE;
        core.resume(this);
    }

    void requestChecksum(final Flight flight)
    {
        checksumQueue[checksumTail++] = flight.pullIndex;
        core.resume(this);
    }

    /** A transfer has not brought what is wanted: the get is ended with the others of its source (contract G8). */
    void revoke(final Flight flight)
    {
        flight.part.failed.add(flight.fetch.startOperationId(), flight.index, false);
    }

    /** A transfer has brought other bytes than the source published: likewise, and it is to look at them. */
    void revokeWrong(final Flight flight)
    {
        flight.part.failed.add(flight.fetch.startOperationId(), flight.index, true);
    }

    /** The payload of a flight does not move any more, or will not. */
    void onSettled(final Flight flight)
    {
        flight.part.moving--;
        core.resume(this);
    }

    void onFlightEnded(final Flight flight)
    {
        flights[flight.pullIndex] = null;
        live--;
        core.resume(this);
    }

    /** {@inheritDoc} */
    @Override
    boolean step(final long nowNs)
    {
        if (State.FREE == state)
        {
            return false;
        }

        final int before = offered + checksumHead;
        final boolean isMore = runTransfers() | runChecksums();
        final boolean hasMoved = before != offered + checksumHead;
        if (State.COMPLETE == state)
        {
            settle(nowNs);
        }

        if (!revokes.isEmpty() && !revokes.send())
        {
            return hasMoved || stalled();
        }

        if (0 == live + submissions && State.COMPLETE == state)
        {
            free();
            return false;
        }

        return isMore && (hasMoved || stalled());
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        throw new InvariantViolation(
            "pull job broke while " + state + " after " + offered + " of " + count + " flights: " + cause);
    }

    private PullPart part(final int ownerId, final long generation)
    {
        for (int i = 0, size = parts.size(); i < size; i++)
        {
            final PullPart part = parts.get(i);
            if (ownerId == part.ownerId && generation == part.generation)
            {
                return part;
            }
        }

        final PullPart part = core.flights.takePart(ownerId, generation);
        parts.add(part);

        return part;
    }

    private void settle(final long nowNs)
    {
        int moving = 0;
        int arrived = 0;
        for (int i = 0, size = parts.size(); i < size; i++)
        {
            final PullPart part = parts.get(i);
            moving += part.moving;
            arrived += part.arrived.size();
            if (0 == part.moving)
            {
                settle(part, nowNs);
            }
        }

        if (null != group && 0 == moving && arrived > 0 && arrived == live)
        {
            confirmTogether(nowNs);
        }
    }

    private void confirmTogether(final long nowNs)
    {
        group.onAppending(together);
        core.budget.charge(together.size());
        core.counters.add(OwnerCounter.REPLICA_PAGES_TRANSFERRED, together.size());
        for (int i = 0, size = parts.size(); i < size; i++)
        {
            parts.get(i).arrived.clear();
        }
        core.flights.takeDone().start(together, group, nowNs);
        together.clear();
    }

    private void settle(final PullPart part, final long nowNs)
    {
        if (null == group && !part.arrived.isEmpty())
        {
            core.flights.takeDone().start(part.arrived, null, nowNs);
            part.arrived.clear();
        }
        part.failed.moveTo(revokes);
    }

    /** Offers a slice of transfers; those that need several go out together (contract G8). */
    private boolean runTransfers()
    {
        final int end = Math.min(count, offered + core.settings.planSliceKeys());
        while (offered < end)
        {
            final Flight flight = flights[offered];
            if (null != flight && Flight.Phase.STARTED == flight.phase)
            {
                if (isInSteps && !beginSubmission(flight.part))
                {
                    core.counters.increment(OwnerCounter.QUEUE_FULL);
                    return true;
                }

                if (!offer(flight))
                {
                    refusals++;
                    core.counters.increment(OwnerCounter.QUEUE_FULL);
                    return true;
                }
                flight.isInMotion = true;
                core.counters.increment(OwnerCounter.DESCRIPTORS);
            }
            offered++;
            core.budget.charge(1);
        }

        return offered < count || State.COMPLETE == state && submissions > 0 && !endSubmissions();
    }

    private boolean offer(final Flight flight)
    {
        return core.context.transferQueue().offer(
            flight.flightId,
            flight.part.batchId,
            flight.part.ownerId,
            flight.part.generation,
            flight.sourceOffset,
            core.pool.offset(flight.slotId),
            flight.valueLength);
    }

    /** What was gathered may have gone when the queue was full: the rest is gathered anew. */
    private boolean beginSubmission(final PullPart part)
    {
        if (part.isGathering && refusals == part.refusals)
        {
            return true;
        }

        if (!core.context.transferQueue().gather(part.batchId, part.ownerId, part.generation))
        {
            return false;
        }

        submissions += part.isGathering ? 0 : 1;
        part.isGathering = true;
        part.refusals = refusals;

        return true;
    }

    /** Lets go what was gathered; false when the queue is full. */
    private boolean endSubmissions()
    {
        for (int i = 0, size = parts.size(); i < size; i++)
        {
            final PullPart part = parts.get(i);
            if (part.isGathering)
            {
                if (!core.context.transferQueue().submit(part.batchId, part.ownerId, part.generation))
                {
                    core.counters.increment(OwnerCounter.QUEUE_FULL);
                    return false;
                }
                part.isGathering = false;
                submissions--;
            }
        }

        return true;
    }

    private boolean runChecksums()
    {
        final int end = Math.min(checksumTail, checksumHead + core.settings.planSliceKeys());
        while (checksumHead < end)
        {
            final Flight flight = flights[checksumQueue[checksumHead]];
            if (!core.context.checksumQueue().offer(
                flight.flightId << OwnerCore.CHECKSUM_KIND_BITS | OwnerCore.CHECKSUM_OF_FLIGHT,
                core.pool.offset(flight.slotId),
                flight.valueLength))
            {
                core.counters.increment(OwnerCounter.QUEUE_FULL);
                return true;
            }
            checksumHead++;
            core.budget.charge(1);
        }

        return checksumHead < checksumTail;
    }

    private void free()
    {
        for (int i = 0, size = parts.size(); i < size; i++)
        {
            core.flights.free(parts.get(i));
        }
        parts.clear();
        if (null != group)
        {
            group.onPullEnded();
            group = null;
        }
        state = State.FREE;
        core.flights.free(this);
    }
}
