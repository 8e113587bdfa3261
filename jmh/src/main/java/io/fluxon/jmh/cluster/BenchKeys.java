package io.fluxon.jmh.cluster;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * Keys as a model server makes them: a prefix that all share, then digits of a number. In one buffer, one after the
 * other.
 */
public final class BenchKeys
{
    /** Length of each key in bytes. */
    public static final int LENGTH = 40;

    private static final byte[] PREFIX = "model-70b:tp0:page:sha:0".getBytes(US_ASCII);
    private static final int DIGITS = LENGTH - PREFIX.length;
    private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final UnsafeBuffer buffer;

    /**
     * A number of different keys.
     *
     * @param count number of keys.
     */
    public BenchKeys(final int count)
    {
        buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(Math.multiplyExact(count, LENGTH)));
        for (int i = 0; i < count; i++)
        {
            write(buffer, offset(i), i);
        }
    }

    /**
     * The buffer in which they lie.
     *
     * @return the buffer.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Where a key begins.
     *
     * @param index of the key.
     * @return offset in the buffer.
     */
    public int offset(final int index)
    {
        return index * LENGTH;
    }

    /**
     * Writes one key; different numbers make different keys.
     *
     * @param buffer of at least {@link #LENGTH} bytes behind the offset.
     * @param offset of the key's first byte.
     * @param number of the key.
     */
    public static void write(final UnsafeBuffer buffer, final int offset, final long number)
    {
        buffer.putBytes(offset, PREFIX);
        long word = number * MULTIPLIER;
        for (int i = LENGTH - 1; i >= LENGTH - DIGITS; i--)
        {
            buffer.putByte(offset + i, HEX[(int)(word & 0xF)]);
            word >>>= 4;
        }
    }
}
