package io.fluxon.engine.owner;

import io.fluxon.engine.memory.InvariantViolation;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.Limits;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The one running operation that brings a key here (contract G7). The {@link FetchJob} of the read that
 * leads it asks the master, the {@link PullJob} of the first read that wants its payload brings that here; reads have
 * interests in it. Pooled.
 */
final class Flight extends Job
{
    /**
     * Phases of a flight.
     */
    enum Phase
    {
        /** In the pool. */
        FREE,
        /** The master has not said whether there is a source: no hit. */
        STARTING,
        /** A source is leased: counts for the prefix, exposes no bytes. */
        STARTED,
        /** Its bytes are here and right; the master is told. */
        FINISHING,
        /** Readable; the flight has ended. */
        READY,
        /** Nobody wants it any more, and its bytes are still in motion. Cannot be joined. */
        REVOKING,
        /** Ended without a value. */
        FAILED
    }

    private final FlightService service;
    final UnsafeBuffer key = new UnsafeBuffer(new byte[Limits.MAX_KEY_BYTES]);
    int keyLength;
    long digestLow;
    long digestHigh;
    long flightId;
    Phase phase = Phase.FREE;
    FetchJob fetch;
    int index;
    ReplicaPull group;
    PullJob pull;
    PullPart part;
    int pullIndex;
    int slotId = SlotTable.NONE;
    FlightWaiter claimer;
    int parentSlot;
    long parentUse;
    boolean isBehindFlight;
    boolean isInMotion;
    int sourceOwnerId;
    long sourceGeneration;
    long sourceOffset;
    long valueLength;
    long checksum;
    int putOwnerId;
    long putGeneration;
    long putSequence;
    Interest interests;
    int interestCount;
    Interest nextToTell;
    Flight nextSameDigest;
    private String reason;

    Flight(final FlightService service)
    {
        this.service = service;
    }

    void start(
        final long id, final long low, final long high, final DirectBuffer source, final int offset, final int length)
    {
        flightId = id;
        digestLow = low;
        digestHigh = high;
        key.putBytes(0, source, offset, length);
        keyLength = length;
        slotId = SlotTable.NONE;
        parentSlot = SlotTable.NONE;
        isBehindFlight = false;
        claimer = null;
        isInMotion = false;
        group = null;
        pull = null;
        part = null;
        nextToTell = null;
        phase(Phase.STARTING, "leader");
    }

    boolean isKey(final long high, final DirectBuffer other, final int offset, final int length)
    {
        if (high != digestHigh || length != keyLength)
        {
            return false;
        }

        for (int i = 0; i < length; i++)
        {
            if (key.getByte(i) != other.getByte(offset + i))
            {
                return false;
            }
        }

        return true;
    }

    /** Has it ended, while not everybody may have been told? */
    boolean isOver()
    {
        return Phase.READY == phase || Phase.FAILED == phase;
    }

    void add(final Interest interest)
    {
        interest.flight = this;
        interest.previous = null;
        interest.next = interests;
        if (null != interests)
        {
            interests.previous = interest;
        }
        interests = interest;
        interestCount++;
    }

    void remove(final Interest interest)
    {
        if (nextToTell == interest)
        {
            nextToTell = interest.next;
        }

        if (null == interest.previous)
        {
            interests = interest.next;
        }
        else
        {
            interest.previous.next = interest.next;
        }

        if (null != interest.next)
        {
            interest.next.previous = interest.previous;
        }
        interest.previous = null;
        interest.next = null;
        interest.flight = null;
        interestCount--;
    }

    /** Tells further waiters (contract G10). */
    @Override
    boolean step(final long nowNs)
    {
        return service.tellFurther(this);
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        throw new InvariantViolation(this + " could not tell its waiters: " + cause);
    }

    void phase(final Phase next, final String why)
    {
        phase = next;
        reason = why;
    }

    /** {@inheritDoc} */
    @Override
    public String toString()
    {
        return "flight " + flightId + " " + phase + " after " + reason;
    }
}
