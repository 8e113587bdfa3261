package io.fluxon.engine.window;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Which page is in which slot, as an owner would know it.
 */
final class PathSlots
{
    private final Map<Long, Integer> slots = new HashMap<>();
    private final long[] pages;
    private final Deque<Integer> free = new ArrayDeque<>();

    PathSlots(final int slotCount)
    {
        pages = new long[slotCount];
        for (int slotId = 0; slotId < slotCount; slotId++)
        {
            free.add(slotId);
        }
    }

    boolean holds(final long page)
    {
        return slots.containsKey(page);
    }

    int slotOf(final long page)
    {
        final Integer held = slots.get(page);
        if (null != held)
        {
            return held;
        }

        final int slotId = free.remove();
        slots.put(page, slotId);
        pages[slotId] = page;
        return slotId;
    }

    void free(final int slotId)
    {
        slots.remove(pages[slotId]);
        free.add(slotId);
    }
}
