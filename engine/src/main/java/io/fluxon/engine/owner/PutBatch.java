package io.fluxon.engine.owner;

import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.protocol.KeyWalk;
import io.fluxon.engine.protocol.PutOptionBits;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

import java.util.Arrays;

/**
 * The keys, groups and slots of one put, from its start to its terminal result: first in the hands of a
 * {@link PutPlan}, after the commit in those of a {@link PublishJob}. Pooled.
 */
final class PutBatch
{
    /** Entry: its slot is being written. */
    static final byte WRITING = 0;
    /** Entry: local-visible, to be published. */
    static final byte OWN = 1;
    /** Entry: waits for the outcome of another put of the key (contract PUT-1). */
    static final byte FOLLOWER = 2;
    /** Entry: joined a value that is committed here, and has a holder of it in place of its slot, which is gone. */
    static final byte MERGED = 3;
    /** Entry: published; its slot is the committed backing, or gave way to one. */
    static final byte PUBLISHED = 4;
    /** Entry: has a negative result; its slot is gone, or goes with its last reader. */
    static final byte FAILED = 5;
    /** Entry: local-visible, to be published when the eviction that has hidden its key is answered (contract GET-4). */
    static final byte FENCED = 6;

    private static final int MIN_CAPACITY = 64;
    private static final int BLOCK_OFFSET = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int COUNT_OFFSET = 2;

    final ExpandableArrayBuffer request = new ExpandableArrayBuffer(1024);
    final PutStartRequestDecoder decoder = new PutStartRequestDecoder();
    final KeyWalk keys = new KeyWalk();
    long valueLength;
    int options;
    long cohortId;
    int cohortRank;
    int cohortSize;
    int count;
    int groupCount;
    long reserveOperationId;
    long firstSequence;
    int[] groupEnds = new int[MIN_CAPACITY];
    int[] slots = new int[MIN_CAPACITY];
    int[] codes = new int[MIN_CAPACITY];
    byte[] states = new byte[MIN_CAPACITY];
    long[] digestLow = new long[MIN_CAPACITY];
    long[] digestHigh = new long[MIN_CAPACITY];

    /**
     * Copies a request.
     *
     * @return false when its groups are not the keys' (contract API-1).
     */
    boolean read(final DirectBuffer message, final int length)
    {
        request.checkLimit(length);
        request.putBytes(0, message, 0, length);
        decoder.wrap(
            request, BLOCK_OFFSET, PutStartRequestDecoder.BLOCK_LENGTH, PutStartRequestDecoder.SCHEMA_VERSION);
        valueLength = decoder.valueLength();
        options = decoder.options().getRaw();
        cohortId = decoder.cohortId();
        cohortRank = decoder.cohortRank();
        cohortSize = decoder.cohortSize();
        reserveOperationId = 0;
        firstSequence = 0;

        return readGroups();
    }

    boolean isSet(final int optionBit)
    {
        return PutOptionBits.isSet(options, optionBit);
    }

    boolean isReplicaWished(final int index)
    {
        return 0 != request.getByte(keys.blockOffset(index));
    }

    int groupStart(final int group)
    {
        return 0 == group ? 0 : groupEnds[group - 1];
    }

    int groupLength(final int group)
    {
        return groupEnds[group] - groupStart(group);
    }

    /** Does the entry's slot still belong to the put? */
    boolean hasSlot(final int index)
    {
        return SlotTable.NONE != slots[index];
    }

    private boolean readGroups()
    {
        final PutStartRequestDecoder.AtomicGroupsDecoder groups = decoder.atomicGroups();
        final int declared = groups.count();
        ensureGroups(declared);
        long total = 0;
        boolean isValid = true;
        for (int i = 0; i < declared; i++)
        {
            final int keyCount = groups.next().keyCount();
            isValid &= keyCount > 0;
            total += Math.max(0, keyCount);
            groupEnds[i] = (int)Math.min(total, Integer.MAX_VALUE);
        }

        count = request.getShort(decoder.limit() + COUNT_OFFSET, PutStartRequestDecoder.BYTE_ORDER) & 0xFFFF;
        keys.wrap(request, decoder.limit());
        groupCount = declared;
        ensureEntries(count);
        if (0 == declared)
        {
            everyKeyAlone();
            return true;
        }

        return isValid && total == count;
    }

    private void everyKeyAlone()
    {
        ensureGroups(count);
        groupCount = count;
        for (int i = 0; i < count; i++)
        {
            groupEnds[i] = i + 1;
        }
    }

    private void ensureGroups(final int capacity)
    {
        if (groupEnds.length < capacity)
        {
            groupEnds = new int[capacity];
        }
    }

    private void ensureEntries(final int capacity)
    {
        if (slots.length < capacity)
        {
            slots = new int[capacity];
            codes = new int[capacity];
            states = new byte[capacity];
            digestLow = new long[capacity];
            digestHigh = new long[capacity];
        }

        Arrays.fill(slots, 0, capacity, SlotTable.NONE);
        Arrays.fill(codes, 0, capacity, 0);
        Arrays.fill(states, 0, capacity, WRITING);
    }
}
