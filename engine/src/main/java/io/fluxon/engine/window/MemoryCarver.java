package io.fluxon.engine.window;

import java.lang.foreign.MemorySegment;

/**
 * Cuts the memory of a window into the tables of its policy, one after the other, each aligned to 8 bytes.
 */
final class MemoryCarver
{
    private static final int ALIGNMENT = 8;

    private final MemorySegment memory;
    private long offset;

    MemoryCarver(final MemorySegment memory, final long requiredLength)
    {
        if (!memory.isNative() || memory.byteSize() < requiredLength || 0 != (memory.address() & ALIGNMENT - 1))
        {
            throw new IllegalArgumentException("hot window memory: needs " + requiredLength +
                " B of native memory aligned to " + ALIGNMENT + " B, is " + memory);
        }
        this.memory = memory;
    }

    static long align(final long length)
    {
        return (length + ALIGNMENT - 1) & -ALIGNMENT;
    }

    MemorySegment next(final long length)
    {
        final MemorySegment segment = memory.asSlice(offset, length);
        offset += align(length);
        return segment;
    }
}
