package io.fluxon.engine.window;

import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * How often a key was used lately, 0 to 15: a count-min sketch of 4-bit counters, 16 in a word, four of them for each
 * key, in native memory that is given in. After ten uses for each slot all counters are halved, so that what was used
 * long ago fades (Einziger, Friedman and Manes: TinyLFU, 2017).
 */
final class FrequencySketch
{
    private static final int ROWS = 4;
    private static final int MAX_COUNT = 15;
    private static final int USES_PER_SLOT = 10;
    private static final long HALVED = 0x7777777777777777L;
    private static final long LOW_BITS = 0x1111111111111111L;
    private static final long[] SEEDS =
        { 0xc3a5c85c97cb3127L, 0xb492b66fbe98f273L, 0x9ae16a3b2f90404fL, 0xcbf29ce484222325L };

    private final MemorySegment words;
    private final int wordMask;
    private final long agingUses;
    private long uses;

    FrequencySketch(final MemoryCarver carver, final int slotCount, final int capacitySlots)
    {
        words = carver.next(requiredLength(slotCount));
        wordMask = wordCount(slotCount) - 1;
        agingUses = (long)USES_PER_SLOT * Math.max(1, capacitySlots);
    }

    static long requiredLength(final int slotCount)
    {
        return (long)wordCount(slotCount) * Long.BYTES;
    }

    private static int wordCount(final int slotCount)
    {
        return Integer.highestOneBit(Math.max(8, slotCount - 1)) << 1;
    }

    int frequency(final long keyHash)
    {
        int least = MAX_COUNT;
        for (int row = 0; row < ROWS; row++)
        {
            final long hash = rowHash(keyHash, row);
            least = Math.min(least, (int)(word(hash) >>> shift(hash)) & MAX_COUNT);
        }
        return least;
    }

    void increment(final long keyHash)
    {
        boolean isAdded = false;
        for (int row = 0; row < ROWS; row++)
        {
            final long hash = rowHash(keyHash, row);
            final long word = word(hash);
            if (MAX_COUNT != ((int)(word >>> shift(hash)) & MAX_COUNT))
            {
                words.setAtIndex(JAVA_LONG, (int)hash & wordMask, word + (1L << shift(hash)));
                isAdded = true;
            }
        }
        if (isAdded && ++uses >= agingUses)
        {
            age();
        }
    }

    private void age()
    {
        long odd = 0;
        for (int i = 0; i <= wordMask; i++)
        {
            final long word = words.getAtIndex(JAVA_LONG, i);
            odd += Long.bitCount(word & LOW_BITS);
            words.setAtIndex(JAVA_LONG, i, word >>> 1 & HALVED);
        }
        uses = (uses - odd / ROWS) / 2;
    }

    private long word(final long hash)
    {
        return words.getAtIndex(JAVA_LONG, (int)hash & wordMask);
    }

    private static int shift(final long hash)
    {
        return (int)(hash >>> 60) << 2;
    }

    private static long rowHash(final long keyHash, final int row)
    {
        final long mixed = (keyHash + SEEDS[row]) * SEEDS[row];
        return mixed ^ mixed >>> 32;
    }
}
