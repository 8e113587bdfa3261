package io.fluxon.ipc.client.core;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.charset.StandardCharsets;

/**
 * Reusable buffer for the keys of one call. Allocates nothing after construction. Keys are checked by the call that
 * takes the batch (contract API-1), so a bad key can be added.
 */
public final class KeyBatch
{
    private final UnsafeBuffer bytes;
    private final int[] ends;
    private int size;

    /**
     * A batch of bounded size.
     *
     * @param maxKeys          number of keys.
     * @param maxKeyBytesTotal sum of their lengths in bytes.
     */
    public KeyBatch(final int maxKeys, final int maxKeyBytesTotal)
    {
        if (maxKeys < 1 || maxKeyBytesTotal < 1)
        {
            throw new IllegalArgumentException(
                "maxKeys and maxKeyBytesTotal must be at least 1: " + maxKeys + ", " + maxKeyBytesTotal);
        }
        bytes = new UnsafeBuffer(new byte[maxKeyBytesTotal]);
        ends = new int[maxKeys];
    }

    /**
     * Forgets all keys.
     *
     * @return this.
     */
    public KeyBatch clear()
    {
        size = 0;
        return this;
    }

    /**
     * Adds a key.
     *
     * @param buffer that holds its UTF-8 bytes.
     * @param offset of the first byte.
     * @param length in bytes.
     * @return this.
     * @throws IllegalStateException when the batch has no room for it.
     */
    public KeyBatch add(final DirectBuffer buffer, final int offset, final int length)
    {
        final int start = claim(length);
        bytes.putBytes(start, buffer, offset, length);
        ends[size++] = start + length;
        return this;
    }

    /**
     * Adds a key.
     *
     * @param key its characters.
     * @return this.
     * @throws IllegalStateException when the batch has no room for it.
     */
    public KeyBatch add(final CharSequence key)
    {
        final int start = claim(Utf8Encoder.encodedLength(key));
        ends[size++] = start + Utf8Encoder.encode(key, bytes, start);
        return this;
    }

    /**
     * Adds a key.
     *
     * @param key    array that holds its UTF-8 bytes.
     * @param offset of the first byte.
     * @param length in bytes.
     * @return this.
     * @throws IllegalStateException when the batch has no room for it.
     */
    public KeyBatch addUtf8(final byte[] key, final int offset, final int length)
    {
        final int start = claim(length);
        bytes.putBytes(start, key, offset, length);
        ends[size++] = start + length;
        return this;
    }

    /**
     * Number of keys.
     *
     * @return number of keys.
     */
    public int size()
    {
        return size;
    }

    /**
     * Most keys this batch can hold.
     *
     * @return number of keys.
     */
    public int maxKeys()
    {
        return ends.length;
    }

    /**
     * Sum of the keys' lengths.
     *
     * @return length in bytes.
     */
    public int totalBytes()
    {
        return 0 == size ? 0 : ends[size - 1];
    }

    /**
     * The buffer in which the keys lie one after another.
     *
     * @return the buffer.
     */
    public DirectBuffer buffer()
    {
        return bytes;
    }

    /**
     * Where a key starts in {@link #buffer()}.
     *
     * @param index of the key.
     * @return offset of its first byte.
     */
    public int keyOffset(final int index)
    {
        checkIndex(index);
        return 0 == index ? 0 : ends[index - 1];
    }

    /**
     * Length of a key.
     *
     * @param index of the key.
     * @return length in bytes.
     */
    public int keyLength(final int index)
    {
        return ends[index] - keyOffset(index);
    }

    /**
     * A key as text; for logs and tools, it allocates.
     *
     * @param index of the key.
     * @return the key.
     */
    public String key(final int index)
    {
        final byte[] utf8 = new byte[keyLength(index)];
        bytes.getBytes(keyOffset(index), utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private int claim(final int length)
    {
        if (length < 0)
        {
            throw new IllegalArgumentException("length of a key must not be negative: " + length);
        }
        final int start = totalBytes();
        if (size == ends.length || length > bytes.capacity() - start)
        {
            throw new IllegalStateException("the key batch is full: " + size + " of " + ends.length + " keys, " +
                start + " of " + bytes.capacity() + " bytes, " + length + " more asked for");
        }
        return start;
    }

    private void checkIndex(final int index)
    {
        if (index < 0 || index >= size)
        {
            throw new IndexOutOfBoundsException("index " + index + " of " + size + " keys");
        }
    }
}
