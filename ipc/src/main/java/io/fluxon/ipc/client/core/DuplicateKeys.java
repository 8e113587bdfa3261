package io.fluxon.ipc.client.core;

import org.agrona.DirectBuffer;
import org.agrona.BitUtil;

/**
 * Finds a key that a batch has twice (contract API-1). A table with open addressing whose entries of earlier batches
 * are told by their stamp, so nothing is cleared or allocated per batch. A hash alone never decides.
 */
final class DuplicateKeys
{
    static final int NONE = -1;

    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int LOAD = 2;

    private long[] table = new long[0];
    private int stamp;

    /**
     * Looks for a duplicate.
     *
     * @param keys of the batch.
     * @return index of the first key that was there before, or {@link #NONE}.
     */
    int find(final KeyBatch keys)
    {
        prepare(keys.size());
        for (int i = 0; i < keys.size(); i++)
        {
            if (!insert(keys, i))
            {
                return i;
            }
        }
        return NONE;
    }

    private void prepare(final int count)
    {
        final int capacity = BitUtil.findNextPositivePowerOfTwo(Math.max(count * LOAD, 1));
        if (table.length < capacity || Integer.MAX_VALUE == stamp)
        {
            table = new long[Math.max(capacity, table.length)];
            stamp = 0;
        }
        stamp++;
    }

    private boolean insert(final KeyBatch keys, final int index)
    {
        final int mask = table.length - 1;
        int slot = (int)(hash(keys, index) >>> Integer.SIZE) & mask;
        while (stamp == (int)(table[slot] >>> Integer.SIZE))
        {
            if (isEqual(keys, (int)table[slot], index))
            {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        table[slot] = (long)stamp << Integer.SIZE | index;
        return true;
    }

    private static long hash(final KeyBatch keys, final int index)
    {
        final DirectBuffer buffer = keys.buffer();
        final int end = keys.keyOffset(index) + keys.keyLength(index);
        int offset = keys.keyOffset(index);
        long hash = keys.keyLength(index);
        for (; offset + Long.BYTES <= end; offset += Long.BYTES)
        {
            hash = mix(hash ^ buffer.getLong(offset));
        }
        for (; offset < end; offset++)
        {
            hash = mix(hash ^ buffer.getByte(offset));
        }
        return hash;
    }

    private static long mix(final long value)
    {
        final long product = value * MULTIPLIER;
        return product ^ (product >>> Integer.SIZE);
    }

    private static boolean isEqual(final KeyBatch keys, final int left, final int right)
    {
        final int length = keys.keyLength(left);
        if (length != keys.keyLength(right))
        {
            return false;
        }
        final DirectBuffer buffer = keys.buffer();
        final int leftOffset = keys.keyOffset(left);
        final int rightOffset = keys.keyOffset(right);
        for (int i = 0; i < length; i++)
        {
            if (buffer.getByte(leftOffset + i) != buffer.getByte(rightOffset + i))
            {
                return false;
            }
        }
        return true;
    }
}
