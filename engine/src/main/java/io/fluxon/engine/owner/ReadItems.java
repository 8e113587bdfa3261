package io.fluxon.engine.owner;

import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.KeyWalk;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

import java.util.Arrays;

/**
 * The keys of one read and what each has become: a holder of a value, an interest in a flight, or nothing. Every holder
 * and interest is given back exactly once.
 */
final class ReadItems
{
    /** The key has a holder, or an interest in a flight. */
    static final int FOUND = 0;
    /** The key has neither: it is a miss unless a flight is made for it. */
    static final int ABSENT = 1;
    /** An eviction has hidden the key's value: it is a miss unless it is waited for (contract GET-4). */
    static final int HIDDEN = 2;

    private static final byte NEW = 0;
    private static final byte HELD = 1;
    private static final byte STARTING = 2;
    private static final byte STARTED = 3;
    private static final byte MISS = 4;
    private static final byte RELEASED = 5;
    private static final byte ARRIVED = 6;
    private static final byte HIT = 7;
    private static final int NONE = -1;
    private static final int MIN_CAPACITY = 64;
    private static final int COUNT_OFFSET = 2;

    private final OwnerCore core;
    private final ExpandableArrayBuffer request = new ExpandableArrayBuffer(1024);
    private final GetStartRequestDecoder decoder = new GetStartRequestDecoder();
    private final KeyWalk keys = new KeyWalk();
    private int[] groupEnds = new int[MIN_CAPACITY];
    private byte[] kinds = new byte[MIN_CAPACITY];
    private int[] slots = new int[MIN_CAPACITY];
    private int touched = NONE;
    private Interest[] interests = new Interest[MIN_CAPACITY];
    private long[] digestLow = new long[MIN_CAPACITY];
    private long[] digestHigh = new long[MIN_CAPACITY];
    private int count;
    private int groupCount;
    private int held;
    private int starting;
    private int joined;
    private int firstFailure;

    ReadItems(final OwnerCore core)
    {
        this.core = core;
    }

    /**
     * Copies a request.
     *
     * @return false when its groups are not the keys' (contract API-1).
     */
    boolean read(final DirectBuffer message)
    {
        final int length = message.capacity();
        request.checkLimit(length);
        request.putBytes(0, message, 0, length);
        decoder.wrap(
            request,
            MasterOperation.BLOCK_OFFSET,
            GetStartRequestDecoder.BLOCK_LENGTH,
            GetStartRequestDecoder.SCHEMA_VERSION);
        held = 0;
        starting = 0;
        joined = 0;
        clearFailure();

        return readGroups();
    }

    int count()
    {
        return count;
    }

    KeyWalk keys()
    {
        return keys;
    }

    int held()
    {
        return held;
    }

    /** Keys whose flights have no answer of the master. */
    int starting()
    {
        return starting;
    }

    /** Keys that wait for flights. */
    int joined()
    {
        return joined;
    }

    int groupEnd(final int group)
    {
        return groupEnds[group];
    }

    boolean isGroupEnd(final int prefixLen)
    {
        return Arrays.binarySearch(groupEnds, 0, groupCount, prefixLen) >= 0;
    }

    /** Does the key count for the prefix? */
    boolean isHit(final int index)
    {
        return hasHolder(index) || STARTED == kinds[index];
    }

    /** Keys of a range with a holder or an interest, for inspection. */
    int used(final int from, final int to)
    {
        int used = 0;
        for (int i = from; i < to; i++)
        {
            used += hasHolder(i) || STARTING == kinds[i] || STARTED == kinds[i] ? 1 : 0;
        }

        return used;
    }

    /** Visits the holders of the read, for inspection. */
    void visitHeld(final long planId, final OwnerView.HolderVisitor visitor)
    {
        for (int i = 0; i < count; i++)
        {
            if (hasHolder(i))
            {
                visitor.onHolder(OwnerView.Holder.READ, planId, slots[i]);
            }
        }
    }

    /** Visits the flights that the read waits for, for inspection. */
    void visitInterests(
        final long planId, final boolean hasAsked, final InterestView.InterestVisitor visitor)
    {
        for (int i = 0; i < count; i++)
        {
            if (null != interests[i])
            {
                visitor.onInterest(OwnerView.Holder.READ, planId, hasAsked, interests[i].flight.flightId);
            }
        }
    }

    /** Flight that the key waits for, or null. */
    Flight flight(final int index)
    {
        final Interest interest = interests[index];

        return null == interest ? null : interest.flight;
    }

    void computeDigest(final int index)
    {
        core.digest.compute(keys.buffer(), keys.keyOffset(index), keys.keyLength(index));
        digestLow[index] = core.digest.low();
        digestHigh[index] = core.digest.high();
    }

    /**
     * Takes a holder of the key's value, or an interest in its flight (contract G1).
     *
     * @return {@link #FOUND}, {@link #ABSENT} or {@link #HIDDEN}.
     */
    int plan(final int index, final ReadPlan plan)
    {
        final long low = digestLow[index];
        final long high = digestHigh[index];
        final DirectBuffer buffer = keys.buffer();
        final int offset = keys.keyOffset(index);
        final int length = keys.keyLength(index);
        final int slotId = core.values.find(low, high, buffer, offset, length);
        if (LocalValues.NONE != slotId)
        {
            core.pool.holderAdd(slotId);
            hold(index, slotId, HELD);
            core.counters.increment(OwnerCounter.HITS_LOCAL);
            return FOUND;
        }

        final Flight flight = core.flights.find(low, high, buffer, offset, length);
        if (null != flight)
        {
            core.counters.increment(OwnerCounter.JOINS);
            join(index, flight, plan);
            return FOUND;
        }

        kinds[index] = MISS;

        return core.values.isHidden(low, high, buffer, offset, length) ? HIDDEN : ABSENT;
    }

    /** Nobody has the key's value, or it cannot be had now. */
    void miss(final int index)
    {
        kinds[index] = MISS;
        core.counters.increment(OwnerCounter.MISSES);
    }

    /**
     * A worker has got some keys: those that were here are hits (contract HOT-1). What comes next lies before them. The
     * worker may have given its pages back meanwhile, and slots have others now: these are passed over.
     */
    void touch(final int begin, final int end)
    {
        final int behind = NONE != touched && isStillHere(touched) ? slots[touched] : NONE;
        core.windows.beginRun();
        for (int i = end - 1; i >= begin; i--)
        {
            touched = HIT == kinds[i] ? i : touched;
        }
        for (int i = begin; i < end; i++)
        {
            if (HIT == kinds[i] && isStillHere(i))
            {
                core.windows.append(slots[i]);
            }
        }
        core.windows.touchRun(behind);
    }

    private boolean isStillHere(final int index)
    {
        return digestLow[index] == core.table.digestLow(slots[index]) &&
            digestHigh[index] == core.table.digestHigh(slots[index]);
    }

    /** Makes a flight for the key; the read is its first waiter. */
    void lead(final int index, final ReadPlan plan, final FetchJob fetch)
    {
        final Flight flight = core.flights.install(
            digestLow[index], digestHigh[index], keys.buffer(), keys.keyOffset(index), keys.keyLength(index));
        noteParent(index, flight, fetch);
        fetch.add(flight);
        join(index, flight, plan);
    }

    /** The key's flight has a source; does nothing when that is known. */
    void onStarted(final int index)
    {
        if (STARTING == kinds[index])
        {
            starting--;
            kinds[index] = STARTED;
            core.counters.increment(OwnerCounter.HITS_REMOTE);
        }
    }

    void onFailed(final int index)
    {
        leftFlight(index);
        kinds[index] = MISS;
        firstFailure = Math.min(firstFailure, index);
        core.counters.increment(OwnerCounter.MISSES);
    }

    /** The key's flight, for which another claims, is waited for no longer: for this read it has failed. */
    boolean leave(final int index)
    {
        final Interest interest = interests[index];
        onFailed(index);
        core.flights.leave(interest);
        core.counters.increment(OwnerCounter.PREFIXES_CUT);

        return true;
    }

    void onReady(final int index, final int slotId)
    {
        onStarted(index);
        leftFlight(index);
        hold(index, slotId, ARRIVED);
    }

    /** Has a key of the prefix lost its flight since {@link #clearFailure()}? */
    boolean hasFailure(final int prefixLen)
    {
        return firstFailure < prefixLen;
    }

    void clearFailure()
    {
        firstFailure = Integer.MAX_VALUE;
    }

    /** What a wait for the prefix waits for. */
    Stage waitStage(final int prefixLen)
    {
        for (int i = 0; i < prefixLen; i++)
        {
            final Flight flight = flight(i);
            if (null != flight && Flight.Phase.STARTED == flight.phase)
            {
                return Stage.TRANSFER;
            }
        }

        return Stage.GET_DONE;
    }

    /**
     * Gives back what the key has.
     *
     * @return true when it had something.
     */
    boolean release(final int index)
    {
        final byte kind = kinds[index];
        final boolean hasHolder = hasHolder(index);
        if (hasHolder)
        {
            held--;
            core.pool.holderRelease(slots[index]);
        }
        else if (STARTING == kind || STARTED == kind)
        {
            final Interest interest = interests[index];
            leftFlight(index);
            core.flights.leave(interest);
        }
        kinds[index] = RELEASED;
        slots[index] = SlotTable.NONE;

        return hasHolder || STARTING == kind || STARTED == kind;
    }

    /** Hands the key's holder on; it is no longer the read's. */
    int exportSlot(final int index)
    {
        final int slotId = slots[index];
        held--;
        kinds[index] = HELD == kinds[index] ? HIT : RELEASED;

        return slotId;
    }

    void reset()
    {
        touched = NONE;
        keys.reset();
        count = 0;
    }

    /** Which page the flight's lies behind, for the order of the hot window. */
    private void noteParent(final int index, final Flight flight, final FetchJob fetch)
    {
        if (index > 0 && hasHolder(index - 1))
        {
            flight.parentSlot = slots[index - 1];
            flight.parentUse = core.table.useCounter(slots[index - 1]);
        }
        flight.isBehindFlight =
            index > 0 && null != interests[index - 1] && fetch == interests[index - 1].flight.fetch;
    }

    private boolean hasHolder(final int index)
    {
        return HELD == kinds[index] || ARRIVED == kinds[index];
    }

    private void hold(final int index, final int slotId, final byte kind)
    {
        kinds[index] = kind;
        slots[index] = slotId;
        held++;
    }

    private void join(final int index, final Flight flight, final ReadPlan plan)
    {
        interests[index] = core.flights.join(flight, plan, index);
        joined++;
        if (Flight.Phase.STARTING == flight.phase)
        {
            kinds[index] = STARTING;
            starting++;
        }
        else
        {
            kinds[index] = STARTED;
            core.counters.increment(OwnerCounter.HITS_REMOTE);
        }
    }

    private void leftFlight(final int index)
    {
        interests[index] = null;
        joined--;
        if (STARTING == kinds[index])
        {
            starting--;
        }
    }

    private boolean readGroups()
    {
        final GetStartRequestDecoder.AtomicGroupsDecoder groups = decoder.atomicGroups();
        groupCount = groups.count();
        ensureGroups(Math.max(1, groupCount));
        long total = 0;
        boolean isValid = true;
        for (int i = 0; i < groupCount; i++)
        {
            final int keyCount = groups.next().keyCount();
            isValid &= keyCount > 0;
            total += Math.max(0, keyCount);
            groupEnds[i] = (int)Math.min(total, Integer.MAX_VALUE);
        }

        count = request.getShort(decoder.limit() + COUNT_OFFSET, GetStartRequestDecoder.BYTE_ORDER) & 0xFFFF;
        keys.wrap(request, decoder.limit());
        ensureItems(count);
        if (0 == groupCount)
        {
            groupCount = 1;
            groupEnds[0] = count;
            return true;
        }

        return isValid && total == count;
    }

    private void ensureGroups(final int capacity)
    {
        if (groupEnds.length < capacity)
        {
            groupEnds = new int[capacity];
        }
    }

    private void ensureItems(final int capacity)
    {
        if (kinds.length < capacity)
        {
            kinds = new byte[capacity];
            slots = new int[capacity];
            interests = new Interest[capacity];
            digestLow = new long[capacity];
            digestHigh = new long[capacity];
        }
        Arrays.fill(kinds, 0, capacity, NEW);
    }
}
