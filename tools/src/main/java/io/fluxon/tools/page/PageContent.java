package io.fluxon.tools.page;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/**
 * The bytes of a page, as a function of its key and the position: the 64-bit word at position i is a bijection of
 * {@code hash(key) + i * c}. So two keys differ in every word of their pages, a page differs from itself moved, and a
 * page of which only a part was written, or of which one bit was changed, is found. Not for secrets.
 */
public final class PageContent
{
    private static final long WORD_STEP = 0x9E3779B97F4A7C15L;
    private static final long WORD_MIX = 0xD6E8FEB86659FD93L;
    private static final long HASH_OFFSET = 0xCBF29CE484222325L;
    private static final long HASH_MIX_1 = 0xBF58476D1CE4E5B9L;
    private static final long HASH_MIX_2 = 0x94D049BB133111EBL;

    private PageContent()
    {
    }

    /**
     * Hash of a key, which its page's content begins from.
     *
     * @param key    bytes that hold the key.
     * @param offset of the key's first byte.
     * @param length of the key in bytes.
     * @return the hash.
     */
    public static long hash(final byte[] key, final int offset, final int length)
    {
        long hash = HASH_OFFSET ^ length;
        for (int i = offset; i < offset + length; i++)
        {
            hash = mix(hash ^ (key[i] & 0xFF));
        }
        return hash;
    }

    private static long mix(final long value)
    {
        long z = value + WORD_STEP;
        z = (z ^ (z >>> 30)) * HASH_MIX_1;
        z = (z ^ (z >>> 27)) * HASH_MIX_2;
        return z ^ (z >>> 31);
    }

    private static long word(final long hash, final long index)
    {
        final long z = (hash + index * WORD_STEP) * WORD_MIX;
        return z ^ (z >>> 32);
    }

    /**
     * Writes a page.
     *
     * @param hash   of the page's key.
     * @param memory to write to.
     * @param offset of the page's first byte.
     * @param length of the page in bytes.
     */
    public static void fill(final long hash, final MemorySegment memory, final long offset, final long length)
    {
        fillPart(hash, 0, memory, offset, length);
    }

    /**
     * Writes a part of a page.
     *
     * @param hash   of the page's key.
     * @param first  position in the page that the part begins at, a multiple of 8.
     * @param memory to write to.
     * @param offset of the part's first byte.
     * @param length of the part in bytes, a multiple of 8 unless the page ends with it.
     */
    public static void fillPart(
        final long hash, final long first, final MemorySegment memory, final long offset, final long length)
    {
        final long words = length / Long.BYTES;
        final long firstWord = firstWord(first);
        for (long i = 0; i < words; i++)
        {
            memory.set(JAVA_LONG_UNALIGNED, offset + i * Long.BYTES, word(hash, firstWord + i));
        }
        for (long at = words * Long.BYTES; at < length; at++)
        {
            memory.set(JAVA_BYTE, offset + at, tailByte(hash, firstWord + words, at));
        }
    }

    /**
     * Compares a page with what it must be.
     *
     * @param hash   of the page's key.
     * @param memory that holds the page.
     * @param offset of the page's first byte.
     * @param length of the page in bytes.
     * @return -1 when every byte is right, else the position in the page of the first 8-byte word that is wrong.
     */
    public static long firstDifference(
        final long hash, final MemorySegment memory, final long offset, final long length)
    {
        return firstDifferenceOfPart(hash, 0, memory, offset, length);
    }

    /**
     * Compares a part of a page with what it must be.
     *
     * @param hash   of the page's key.
     * @param first  position in the page that the part begins at, a multiple of 8.
     * @param memory that holds the part.
     * @param offset of the part's first byte.
     * @param length of the part in bytes, a multiple of 8 unless the page ends with it.
     * @return -1 when every byte is right, else the position in the page of the first 8-byte word that is wrong.
     */
    public static long firstDifferenceOfPart(
        final long hash, final long first, final MemorySegment memory, final long offset, final long length)
    {
        final long words = length / Long.BYTES;
        final long firstWord = firstWord(first);
        for (long i = 0; i < words; i++)
        {
            if (memory.get(JAVA_LONG_UNALIGNED, offset + i * Long.BYTES) != word(hash, firstWord + i))
            {
                return first + i * Long.BYTES;
            }
        }
        for (long at = words * Long.BYTES; at < length; at++)
        {
            if (memory.get(JAVA_BYTE, offset + at) != tailByte(hash, firstWord + words, at))
            {
                return first + words * Long.BYTES;
            }
        }
        return -1;
    }

    private static long firstWord(final long first)
    {
        if (0 != first % Long.BYTES)
        {
            throw new IllegalArgumentException("first is " + first + ", allowed: a multiple of " + Long.BYTES);
        }
        return first / Long.BYTES;
    }

    private static byte tailByte(final long hash, final long words, final long at)
    {
        return (byte) (word(hash, words) >>> ((at & 7) * Byte.SIZE));
    }
}
