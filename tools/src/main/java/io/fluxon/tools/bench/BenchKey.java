package io.fluxon.tools.bench;

import org.agrona.concurrent.UnsafeBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Keys of 100 bytes: what a model server puts ahead of a page's hash, then 16 hexadecimal digits that differ.
 */
final class BenchKey
{
    /** Length of each key in bytes. */
    static final int LENGTH = 100;

    private static final int DIGITS = 16;
    private static final byte[] PREFIX = prefix();
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final long LOW_NIBBLES = 0x0F0F0F0F0F0F0F0FL;
    private static final long ZEROS = 0x3030303030303030L;
    private static final long SIXES = 0x0606060606060606L;
    private static final long ONES = 0x0101010101010101L;
    private static final int LETTER_DISTANCE = 'a' - '0' - 10;

    private BenchKey()
    {
    }

    /**
     * Writes one key; different numbers make different keys.
     *
     * @param buffer of at least {@link #LENGTH} bytes behind the offset.
     * @param offset of the key's first byte.
     * @param number of the key.
     */
    static void write(final UnsafeBuffer buffer, final int offset, final long number)
    {
        buffer.putBytes(offset, PREFIX);
        final long word = number * MULTIPLIER;
        buffer.putLong(offset + PREFIX.length, hex(word >>> Integer.SIZE), LITTLE_ENDIAN);
        buffer.putLong(offset + PREFIX.length + Long.BYTES, hex(word & 0xFFFF_FFFFL), LITTLE_ENDIAN);
    }

    /** Eight hexadecimal digits, the lowest nibble first. */
    private static long hex(final long word)
    {
        long nibbles = (word | word << 16) & 0x0000FFFF0000FFFFL;
        nibbles = (nibbles | nibbles << 8) & 0x00FF00FF00FF00FFL;
        nibbles = (nibbles | nibbles << 4) & LOW_NIBBLES;
        final long letters = nibbles + SIXES >>> 4 & ONES;

        return nibbles + ZEROS + letters * LETTER_DISTANCE;
    }

    private static byte[] prefix()
    {
        final String text = "model-70b-instruct:fp8:page64:layers80:heads8:dim128:rope:";
        return (text + "x".repeat(LENGTH - DIGITS - text.length())).getBytes(US_ASCII);
    }
}
