package io.fluxon.engine.window;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

import static java.lang.foreign.ValueLayout.JAVA_INT;

/**
 * Doubly linked lists over slot ids in native memory that is given in; a slot is in one list at most. All zero is the
 * empty state, so that records which were never used cost no memory where that is sparse.
 * <pre>
 *   0        4        8        12
 *   +--------+--------+--------+
 *   |older+1 |newer+1 |list+1  |
 *   +--------+--------+--------+
 * </pre>
 * Confined to one thread; every operation is O(1) and allocates nothing.
 */
final class SlotLists
{
    /** No slot, or no list. */
    static final int NONE = -1;

    private static final int OLDER_OFFSET = 0;
    private static final int NEWER_OFFSET = 4;
    private static final int LIST_OFFSET = 8;
    private static final int RECORD_LENGTH = 12;

    private final MemorySegment memory;
    private final int slotCount;
    private final int[] oldest;
    private final int[] newest;
    private final int[] sizes;

    SlotLists(final MemorySegment memory, final int slotCount, final int listCount)
    {
        this.memory = memory;
        this.slotCount = slotCount;
        oldest = new int[listCount];
        newest = new int[listCount];
        sizes = new int[listCount];
        Arrays.fill(oldest, NONE);
        Arrays.fill(newest, NONE);
    }

    static long requiredLength(final int slotCount)
    {
        return MemoryCarver.align((long)slotCount * RECORD_LENGTH);
    }

    int listOf(final int slotId)
    {
        if (slotId < 0 || slotId >= slotCount)
        {
            throw new IndexOutOfBoundsException("slot id " + slotId + " of " + slotCount);
        }
        return read(slotId, LIST_OFFSET);
    }

    int size(final int list)
    {
        return sizes[list];
    }

    int oldest(final int list)
    {
        return oldest[list];
    }

    int newest(final int list)
    {
        return newest[list];
    }

    int newer(final int slotId)
    {
        return read(slotId, NEWER_OFFSET);
    }

    void append(final int list, final int slotId)
    {
        checkUnlinked(slotId);

        final int last = newest[list];
        write(slotId, OLDER_OFFSET, last);
        write(slotId, NEWER_OFFSET, NONE);
        write(slotId, LIST_OFFSET, list);
        if (NONE == last)
        {
            oldest[list] = slotId;
        }
        else
        {
            write(last, NEWER_OFFSET, slotId);
        }
        newest[list] = slotId;
        sizes[list]++;
    }

    void prepend(final int list, final int slotId)
    {
        checkUnlinked(slotId);
        final int first = oldest[list];
        write(slotId, OLDER_OFFSET, NONE);
        write(slotId, NEWER_OFFSET, first);
        write(slotId, LIST_OFFSET, list);
        if (NONE == first)
        {
            newest[list] = slotId;
        }
        else
        {
            write(first, OLDER_OFFSET, slotId);
        }
        oldest[list] = slotId;
        sizes[list]++;
    }

    int unlinkOldest(final int list)
    {
        final int slotId = oldest[list];
        if (NONE != slotId)
        {
            unlink(slotId);
        }
        return slotId;
    }

    boolean unlink(final int slotId)
    {
        final int list = listOf(slotId);
        if (NONE == list)
        {
            return false;
        }

        final int older = read(slotId, OLDER_OFFSET);
        final int newer = read(slotId, NEWER_OFFSET);
        if (NONE == older)
        {
            oldest[list] = newer;
        }
        else
        {
            write(older, NEWER_OFFSET, newer);
        }
        if (NONE == newer)
        {
            newest[list] = older;
        }
        else
        {
            write(newer, OLDER_OFFSET, older);
        }
        write(slotId, LIST_OFFSET, NONE);
        sizes[list]--;
        return true;
    }

    private void checkUnlinked(final int slotId)
    {
        if (NONE != listOf(slotId))
        {
            throw new IllegalStateException("slot " + slotId + " is in a list already");
        }
    }

    private int read(final int slotId, final int offset)
    {
        return memory.get(JAVA_INT, (long)slotId * RECORD_LENGTH + offset) - 1;
    }

    private void write(final int slotId, final int offset, final int value)
    {
        memory.set(JAVA_INT, (long)slotId * RECORD_LENGTH + offset, value + 1);
    }
}
