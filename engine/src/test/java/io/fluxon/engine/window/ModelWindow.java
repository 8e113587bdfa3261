package io.fluxon.engine.window;

import java.util.ArrayList;
import java.util.List;

/**
 * What segmented LRU should do, the obvious way; plain LRU when nothing may be protected.
 */
final class ModelWindow
{
    private final int maxProtected;
    private final List<Integer> probation = new ArrayList<>();
    private final List<Integer> hit = new ArrayList<>();

    ModelWindow(final int maxProtected)
    {
        this.maxProtected = maxProtected;
    }

    /** Adds a slot, or moves it to the newest end of its list. */
    void add(final Integer slotId)
    {
        if (hit.remove(slotId))
        {
            hit.add(slotId);
        }
        else
        {
            probation.remove(slotId);
            probation.add(slotId);
        }
    }

    void touch(final Integer slotId)
    {
        if (remove(slotId))
        {
            hit.add(slotId);
            while (hit.size() > maxProtected)
            {
                probation.add(hit.removeFirst());
            }
        }
    }

    boolean remove(final Integer slotId)
    {
        return probation.remove(slotId) || hit.remove(slotId);
    }

    List<Integer> evict()
    {
        if (probation.isEmpty())
        {
            return hit.isEmpty() ? List.of() : List.of(hit.removeFirst());
        }
        return List.of(probation.removeFirst());
    }

    int size()
    {
        return probation.size() + hit.size();
    }
}
