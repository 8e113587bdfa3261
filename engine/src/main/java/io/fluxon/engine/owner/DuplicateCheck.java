package io.fluxon.engine.owner;

import io.fluxon.engine.protocol.KeyWalk;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;

import java.util.Arrays;

/**
 * Finds a key that occurs twice in one put (contract API-1): an open-addressed table of key indexes, by digest, where
 * the full key decides (contract ID-1). Reused.
 */
final class DuplicateCheck
{
    private static final int MIN_CAPACITY = 128;

    private int[] table = new int[MIN_CAPACITY];
    private int mask;

    void start(final int count)
    {
        final int capacity = BitUtil.findNextPositivePowerOfTwo(Math.max(MIN_CAPACITY, count * 2));
        if (table.length < capacity)
        {
            table = new int[capacity];
        }
        mask = capacity - 1;
        Arrays.fill(table, 0, capacity, 0);
    }

    /**
     * Adds a key.
     *
     * @return index of an equal key that was added before, or -1.
     */
    int add(final int index, final KeyWalk keys, final long[] low, final long[] high)
    {
        int position = (int)(low[index] ^ low[index] >>> 32) & mask;
        while (0 != table[position])
        {
            final int other = table[position] - 1;
            if (low[index] == low[other] && high[index] == high[other] && isEqual(keys, index, other))
            {
                return other;
            }
            position = (position + 1) & mask;
        }
        table[position] = index + 1;

        return -1;
    }

    private static boolean isEqual(final KeyWalk keys, final int a, final int b)
    {
        final int length = keys.keyLength(a);
        if (length != keys.keyLength(b))
        {
            return false;
        }

        final DirectBuffer buffer = keys.buffer();
        final int offsetA = keys.keyOffset(a);
        final int offsetB = keys.keyOffset(b);
        for (int i = 0; i < length; i++)
        {
            if (buffer.getByte(offsetA + i) != buffer.getByte(offsetB + i))
            {
                return false;
            }
        }

        return true;
    }
}
