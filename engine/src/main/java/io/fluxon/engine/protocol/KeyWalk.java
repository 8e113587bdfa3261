package io.fluxon.engine.protocol;

import io.fluxon.ipc.channel.MessageCheck;
import org.agrona.DirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Walks a group whose entries end in a key, slice by slice, and remembers where each key lies, so that a batch of any
 * size is read in bounded steps (contract G10) and its keys can be visited again in any order.
 * <pre>
 *   0                   2                   4
 *  +-------------------+-------------------+
 *  | block length u16  |  count u16        |   group header
 *  +-------------------+-------------------+
 *  | block             | length u16 | key  |   entry, count times
 *  +-------------------+------------+------+
 * </pre>
 * The message must have been checked to lie within its buffer. Reused; not thread-safe.
 */
public final class KeyWalk
{
    private static final int COUNT_OFFSET = 2;
    private static final int HEADER_LENGTH = 4;
    private static final int LENGTH_LENGTH = 2;
    private static final int MIN_CAPACITY = 64;

    private int[] offsets = new int[MIN_CAPACITY];
    private short[] lengths = new short[MIN_CAPACITY];
    private DirectBuffer buffer;
    private int blockLength;
    private int count;
    private int walked;
    private int limit;

    /**
     * Begins a walk.
     *
     * @param message that holds the group.
     * @param offset  of the group's header.
     * @return this.
     */
    public KeyWalk wrap(final DirectBuffer message, final int offset)
    {
        buffer = message;
        blockLength = message.getShort(offset, LITTLE_ENDIAN) & 0xFFFF;
        count = message.getShort(offset + COUNT_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
        limit = offset + HEADER_LENGTH;
        walked = 0;
        if (offsets.length < count)
        {
            offsets = new int[count];
            lengths = new short[count];
        }

        return this;
    }

    /**
     * Reads further entries.
     *
     * @param maxEntries of this step.
     * @return number of entries read so far.
     */
    public int walk(final int maxEntries)
    {
        final int end = Math.min(count, walked + maxEntries);
        for (int i = walked; i < end; i++)
        {
            final int lengthOffset = limit + blockLength;
            final int length = buffer.getShort(lengthOffset, LITTLE_ENDIAN) & 0xFFFF;
            offsets[i] = lengthOffset + LENGTH_LENGTH;
            lengths[i] = (short)length;
            limit = lengthOffset + LENGTH_LENGTH + length;
        }
        walked = end;

        return end;
    }

    /**
     * Has every entry been read?
     *
     * @return true when it has.
     */
    public boolean isDone()
    {
        return walked == count;
    }

    /**
     * Number of keys of the batch.
     *
     * @return from the group's header.
     */
    public int count()
    {
        return count;
    }

    /**
     * Buffer that the keys lie in.
     *
     * @return the message.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Place of a key that has been read.
     *
     * @param index of the entry.
     * @return offset of the key's first byte in the message.
     */
    public int keyOffset(final int index)
    {
        return offsets[index];
    }

    /**
     * Length of a key that has been read.
     *
     * @param index of the entry.
     * @return length in bytes, as sent.
     */
    public int keyLength(final int index)
    {
        return lengths[index] & 0xFFFF;
    }

    /**
     * Place of the fixed fields of an entry that has been read.
     *
     * @param index of the entry.
     * @return offset of its block in the message.
     */
    public int blockOffset(final int index)
    {
        return offsets[index] - LENGTH_LENGTH - blockLength;
    }

    /**
     * Is a key that has been read allowed (contract 1: 1 to 512 bytes of UTF-8)?
     *
     * @param index of the entry.
     * @return true when it is.
     */
    public boolean isKeyValid(final int index)
    {
        return MessageCheck.isKey(buffer, offsets[index], keyLength(index), Limits.MAX_KEY_BYTES);
    }

    /**
     * First byte after the entries that have been read; after the whole group when {@link #isDone()}.
     *
     * @return offset in the message.
     */
    public int limit()
    {
        return limit;
    }

    /** Lets go of the message. */
    public void reset()
    {
        buffer = null;
        count = 0;
        walked = 0;
        limit = 0;
    }
}
