package io.fluxon.engine.window;

import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * How often a key was used lately, 0 to 15: a count-min sketch of 4-bit counters in native memory that is given in.
 * A key has four counters, all in one block of eight words, each in a pair of words of its own. After ten uses for each
 * slot of the capacity all counters are halved, so that what was used long ago fades (Einziger, Friedman and Manes:
 * TinyLFU, 2017; the layout is that of Caffeine).
 */
final class FrequencySketch
{
    private static final int ROWS = 4;
    private static final int MAX_COUNT = 15;
    private static final int USES_PER_SLOT = 10;
    private static final int WORDS_OF_BLOCK = 8;
    private static final int BITS_OF_ROW = 5;
    private static final long HALVED = 0x7777777777777777L;
    private static final long LOW_BITS = 0x1111111111111111L;

    private final MemorySegment words;
    private final int wordCount;
    private final long agingUses;
    private long uses;

    FrequencySketch(final MemoryCarver carver, final int slotCount, final int capacitySlots)
    {
        words = carver.next(requiredLength(slotCount));
        wordCount = wordCount(Math.min(slotCount, capacitySlots));
        agingUses = (long)USES_PER_SLOT * Math.max(1, capacitySlots);
    }

    static long requiredLength(final int slotCount)
    {
        return (long)wordCount(slotCount) * Long.BYTES;
    }

    private static int wordCount(final int slotCount)
    {
        return Integer.highestOneBit(Math.max(WORDS_OF_BLOCK, slotCount - 1)) << 1;
    }

    int frequency(final long keyHash)
    {
        int least = MAX_COUNT;
        for (int row = 0; row < ROWS; row++)
        {
            final long word = words.getAtIndex(JAVA_LONG, wordIndex(keyHash, row));
            least = Math.min(least, (int)(word >>> shift(keyHash, row)) & MAX_COUNT);
        }
        return least;
    }

    void increment(final long keyHash)
    {
        boolean isAdded = false;
        for (int row = 0; row < ROWS; row++)
        {
            final int index = wordIndex(keyHash, row);
            final int shift = shift(keyHash, row);
            final long word = words.getAtIndex(JAVA_LONG, index);
            if (MAX_COUNT != ((int)(word >>> shift) & MAX_COUNT))
            {
                words.setAtIndex(JAVA_LONG, index, word + (1L << shift));
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
        for (int i = 0; i < wordCount; i++)
        {
            final long word = words.getAtIndex(JAVA_LONG, i);
            odd += Long.bitCount(word & LOW_BITS);
            words.setAtIndex(JAVA_LONG, i, word >>> 1 & HALVED);
        }
        uses = (uses - odd / ROWS) / 2;
    }

    private int wordIndex(final long keyHash, final int row)
    {
        final int block = (int)keyHash & wordCount - WORDS_OF_BLOCK;
        return block + 2 * row + (rowBits(keyHash, row) & 1);
    }

    private static int shift(final long keyHash, final int row)
    {
        return rowBits(keyHash, row) >>> 1 << 2;
    }

    /** Which of the 32 counters of a row: from the upper half of the hash, as the lower one names the block. */
    private static int rowBits(final long keyHash, final int row)
    {
        return (int)(keyHash >>> Integer.SIZE + row * BITS_OF_ROW) & (1 << BITS_OF_ROW) - 1;
    }
}
