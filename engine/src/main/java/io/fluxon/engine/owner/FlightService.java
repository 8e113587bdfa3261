package io.fluxon.engine.owner;

import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;

import java.util.function.Consumer;

/**
 * The flights of this owner: who may join which, what happens when interests go, and how a flight ends (contract G3,
 * G6, G7). Every waiter sees the same end.
 */
final class FlightService
{
    private final OwnerCore core;
    private final OwnerCounters counters;
    private final FlightMap joinable = new FlightMap();
    private final Long2ObjectHashMap<Flight> byId = new Long2ObjectHashMap<>();
    private final Pool<Flight> flights = new Pool<>(() -> new Flight(this));
    private final Pool<Interest> interests = new Pool<>(Interest::new);
    private final Pool<FetchPart> parts = new Pool<>(FetchPart::new);
    private final Pool<FetchJob> fetches;
    private final Pool<DoneBatch> dones;
    private final Pool<MasterOperation> revokes;
    private final RevokeListener revokeListener;
    private final StartWindow starts;
    private int slotsHeld;
    private int lastBatchId;

    FlightService(final OwnerCore core)
    {
        this.core = core;
        counters = core.counters;
        fetches = new Pool<>(() -> new FetchJob(core));
        dones = new Pool<>(() -> new DoneBatch(core));
        revokes = new Pool<>(() -> new MasterOperation(core.master));
        revokeListener = new RevokeListener(core);
        starts = new StartWindow(core);
    }

    /** Which leaders ask the master together (contract G9). */
    StartWindow starts()
    {
        return starts;
    }

    /** Flight of a key that can be joined, or null. */
    Flight find(final long low, final long high, final DirectBuffer key, final int offset, final int length)
    {
        return joinable.find(low, high, key, offset, length);
    }

    /** Installs a flight at once, before the master is asked (contract G2). */
    Flight install(final long low, final long high, final DirectBuffer key, final int offset, final int length)
    {
        final Flight flight = flights.take();
        flight.start(core.nextId(), low, high, key, offset, length);
        joinable.add(flight);
        byId.put(flight.flightId, flight);
        counters.opened(OwnerCounter.FLIGHTS, OwnerCounter.FLIGHTS_STARTED);

        return flight;
    }

    /** A read or pull takes a share in a flight. */
    Interest join(final Flight flight, final FlightWaiter waiter, final int index)
    {
        final Interest interest = interests.take();
        interest.waiter = waiter;
        interest.index = index;
        flight.add(interest);

        return interest;
    }

    /** A read gives its share up; a flight that nobody wants is revoked, unless it is about to be ready. */
    void leave(final Interest interest)
    {
        final Flight flight = interest.flight;
        flight.remove(interest);
        if (interest.waiter == flight.claimer)
        {
            flight.claimer = null;
            tellChange(flight);
        }
        free(interest);

        if (0 == flight.interestCount && Flight.Phase.STARTED == flight.phase)
        {
            revoke(flight);
        }
    }

    /** A slot for the flight's value is there; it is the flight's now. */
    void onSlot(final Flight flight, final int slotId)
    {
        final SlotTable table = core.table;
        table.key(slotId, flight.digestLow, flight.digestHigh, flight.key, 0, flight.keyLength);
        table.valueLength(slotId, flight.valueLength);
        table.putId(slotId, flight.putOwnerId, flight.putGeneration, flight.putSequence);
        table.checksum(slotId, flight.checksum);
        core.pool.advance(slotId, SlotState.PENDING);
        flight.slotId = slotId;
        flight.claimer = null;
        slotsHeld++;
        tellChange(flight);
    }

    /** No slot came free for the flight: it ends, and is revoked at the master. */
    void onNoSlot(final Flight flight)
    {
        flight.claimer = null;
        flight.fetch.revokeAtMaster(flight);
        fail(flight, "no slot");
    }

    /** The payload is to move, since the read's prefix is final; false when it was to before, or needs not. */
    boolean requestTransfer(final Flight flight)
    {
        final boolean isNew = !flight.isTransferRequested && Flight.Phase.STARTED == flight.phase;
        if (isNew)
        {
            flight.isTransferRequested = true;
            flight.fetch.requestTransfer(flight);
        }

        return isNew;
    }

    /** A transfer has ended. */
    void onTransfer(final long flightId, final int status)
    {
        final Flight flight = byId.get(flightId);
        if (null == flight)
        {
            return;
        }

        if (ErrorCode.OK != status)
        {
            counters.increment(OwnerCounter.TRANSFERS_FAILED);
            flight.isInMotion = false;
            flight.fetch.revokeWithPart(flight);
            settleMotion(flight);
            fail(flight, "transfer failed");
        }
        else if (Flight.Phase.REVOKING == flight.phase)
        {
            endRevoking(flight);
        }
        else
        {
            flight.fetch.requestChecksum(flight);
        }
    }

    /** The checksum of what has arrived is known (contract CRC-1). */
    void onChecksum(final long flightId, final long checksum)
    {
        final Flight flight = byId.get(flightId);
        if (null == flight)
        {
            return;
        }

        if (Flight.Phase.REVOKING == flight.phase)
        {
            endRevoking(flight);
            return;
        }

        flight.isInMotion = false;
        if ((int)checksum != (int)flight.checksum)
        {
            counters.increment(OwnerCounter.CHECKSUM_MISMATCHES);
            flight.fetch.revokeWrong(flight);
            settleMotion(flight);
            fail(flight, "checksum mismatch");
            return;
        }

        counters.increment(OwnerCounter.TRANSFERS_OK);
        counters.add(OwnerCounter.TRANSFER_BYTES, flight.valueLength);
        final int local = core.values.findSameKey(flight.slotId);
        if (LocalValues.NONE != local)
        {
            flight.fetch.revokeWithPart(flight);
            settleMotion(flight);
            ready(flight, local);
        }
        else
        {
            flight.phase(Flight.Phase.FINISHING, "bytes are right");
            flight.part.arrived.add(flight);
            settleMotion(flight);
        }
    }

    /**
     * The master has answered a flight's get done (contract T2).
     *
     * @param code 0, 123 or 124.
     */
    void onDone(
        final Flight flight, final int code, final int putOwnerId, final long putGeneration, final long putSequence)
    {
        if (ErrorCode.OK == code)
        {
            core.table.putId(flight.slotId, putOwnerId, putGeneration, putSequence);
            commit(flight);
            return;
        }

        final int local = ErrorCode.KEY_ALREADY_EXISTS == code ?
            core.values.findSameKey(flight.slotId) : LocalValues.NONE;
        if (LocalValues.NONE != local)
        {
            ready(flight, local);
        }
        else
        {
            fail(flight, "stale");
        }
    }

    /** Ends a flight without a value; its waiters have a miss. */
    void fail(final Flight flight, final String why)
    {
        releaseSlot(flight);
        counters.increment(OwnerCounter.FLIGHTS_FAILED);
        end(flight, Flight.Phase.FAILED, why);
    }

    /** The master leases a source for the flight. */
    void onSource(final Flight flight)
    {
        if (0 == flight.interestCount)
        {
            revoke(flight);
            return;
        }

        flight.phase(Flight.Phase.STARTED, "source leased");
        tellChange(flight);
    }

    /** The flight has a source, or a slot, or nobody claims that any more: reads that waited for that go on. */
    void tellChange(final Flight flight)
    {
        flight.nextToTell = flight.interests;
        if (!tell(flight, core.budget.remaining()))
        {
            core.resume(flight);
        }
    }

    /** Tells a slice of those who do not know what has become of a flight; true when some are left. */
    boolean tellFurther(final Flight flight)
    {
        return !tell(flight, core.settings.planSliceKeys());
    }

    FetchJob takeFetch()
    {
        return fetches.take();
    }

    void free(final FetchJob fetch)
    {
        fetches.giveBack(fetch);
    }

    DoneBatch takeDone()
    {
        return dones.take();
    }

    void free(final DoneBatch done)
    {
        dones.giveBack(done);
    }

    FetchPart takePart(final int ownerId, final long generation)
    {
        final FetchPart part = parts.take();
        part.start(ownerId, generation, ++lastBatchId);

        return part;
    }

    void free(final FetchPart part)
    {
        parts.giveBack(part);
    }

    MasterOperation takeRevoke()
    {
        final MasterOperation operation = revokes.take();
        operation.listener = revokeListener;
        operation.sent = OwnerCounter.BATCH_GET_REVOKES;
        operation.hasWatermark = true;

        return operation;
    }

    void free(final MasterOperation operation)
    {
        revokes.giveBack(operation);
    }

    /** Holders of all flights, for audits. */
    long slotsHeld()
    {
        return slotsHeld;
    }

    /** Visits the flights that have not ended, for inspection. */
    void forEachRunning(final Consumer<Flight> consumer)
    {
        byId.forEachLong((id, flight) -> consumer.accept(flight));
    }

    /** Would a read of its key find exactly this flight? For inspection. */
    boolean isJoinable(final Flight flight)
    {
        return flight == joinable.find(
            flight.digestLow, flight.digestHigh, flight.key, 0, flight.keyLength);
    }

    private void commit(final Flight flight)
    {
        final int slotId = flight.slotId;
        final int other = core.values.commit(slotId);
        if (LocalValues.NONE != other)
        {
            inherit(other, slotId);
            core.values.retire(other);
            core.values.commit(slotId);
        }
        slotsHeld--;
        flight.slotId = SlotTable.NONE;
        ready(flight, slotId);
    }

    /** The value goes with what the one has gone with in whose place it comes (contract EVICT-1). */
    private void inherit(final int other, final int slotId)
    {
        if (other != core.rings.next(other))
        {
            core.rings.joinGroup(other, slotId);
        }
    }

    private void ready(final Flight flight, final int backing)
    {
        core.pool.holderAdd(backing);
        releaseSlot(flight);
        flight.slotId = backing;
        slotsHeld++;
        counters.increment(OwnerCounter.FLIGHTS_READY);
        end(flight, Flight.Phase.READY, "readable");
    }

    /** From here nobody can join; the flight is free when all its waiters have been told. */
    private void end(final Flight flight, final Flight.Phase phase, final String why)
    {
        joinable.remove(flight);
        byId.remove(flight.flightId);
        flight.phase(phase, why);
        if (!tell(flight, core.budget.remaining()))
        {
            core.resume(flight);
        }
    }

    /** Tells waiters what has become of their flight; false when more than the limit are to be told. */
    private boolean tell(final Flight flight, final int limit)
    {
        if (flight.isOver())
        {
            return tellEnd(flight, limit);
        }

        int told = 0;
        while (null != flight.nextToTell && told < limit)
        {
            final Interest interest = flight.nextToTell;
            flight.nextToTell = interest.next;
            interest.waiter.onFlightChanged(interest.index);
            told++;
        }
        core.budget.charge(told);

        return null == flight.nextToTell;
    }

    private boolean tellEnd(final Flight flight, final int limit)
    {
        int told = 0;
        while (null != flight.interests && told < limit)
        {
            final Interest interest = flight.interests;
            final FlightWaiter waiter = interest.waiter;
            final int index = interest.index;
            flight.remove(interest);
            free(interest);
            if (Flight.Phase.READY == flight.phase)
            {
                core.pool.holderAdd(flight.slotId);
                waiter.onFlightReady(index, flight.slotId);
            }
            else
            {
                waiter.onFlightFailed(index);
            }
            told++;
        }
        core.budget.charge(told);
        if (null != flight.interests)
        {
            return false;
        }

        releaseSlot(flight);
        free(flight);

        return true;
    }

    private void revoke(final Flight flight)
    {
        joinable.remove(flight);
        if (flight.isInMotion)
        {
            flight.phase(Flight.Phase.REVOKING, "nobody wants it");
            return;
        }

        flight.fetch.revokeAtMaster(flight);
        if (flight.isTransferRequested)
        {
            settleMotion(flight);
        }
        fail(flight, "nobody wants it");
    }

    private void endRevoking(final Flight flight)
    {
        flight.isInMotion = false;
        flight.fetch.revokeWithPart(flight);
        settleMotion(flight);
        fail(flight, "revoked");
    }

    private void settleMotion(final Flight flight)
    {
        flight.part.moving--;
        core.resume(flight.fetch);
    }

    private void releaseSlot(final Flight flight)
    {
        if (SlotTable.NONE != flight.slotId)
        {
            core.pool.holderRelease(flight.slotId);
            flight.slotId = SlotTable.NONE;
            slotsHeld--;
        }
    }

    private void free(final Flight flight)
    {
        counters.add(OwnerCounter.FLIGHTS, -1);
        final FetchJob fetch = flight.fetch;
        fetch.onFlightEnded(flight);
        flight.fetch = null;
        flight.part = null;
        flight.claimer = null;
        flight.phase(Flight.Phase.FREE, "ended");
        flights.giveBack(flight);
    }

    private void free(final Interest interest)
    {
        interest.waiter = null;
        interests.giveBack(interest);
    }
}
