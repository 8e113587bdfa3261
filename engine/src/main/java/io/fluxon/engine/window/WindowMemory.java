package io.fluxon.engine.window;

import java.lang.foreign.MemorySegment;

/**
 * Native memory of hot windows. One is asked for when a slot class comes into being, and given back when the class is
 * given up, so this is called rarely.
 */
public interface WindowMemory
{
    /**
     * Memory of one window.
     *
     * @param lengthBytes greater than 0.
     * @return native, zeroed, aligned to 8 bytes.
     */
    MemorySegment take(long lengthBytes);

    /**
     * A window is not used any more.
     *
     * @param memory that was taken.
     */
    void giveBack(MemorySegment memory);
}
