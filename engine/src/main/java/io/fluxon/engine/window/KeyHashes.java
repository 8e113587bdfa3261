package io.fluxon.engine.window;

import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * The hash of the key of each slot, in native memory that is given in.
 */
final class KeyHashes
{
    private final MemorySegment memory;

    KeyHashes(final MemoryCarver carver, final int slotCount)
    {
        memory = carver.next(requiredLength(slotCount));
    }

    static long requiredLength(final int slotCount)
    {
        return (long)slotCount * Long.BYTES;
    }

    long get(final int slotId)
    {
        return memory.getAtIndex(JAVA_LONG, slotId);
    }

    void set(final int slotId, final long keyHash)
    {
        memory.setAtIndex(JAVA_LONG, slotId, keyHash);
    }
}
