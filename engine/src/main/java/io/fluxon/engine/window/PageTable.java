package io.fluxon.engine.window;

import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * What {@link ReturnPolicy} knows of the page in each slot, in native memory that is given in, zeroed.
 * <pre>
 *   0        8        12        16       20       24       28       32       36       40
 *   +--------+--------+---------+--------+--------+--------+--------+--------+--------+
 *   |keyHash |path+1  |shallower|deeper  |parent  |stamp   |parent's|children|depth   |
 *   |        |        |+1       |+1      |+1      |        |stamp   |        |        |
 *   +--------+--------+---------+--------+--------+--------+--------+--------+--------+
 * </pre>
 * Shallower and deeper are the neighbours among the pages of the same path; the parent is the page before it in the
 * prefix, whatever its path. A slot's stamp changes with its page, so that a parent that went is not taken for another.
 */
final class PageTable
{
    private static final int NONE = SlotLists.NONE;
    private static final int HASH_OFFSET = 0;
    private static final int PATH_OFFSET = 8;
    private static final int SHALLOWER_OFFSET = 12;
    private static final int DEEPER_OFFSET = 16;
    private static final int PARENT_OFFSET = 20;
    private static final int STAMP_OFFSET = 24;
    private static final int PARENT_STAMP_OFFSET = 28;
    private static final int CHILDREN_OFFSET = 32;
    private static final int DEPTH_OFFSET = 36;
    private static final int RECORD_LENGTH = 40;

    private final MemorySegment memory;
    private final int slotCount;

    PageTable(final MemoryCarver carver, final int slotCount)
    {
        memory = carver.next(requiredLength(slotCount));
        this.slotCount = slotCount;
    }

    static long requiredLength(final int slotCount)
    {
        return (long)slotCount * RECORD_LENGTH;
    }

    long keyHash(final int slotId)
    {
        return memory.get(JAVA_LONG, offset(slotId) + HASH_OFFSET);
    }

    int path(final int slotId)
    {
        if (slotId < 0 || slotId >= slotCount)
        {
            throw new IndexOutOfBoundsException("slot id " + slotId + " of " + slotCount);
        }
        return get(slotId, PATH_OFFSET) - 1;
    }

    void path(final int slotId, final int path)
    {
        set(slotId, PATH_OFFSET, path + 1);
    }

    int shallower(final int slotId)
    {
        return get(slotId, SHALLOWER_OFFSET) - 1;
    }

    int deeper(final int slotId)
    {
        return get(slotId, DEEPER_OFFSET) - 1;
    }

    int depth(final int slotId)
    {
        return get(slotId, DEPTH_OFFSET);
    }

    boolean hasChildren(final int slotId)
    {
        return 0 < get(slotId, CHILDREN_OFFSET);
    }

    void fill(final int slotId, final long keyHash, final int parent)
    {
        memory.set(JAVA_LONG, offset(slotId) + HASH_OFFSET, keyHash);
        set(slotId, STAMP_OFFSET, get(slotId, STAMP_OFFSET) + 1);
        set(slotId, CHILDREN_OFFSET, 0);
        set(slotId, PARENT_OFFSET, parent + 1);
        set(slotId, DEPTH_OFFSET, NONE == parent ? 0 : depth(parent) + 1);
        if (NONE != parent)
        {
            set(slotId, PARENT_STAMP_OFFSET, get(parent, STAMP_OFFSET));
            set(parent, CHILDREN_OFFSET, get(parent, CHILDREN_OFFSET) + 1);
        }
    }

    /** Forgets a page, and returns the slot of its parent if that has no child left by this, else none. */
    int clear(final int slotId)
    {
        final int parent = get(slotId, PARENT_OFFSET) - 1;
        path(slotId, NONE);
        set(slotId, STAMP_OFFSET, get(slotId, STAMP_OFFSET) + 1);
        if (NONE == parent || get(slotId, PARENT_STAMP_OFFSET) != get(parent, STAMP_OFFSET))
        {
            return NONE;
        }
        set(parent, CHILDREN_OFFSET, get(parent, CHILDREN_OFFSET) - 1);
        return hasChildren(parent) ? NONE : parent;
    }

    void link(final int slotId, final int shallower, final int deeper)
    {
        set(slotId, SHALLOWER_OFFSET, shallower + 1);
        set(slotId, DEEPER_OFFSET, deeper + 1);
        if (NONE != shallower)
        {
            set(shallower, DEEPER_OFFSET, slotId + 1);
        }
        if (NONE != deeper)
        {
            set(deeper, SHALLOWER_OFFSET, slotId + 1);
        }
    }

    void unlink(final int slotId)
    {
        final int shallower = shallower(slotId);
        final int deeper = deeper(slotId);
        if (NONE != shallower)
        {
            set(shallower, DEEPER_OFFSET, deeper + 1);
        }
        if (NONE != deeper)
        {
            set(deeper, SHALLOWER_OFFSET, shallower + 1);
        }
    }

    private int get(final int slotId, final int offset)
    {
        return memory.get(JAVA_INT, offset(slotId) + offset);
    }

    private void set(final int slotId, final int offset, final int value)
    {
        memory.set(JAVA_INT, offset(slotId) + offset, value);
    }

    private static long offset(final int slotId)
    {
        return (long)slotId * RECORD_LENGTH;
    }
}
