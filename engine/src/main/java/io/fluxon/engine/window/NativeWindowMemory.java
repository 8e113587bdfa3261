package io.fluxon.engine.window;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;

/**
 * Memory of the process, an arena for each window. Confined to one thread at a time.
 */
public final class NativeWindowMemory implements WindowMemory
{
    private static final long ALIGNMENT = 8;

    private final IdentityHashMap<MemorySegment, Arena> arenas = new IdentityHashMap<>();

    /** {@inheritDoc} */
    @Override
    public MemorySegment take(final long lengthBytes)
    {
        final Arena arena = Arena.ofShared();
        final MemorySegment memory = arena.allocate(lengthBytes, ALIGNMENT);
        arenas.put(memory, arena);

        return memory;
    }

    /** {@inheritDoc} */
    @Override
    public void giveBack(final MemorySegment memory)
    {
        final Arena arena = arenas.remove(memory);
        if (null == arena)
        {
            throw new IllegalArgumentException("memory: " + memory + " was not taken here");
        }
        arena.close();
    }
}
