package io.fluxon.engine.memory;

import io.fluxon.engine.index.ChainStore;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import static io.fluxon.engine.memory.SlotRecordDescriptor.CHAIN_COMMITTED_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.CHAIN_LOCAL_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.CHECKSUM_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.COHORT_DIGEST_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.COHORT_ID_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.COHORT_NEXT_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.COHORT_PREVIOUS_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.COHORT_RANK_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.COHORT_SIZE_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.DIGEST_HIGH_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.DIGEST_LOW_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.BATCH_INDEX_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.EVICTION_INDEX_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.EVICTION_JOB_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.GROUP_ID_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.GROUP_LENGTH_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.HOLDER_COUNT_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.KEY_LENGTH_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.KEY_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.MAX_KEY_LENGTH;
import static io.fluxon.engine.memory.SlotRecordDescriptor.NEXT_FREE_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.NEXT_PUT_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.JOB_ID_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.PUT_GENERATION_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.PUT_OWNER_ID_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.PUT_SEQUENCE_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.QUARANTINED_FROM_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.RECORD_LENGTH;
import static io.fluxon.engine.memory.SlotRecordDescriptor.RESERVED_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.RESIDENCE_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.ROUTE_LIVE_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.SESSION_ID_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.SLOT_SIZE_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.STATE_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.USE_COUNTER_OFFSET;
import static io.fluxon.engine.memory.SlotRecordDescriptor.VALUE_LENGTH_OFFSET;

/**
 * Typed view of the records of all slots that the configured grants can ever hold, in native memory that is given in. A
 * record is addressed by its slot id, a dense number: {@code grant id * maxSlotsPerGrant + index in the grant}. Records
 * that were never used cost no memory where that is sparse.
 * <p>
 * It is the truth about slots; indexes can be rebuilt from it. State, holders, route and use counter are changed by
 * {@link SlotPool} only; the other fields belong to the owner core. Confined to one thread; allocates nothing.
 */
public final class SlotTable
{
    /** No slot. */
    public static final int NONE = -1;

    private final MemorySegment memory;
    private final long address;
    private final UnsafeBuffer keyView = new UnsafeBuffer(0, 0);
    private final ChainStore localChain = new SlotChain(CHAIN_LOCAL_OFFSET);
    private final ChainStore committedChain = new SlotChain(CHAIN_COMMITTED_OFFSET);
    private final int maxSlotsPerGrant;
    private final int capacity;

    /**
     * A table over memory that is zeroed.
     *
     * @param memory            native, aligned to 8 bytes, at least {@link #requiredLength} bytes, zeroed.
     * @param grantCount        number of grants of the segment.
     * @param grantQuantumBytes length of a grant.
     */
    public SlotTable(final MemorySegment memory, final int grantCount, final long grantQuantumBytes)
    {
        final long requiredLength = requiredLength(grantCount, grantQuantumBytes);
        if (!memory.isNative() || memory.byteSize() < requiredLength || 0 != (memory.address() & 7))
        {
            throw new IllegalArgumentException("slot table memory: needs " + requiredLength +
                " B of native memory aligned to 8 B, is " + memory);
        }

        this.memory = memory;
        address = memory.address();
        maxSlotsPerGrant = CapacityPlan.maxSlotsPerGrant(grantQuantumBytes);
        capacity = grantCount * maxSlotsPerGrant;
    }

    /**
     * Length of the memory that a table needs.
     *
     * @param grantCount        number of grants of the segment.
     * @param grantQuantumBytes length of a grant.
     * @return length in bytes.
     * @throws IllegalArgumentException when there would be more slots than slot ids.
     */
    public static long requiredLength(final int grantCount, final long grantQuantumBytes)
    {
        return CapacityPlan.maxSlots(grantCount, grantQuantumBytes) * RECORD_LENGTH;
    }

    /**
     * Number of slot ids.
     *
     * @return slot ids are 0 to capacity - 1.
     */
    public int capacity()
    {
        return capacity;
    }

    /**
     * Distance of the first slot ids of two neighbouring grants.
     *
     * @return most slots that a grant can have.
     */
    public int maxSlotsPerGrant()
    {
        return maxSlotsPerGrant;
    }

    /**
     * Grant of a slot.
     *
     * @param slotId of the slot.
     * @return grant id, from 0.
     */
    public int grantId(final int slotId)
    {
        return slotId / maxSlotsPerGrant;
    }

    /**
     * Index of a slot within its grant.
     *
     * @param slotId of the slot.
     * @return index, from 0.
     */
    public int slotIndex(final int slotId)
    {
        return slotId % maxSlotsPerGrant;
    }

    /**
     * Slot id of an index in a grant.
     *
     * @param grantId   of the grant.
     * @param slotIndex within it.
     * @return the slot id.
     */
    public int slotId(final int grantId, final int slotIndex)
    {
        return grantId * maxSlotsPerGrant + slotIndex;
    }

    /**
     * State of a slot.
     *
     * @param slotId of the slot.
     * @return its state.
     */
    public SlotState state(final int slotId)
    {
        return SlotState.get(byteAt(slotId, STATE_OFFSET));
    }

    /**
     * Does the master have a route to this use of the slot?
     *
     * @param slotId of the slot.
     * @return true while it counts as a reference (contract S2).
     */
    public boolean isRouteLive(final int slotId)
    {
        return 0 != byteAt(slotId, ROUTE_LIVE_OFFSET);
    }

    /**
     * Number of holders of a slot.
     *
     * @param slotId of the slot.
     * @return 0 or more.
     */
    public int holderCount(final int slotId)
    {
        return intAt(slotId, HOLDER_COUNT_OFFSET);
    }

    /**
     * Number of uses of a slot; raised each time it is taken (contract S2).
     *
     * @param slotId of the slot.
     * @return 0 when it was never used.
     */
    public long useCounter(final int slotId)
    {
        return longAt(slotId, USE_COUNTER_OFFSET);
    }

    /**
     * Sets the put id of the value: at put start, and again when the master names the canonical one.
     *
     * @param slotId     of the slot.
     * @param ownerId    of the put id.
     * @param generation of the put id.
     * @param sequence   of the put id.
     */
    public void putId(final int slotId, final int ownerId, final long generation, final long sequence)
    {
        intAt(slotId, PUT_OWNER_ID_OFFSET, ownerId);
        longAt(slotId, PUT_GENERATION_OFFSET, generation);
        longAt(slotId, PUT_SEQUENCE_OFFSET, sequence);
    }

    /**
     * Is this the put id of the value?
     *
     * @param slotId     of the slot.
     * @param ownerId    of a put id.
     * @param generation of a put id.
     * @param sequence   of a put id.
     * @return true when all three are equal.
     */
    public boolean putIdEquals(final int slotId, final int ownerId, final long generation, final long sequence)
    {
        return sequence == putSequence(slotId) && generation == putGeneration(slotId) && ownerId == putOwnerId(slotId);
    }

    /**
     * Sets the atomic group of the value.
     *
     * @param slotId      of the slot.
     * @param groupId     of the group.
     * @param groupLength number of members.
     */
    public void group(final int slotId, final long groupId, final int groupLength)
    {
        longAt(slotId, GROUP_ID_OFFSET, groupId);
        intAt(slotId, GROUP_LENGTH_OFFSET, groupLength);
    }

    /**
     * Sets the TP cohort of the value.
     *
     * @param slotId     of the slot.
     * @param cohortId   of the cohort.
     * @param cohortRank of this owner's worker in it.
     * @param cohortSize number of ranks.
     */
    public void cohort(final int slotId, final long cohortId, final int cohortRank, final int cohortSize)
    {
        longAt(slotId, COHORT_ID_OFFSET, cohortId);
        intAt(slotId, COHORT_RANK_OFFSET, cohortRank);
        intAt(slotId, COHORT_SIZE_OFFSET, cohortSize);
    }

    /**
     * Writes key and digest into the record.
     *
     * @param slotId     of the slot.
     * @param digestLow  low word of the key's digest.
     * @param digestHigh high word of the key's digest.
     * @param key        buffer that holds the key.
     * @param offset     of the key's first byte.
     * @param length     of the key, 1 to {@link SlotRecordDescriptor#MAX_KEY_LENGTH} bytes.
     */
    public void key(
        final int slotId,
        final long digestLow,
        final long digestHigh,
        final DirectBuffer key,
        final int offset,
        final int length)
    {
        if (length < 1 || length > MAX_KEY_LENGTH)
        {
            throw new InvariantViolation("slot " + slotId + ": key of " + length + " B");
        }

        longAt(slotId, DIGEST_LOW_OFFSET, digestLow);
        longAt(slotId, DIGEST_HIGH_OFFSET, digestHigh);
        intAt(slotId, KEY_LENGTH_OFFSET, length);
        keyView.wrap(keyAddress(slotId), MAX_KEY_LENGTH);
        key.getBytes(offset, keyView, 0, length);
    }

    /**
     * Is this the key of the slot? The full key is compared (contract ID-1).
     *
     * @param slotId of the slot.
     * @param key    buffer that holds a key.
     * @param offset of the key's first byte.
     * @param length of the key in bytes.
     * @return true when all bytes are equal.
     */
    public boolean keyEquals(final int slotId, final DirectBuffer key, final int offset, final int length)
    {
        if (length != keyLength(slotId))
        {
            return false;
        }

        keyView.wrap(keyAddress(slotId), length);
        int i = 0;
        for (final int wordsEnd = length - 7; i < wordsEnd; i += 8)
        {
            if (keyView.getLong(i) != key.getLong(offset + i))
            {
                return false;
            }
        }

        for (; i < length; i++)
        {
            if (keyView.getByte(i) != key.getByte(offset + i))
            {
                return false;
            }
        }

        return true;
    }

    /**
     * Points a buffer at the slot's key, for encoding without a copy. It stays valid until the slot is taken again.
     *
     * @param slotId of the slot.
     * @param view   to be wrapped around the key's bytes.
     */
    public void wrapKey(final int slotId, final DirectBuffer view)
    {
        view.wrap(keyAddress(slotId), keyLength(slotId));
    }

    /**
     * Copies the slot's key.
     *
     * @param slotId of the slot.
     * @param target to copy into.
     * @param offset of the first byte there.
     * @return length of the key in bytes.
     */
    public int copyKey(final int slotId, final MutableDirectBuffer target, final int offset)
    {
        final int length = keyLength(slotId);
        keyView.wrap(keyAddress(slotId), length);
        target.putBytes(offset, keyView, 0, length);

        return length;
    }

    /**
     * The records as the local-visible index chains them; refs are slot ids.
     *
     * @return a store over this table.
     */
    public ChainStore localChain()
    {
        return localChain;
    }

    /**
     * The records as the committed index chains them; refs are slot ids.
     *
     * @return a store over this table.
     */
    public ChainStore committedChain()
    {
        return committedChain;
    }

    /**
     * Index of the slot's key in the batch of its job; 0 when the slot is taken.
     *
     * @param slotId of the slot.
     * @return index from 0.
     */
    public int batchIndex(final int slotId)
    {
        return intAt(slotId, BATCH_INDEX_OFFSET);
    }

    /**
     * Sets: index of the slot's key in the batch of its job; 0 when the slot is taken.
     *
     * @param slotId of the slot.
     * @param value  index from 0.
     */
    public void batchIndex(final int slotId, final int value)
    {
        intAt(slotId, BATCH_INDEX_OFFSET, value);
    }

    /**
     * Length of the key.
     *
     * @param slotId of the slot.
     * @return in bytes, 0 = none yet.
     */
    public int keyLength(final int slotId)
    {
        return intAt(slotId, KEY_LENGTH_OFFSET);
    }

    /**
     * Owner id of the put id.
     *
     * @param slotId of the slot.
     * @return the id.
     */
    public int putOwnerId(final int slotId)
    {
        return intAt(slotId, PUT_OWNER_ID_OFFSET);
    }

    /**
     * Number of members of the value's atomic group.
     *
     * @param slotId of the slot.
     * @return 0 = none.
     */
    public int groupLength(final int slotId)
    {
        return intAt(slotId, GROUP_LENGTH_OFFSET);
    }

    /**
     * Rank in the TP cohort.
     *
     * @param slotId of the slot.
     * @return from 0.
     */
    public int cohortRank(final int slotId)
    {
        return intAt(slotId, COHORT_RANK_OFFSET);
    }

    /**
     * Size of the TP cohort.
     *
     * @param slotId of the slot.
     * @return 0 = no cohort.
     */
    public int cohortSize(final int slotId)
    {
        return intAt(slotId, COHORT_SIZE_OFFSET);
    }

    /**
     * Next put in line: before the commit of those that share a digest word, after it of those behind the same key.
     *
     * @param slotId of the slot.
     * @return slot id or {@link #NONE}.
     */
    public int nextPut(final int slotId)
    {
        return intAt(slotId, NEXT_PUT_OFFSET);
    }

    /**
     * Sets: next put in line: before the commit of those that share a digest word, after it of those behind the same
     * key.
     *
     * @param slotId of the slot.
     * @param value  slot id or {@link #NONE}.
     */
    public void nextPut(final int slotId, final int value)
    {
        intAt(slotId, NEXT_PUT_OFFSET, value);
    }

    /**
     * Length of the value.
     *
     * @param slotId of the slot.
     * @return in bytes, 1 to the slot's size.
     */
    public long valueLength(final int slotId)
    {
        return longAt(slotId, VALUE_LENGTH_OFFSET);
    }

    /**
     * Sets: length of the value.
     *
     * @param slotId of the slot.
     * @param value  in bytes, 1 to the slot's size.
     */
    public void valueLength(final int slotId, final long value)
    {
        longAt(slotId, VALUE_LENGTH_OFFSET, value);
    }

    /**
     * Length of the slot in its last or present use.
     *
     * @param slotId of the slot.
     * @return in bytes.
     */
    public long slotSize(final int slotId)
    {
        return longAt(slotId, SLOT_SIZE_OFFSET);
    }

    /**
     * Low word of the key's digest.
     *
     * @param slotId of the slot.
     * @return any number.
     */
    public long digestLow(final int slotId)
    {
        return longAt(slotId, DIGEST_LOW_OFFSET);
    }

    /**
     * High word of the key's digest.
     *
     * @param slotId of the slot.
     * @return any number.
     */
    public long digestHigh(final int slotId)
    {
        return longAt(slotId, DIGEST_HIGH_OFFSET);
    }

    /**
     * Owner generation of the put id.
     *
     * @param slotId of the slot.
     * @return the generation.
     */
    public long putGeneration(final int slotId)
    {
        return longAt(slotId, PUT_GENERATION_OFFSET);
    }

    /**
     * Sequence of the put id.
     *
     * @param slotId of the slot.
     * @return the sequence.
     */
    public long putSequence(final int slotId)
    {
        return longAt(slotId, PUT_SEQUENCE_OFFSET);
    }

    /**
     * Checksum of the value.
     *
     * @param slotId of the slot.
     * @return CRC-32C in the low 32 bits.
     */
    public long checksum(final int slotId)
    {
        return longAt(slotId, CHECKSUM_OFFSET);
    }

    /**
     * Sets: checksum of the value.
     *
     * @param slotId of the slot.
     * @param value  CRC-32C in the low 32 bits.
     */
    public void checksum(final int slotId, final long value)
    {
        longAt(slotId, CHECKSUM_OFFSET, value);
    }

    /**
     * Session that may write to the slot.
     *
     * @param slotId of the slot.
     * @return session id, 0 = none.
     */
    public long sessionId(final int slotId)
    {
        return longAt(slotId, SESSION_ID_OFFSET);
    }

    /**
     * Sets: session that may write to the slot.
     *
     * @param slotId of the slot.
     * @param value  session id, 0 = none.
     */
    public void sessionId(final int slotId, final long value)
    {
        longAt(slotId, SESSION_ID_OFFSET, value);
    }

    /**
     * Put plan that the slot belongs to, after its commit the publish job.
     *
     * @param slotId of the slot.
     * @return the id, 0 = none.
     */
    public long jobId(final int slotId)
    {
        return longAt(slotId, JOB_ID_OFFSET);
    }

    /**
     * Sets: put plan that the slot belongs to, after its commit the publish job.
     *
     * @param slotId of the slot.
     * @param value  the id, 0 = none.
     */
    public void jobId(final int slotId, final long value)
    {
        longAt(slotId, JOB_ID_OFFSET, value);
    }

    /**
     * Atomic group of the value.
     *
     * @param slotId of the slot.
     * @return the id, 0 = none.
     */
    public long groupId(final int slotId)
    {
        return longAt(slotId, GROUP_ID_OFFSET);
    }

    /**
     * TP cohort of the value.
     *
     * @param slotId of the slot.
     * @return the id, 0 = none.
     */
    public long cohortId(final int slotId)
    {
        return longAt(slotId, COHORT_ID_OFFSET);
    }

    /**
     * Where a committed value stands between commit and eviction.
     *
     * @param slotId of the slot.
     * @return its residence; {@link Residence#NONE} when it is no committed backing.
     */
    public Residence residence(final int slotId)
    {
        return Residence.get(byteAt(slotId, RESIDENCE_OFFSET));
    }

    /**
     * Sets: where a committed value stands between commit and eviction.
     *
     * @param slotId of the slot.
     * @param value  its residence.
     */
    public void residence(final int slotId, final Residence value)
    {
        byteAt(slotId, RESIDENCE_OFFSET, (byte) value.code());
    }

    /**
     * Next slot of the ring of slots that are evicted together (contract EVICT-1).
     *
     * @param slotId of the slot.
     * @return slot id or {@link #NONE} when the slot is alone.
     */
    public int cohortNext(final int slotId)
    {
        return intAt(slotId, COHORT_NEXT_OFFSET);
    }

    /**
     * Previous slot of the ring of slots that are evicted together (contract EVICT-1).
     *
     * @param slotId of the slot.
     * @return slot id or {@link #NONE} when the slot is alone.
     */
    public int cohortPrevious(final int slotId)
    {
        return intAt(slotId, COHORT_PREVIOUS_OFFSET);
    }

    /**
     * Sets the neighbours in the ring of slots that are evicted together.
     *
     * @param slotId   of the slot.
     * @param previous slot id or {@link #NONE}.
     * @param next     slot id or {@link #NONE}.
     */
    public void cohortLinks(final int slotId, final int previous, final int next)
    {
        intAt(slotId, COHORT_PREVIOUS_OFFSET, previous);
        intAt(slotId, COHORT_NEXT_OFFSET, next);
    }

    /**
     * What the groups of a TP cohort have in common.
     *
     * @param slotId of the slot.
     * @return any number, 0 = the value is of no TP cohort.
     */
    public long cohortDigest(final int slotId)
    {
        return longAt(slotId, COHORT_DIGEST_OFFSET);
    }

    /**
     * Sets: what the groups of a TP cohort have in common.
     *
     * @param slotId of the slot.
     * @param value  any number, 0 = the value is of no TP cohort.
     */
    public void cohortDigest(final int slotId, final long value)
    {
        longAt(slotId, COHORT_DIGEST_OFFSET, value);
    }

    /**
     * Eviction job that has the value.
     *
     * @param slotId of the slot.
     * @return the id, 0 = none.
     */
    public long evictionJobId(final int slotId)
    {
        return longAt(slotId, EVICTION_JOB_OFFSET);
    }

    /**
     * Index of the value in its eviction job.
     *
     * @param slotId of the slot.
     * @return index from 0.
     */
    public int evictionIndex(final int slotId)
    {
        return intAt(slotId, EVICTION_INDEX_OFFSET);
    }

    /**
     * Sets the eviction job that has the value.
     *
     * @param slotId of the slot.
     * @param jobId  id of the job, 0 = none.
     * @param index  of the value in it.
     */
    public void eviction(final int slotId, final long jobId, final int index)
    {
        longAt(slotId, EVICTION_JOB_OFFSET, jobId);
        intAt(slotId, EVICTION_INDEX_OFFSET, index);
    }

    /**
     * Writes to a record before it is read for the first time: a read fault in a sparse file makes some file systems
     * read ahead megabytes of nothing, a write fault does not.
     */
    void touch(final int slotId)
    {
        byteAt(slotId, RESERVED_OFFSET, (byte) 1);
    }

    /** Starts the next use of a slot: all fields are cleared, links unset, the use counter raised. */
    void startUse(final int slotId, final long slotSize)
    {
        final long useCounter = useCounter(slotId);
        for (int fieldOffset = 0; fieldOffset < KEY_OFFSET; fieldOffset += Long.BYTES)
        {
            longAt(slotId, fieldOffset, 0);
        }
        longAt(slotId, USE_COUNTER_OFFSET, useCounter + 1);
        longAt(slotId, SLOT_SIZE_OFFSET, slotSize);
        intAt(slotId, NEXT_FREE_OFFSET, NONE);
        intAt(slotId, NEXT_PUT_OFFSET, NONE);
        intAt(slotId, CHAIN_LOCAL_OFFSET, NONE);
        intAt(slotId, CHAIN_COMMITTED_OFFSET, NONE);
        intAt(slotId, COHORT_NEXT_OFFSET, NONE);
        intAt(slotId, COHORT_PREVIOUS_OFFSET, NONE);
    }

    void state(final int slotId, final SlotState state)
    {
        byteAt(slotId, STATE_OFFSET, (byte) state.code());
    }

    SlotState quarantinedFrom(final int slotId)
    {
        return SlotState.get(byteAt(slotId, QUARANTINED_FROM_OFFSET));
    }

    void quarantinedFrom(final int slotId, final SlotState state)
    {
        byteAt(slotId, QUARANTINED_FROM_OFFSET, (byte) state.code());
    }

    void routeLive(final int slotId, final boolean isLive)
    {
        byteAt(slotId, ROUTE_LIVE_OFFSET, (byte) (isLive ? 1 : 0));
    }

    void holderCount(final int slotId, final int count)
    {
        intAt(slotId, HOLDER_COUNT_OFFSET, count);
    }

    int nextFree(final int slotId)
    {
        return intAt(slotId, NEXT_FREE_OFFSET);
    }

    void nextFree(final int slotId, final int nextSlotId)
    {
        intAt(slotId, NEXT_FREE_OFFSET, nextSlotId);
    }

    private static long offset(final int slotId)
    {
        return (long) slotId * RECORD_LENGTH;
    }

    private long keyAddress(final int slotId)
    {
        if (slotId < 0 || slotId >= capacity)
        {
            throw new InvariantViolation("no slot " + slotId + ", ids are below " + capacity);
        }

        return address + offset(slotId) + KEY_OFFSET;
    }

    private byte byteAt(final int slotId, final int fieldOffset)
    {
        return memory.get(ValueLayout.JAVA_BYTE, offset(slotId) + fieldOffset);
    }

    private void byteAt(final int slotId, final int fieldOffset, final byte value)
    {
        memory.set(ValueLayout.JAVA_BYTE, offset(slotId) + fieldOffset, value);
    }

    private int intAt(final int slotId, final int fieldOffset)
    {
        return memory.get(ValueLayout.JAVA_INT, offset(slotId) + fieldOffset);
    }

    private void intAt(final int slotId, final int fieldOffset, final int value)
    {
        memory.set(ValueLayout.JAVA_INT, offset(slotId) + fieldOffset, value);
    }

    private long longAt(final int slotId, final int fieldOffset)
    {
        return memory.get(ValueLayout.JAVA_LONG, offset(slotId) + fieldOffset);
    }

    private void longAt(final int slotId, final int fieldOffset, final long value)
    {
        memory.set(ValueLayout.JAVA_LONG, offset(slotId) + fieldOffset, value);
    }

    private final class SlotChain implements ChainStore
    {
        private final int linkOffset;

        SlotChain(final int linkOffset)
        {
            this.linkOffset = linkOffset;
        }

        /** {@inheritDoc} */
        @Override
        public long next(final long ref)
        {
            return intAt((int) ref, linkOffset);
        }

        /** {@inheritDoc} */
        @Override
        public void next(final long ref, final long next)
        {
            intAt((int) ref, linkOffset, (int) next);
        }

        /** {@inheritDoc} */
        @Override
        public boolean keyEquals(final long ref, final DirectBuffer key, final int offset, final int length)
        {
            return SlotTable.this.keyEquals((int) ref, key, offset, length);
        }
    }
}
