package io.fluxon.sim.check;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Content of a page: every byte follows from the key and from the one attempt to put it, so that two writers of a key
 * write different bytes and a page that was read says whose it is. The stamp (key hash, attempt) stands at the start,
 * in the middle and at the end; between them is filling that differs from word to word. Pages can be written and read
 * in {@link Part}s at different times, as a copy engine does.
 */
public final class PageStamp
{
    /** Least length of a page in bytes. */
    public static final int LEAST_LENGTH = 48;

    private static final int STAMP_LENGTH = 2 * Long.BYTES;

    private PageStamp()
    {
    }

    /**
     * A third of a page, and its stamp.
     */
    public enum Part
    {
        /** The first third. */
        START,
        /** The second third. */
        MIDDLE,
        /** The rest. */
        END;

        /**
         * First byte of the part.
         *
         * @param length of the page.
         * @return offset in the page.
         */
        public int from(final int length)
        {
            return ordinal() * (length / 3 & -Long.BYTES);
        }

        /**
         * Byte behind the part.
         *
         * @param length of the page.
         * @return offset in the page.
         */
        public int to(final int length)
        {
            return END == this ? length : (ordinal() + 1) * (length / 3 & -Long.BYTES);
        }
    }

    /**
     * Hash of a key.
     *
     * @param key the key.
     * @return a number that two keys of a run do not share.
     */
    public static long hash(final String key)
    {
        long hash = 0xCBF29CE484222325L;
        for (int i = 0; i < key.length(); i++)
        {
            hash = (hash ^ key.charAt(i)) * 0x100000001B3L;
        }
        return mix(hash);
    }

    /**
     * Writes one part of a page.
     *
     * @param page    buffer.
     * @param offset  of the page's first byte in it.
     * @param length  of the whole page, at least {@link #LEAST_LENGTH}.
     * @param part    to write.
     * @param keyHash of the key.
     * @param attempt to put it.
     */
    public static void write(
        final MutableDirectBuffer page,
        final int offset,
        final int length,
        final Part part,
        final long keyHash,
        final long attempt)
    {
        final int to = part.to(length);
        int at = part.from(length);
        for (; at <= to - Long.BYTES; at += Long.BYTES)
        {
            page.putLong(offset + at, word(length, at, keyHash, attempt), LITTLE_ENDIAN);
        }
        for (; at < to; at++)
        {
            page.putByte(offset + at, filler(at, keyHash, attempt));
        }
    }

    /**
     * Attempt that a page says it is of.
     *
     * @param page   buffer.
     * @param offset of the page's first byte in it.
     * @return the attempt, anything when the page is not whole.
     */
    public static long attempt(final DirectBuffer page, final int offset)
    {
        return page.getLong(offset + Long.BYTES, LITTLE_ENDIAN);
    }

    /**
     * Hash of the key that a page says it is of.
     *
     * @param page   buffer.
     * @param offset of the page's first byte in it.
     * @return the hash, anything when the page is not whole.
     */
    public static long keyHash(final DirectBuffer page, final int offset)
    {
        return page.getLong(offset, LITTLE_ENDIAN);
    }

    /**
     * First byte that is not what the stamp at the start of the page asks for.
     *
     * @param page   buffer.
     * @param offset of the page's first byte in it.
     * @param length of the whole page.
     * @return offset in the page, -1 when the page is whole.
     */
    public static int firstWrong(final DirectBuffer page, final int offset, final int length)
    {
        final long keyHash = keyHash(page, offset);
        final long attempt = attempt(page, offset);
        int at = 0;
        for (; at <= length - Long.BYTES; at += Long.BYTES)
        {
            if (page.getLong(offset + at, LITTLE_ENDIAN) != word(length, at, keyHash, attempt))
            {
                return at;
            }
        }
        for (; at < length; at++)
        {
            if (page.getByte(offset + at) != filler(at, keyHash, attempt))
            {
                return at;
            }
        }
        return -1;
    }

    private static long word(final int length, final int at, final long keyHash, final long attempt)
    {
        final int end = (length & -Long.BYTES) - STAMP_LENGTH;
        final int inStamp = 0 == at || Part.MIDDLE.from(length) == at || end == at ? 0 :
            Long.BYTES == at || Part.MIDDLE.from(length) + Long.BYTES == at || end + Long.BYTES == at ? 1 : 2;
        return switch (inStamp)
        {
            case 0 -> keyHash;
            case 1 -> attempt;
            default -> mix(keyHash + attempt * 0x9E3779B97F4A7C15L + at);
        };
    }

    private static byte filler(final int at, final long keyHash, final long attempt)
    {
        return (byte)(mix(keyHash ^ attempt) + at);
    }

    private static long mix(final long value)
    {
        final long z = (value ^ value >>> 32) * 0xD6E8FEB86659FD93L;
        return z ^ z >>> 32;
    }
}
