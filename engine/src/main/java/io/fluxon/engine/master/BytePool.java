package io.fluxon.engine.master;

import org.agrona.UnsafeApi;
import org.agrona.collections.LongArrayList;

/**
 * Off-heap blocks of bytes whose sizes are powers of two, for messages and answers that are kept for a while. Freed
 * blocks are used again; no more than {@code maxBytes} are ever taken from the system (contract BOUND-1). Confined to
 * one thread; allocates Java objects only when it grows.
 */
final class BytePool implements AutoCloseable
{
    /** No block. */
    static final long NONE = 0;

    private static final int MIN_BITS = 6;
    private static final int MAX_BITS = 26;
    private static final int CHUNK_BITS = 16;

    private final LongArrayList[] free = new LongArrayList[MAX_BITS + 1];
    private final LongArrayList chunks = new LongArrayList();
    private final long maxBytes;
    private long chunkBytes;
    private long usedBytes;

    BytePool(final long maxBytes)
    {
        this.maxBytes = maxBytes;
        for (int bits = MIN_BITS; bits <= MAX_BITS; bits++)
        {
            free[bits] = new LongArrayList();
        }
    }

    /**
     * Takes a block.
     *
     * @param length in bytes, 1 to 64 MiB.
     * @return its address, or {@link #NONE} at the bound.
     */
    long allocate(final int length)
    {
        final int bits = bits(length);
        if (bits > MAX_BITS)
        {
            return NONE;
        }

        final LongArrayList blocks = free[bits];
        if (blocks.isEmpty() && !refill(bits))
        {
            return NONE;
        }
        usedBytes += 1L << bits;

        return blocks.popLong();
    }

    /**
     * Gives a block back.
     *
     * @param address of the block.
     * @param length  it was taken with.
     */
    void free(final long address, final int length)
    {
        final int bits = bits(length);
        usedBytes -= 1L << bits;
        free[bits].pushLong(address);
    }

    /** Bytes of the blocks that are taken. */
    long usedBytes()
    {
        return usedBytes;
    }

    /** Bytes taken from the system. */
    long memoryBytes()
    {
        return chunkBytes;
    }

    @Override
    public void close()
    {
        for (int i = 0, size = chunks.size(); i < size; i++)
        {
            UnsafeApi.freeMemory(chunks.getLong(i));
        }
        chunks.clear();
        for (int bits = CHUNK_BITS + 1; bits <= MAX_BITS; bits++)
        {
            releaseLarge(bits);
        }
    }

    private static int bits(final int length)
    {
        return Math.max(MIN_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(length - 1));
    }

    private boolean refill(final int bits)
    {
        final int chunkBits = Math.max(bits, CHUNK_BITS);
        final int chunkLength = 1 << chunkBits;
        if (chunkBytes + chunkLength > maxBytes)
        {
            for (int larger = MAX_BITS; larger > CHUNK_BITS; larger--)
            {
                releaseLarge(larger);
            }

            if (chunkBytes + chunkLength > maxBytes)
            {
                return false;
            }
        }

        final long address = UnsafeApi.allocateMemory(chunkLength);
        chunkBytes += chunkLength;
        if (bits <= CHUNK_BITS)
        {
            chunks.pushLong(address);
        }
        for (int offset = 0; offset < chunkLength; offset += 1 << bits)
        {
            free[bits].pushLong(address + offset);
        }

        return true;
    }

    private void releaseLarge(final int bits)
    {
        final LongArrayList blocks = free[bits];
        while (!blocks.isEmpty())
        {
            UnsafeApi.freeMemory(blocks.popLong());
            chunkBytes -= 1L << bits;
        }
    }
}
