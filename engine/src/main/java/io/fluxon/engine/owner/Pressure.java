package io.fluxon.engine.owner;

import io.fluxon.engine.memory.SlotClass;

/**
 * Makes room in classes that are short (contract PRESS-1): at most so often, and at most so many bytes at a time, it
 * asks for as many slots as claims wait for, with some headroom, that are neither free nor on their way.
 */
final class Pressure
{
    private final OwnerCore core;
    private final EvictionService evictions;
    private final long[] wantedBytes;
    private long nextNs;
    private boolean isSelecting;

    Pressure(final OwnerCore core, final EvictionService evictions)
    {
        this.core = core;
        this.evictions = evictions;
        wantedBytes = new long[core.pool.classCount()];
        nextNs = core.nowNs();
    }

    int doWork(final long nowNs)
    {
        if (nowNs - nextNs >= 0 && isAnyPossible() && evictions.maySelect() && decide())
        {
            nextNs = nowNs + core.settings.pressureIntervalNs();
        }

        return isSelecting ? select() : 0;
    }

    private boolean isAnyPossible()
    {
        return core.claims.waiting() > 0 || core.settings.pressureHeadroomBytes() > 0;
    }

    /** Decides how many bytes each class is to select; false when none is short. */
    private boolean decide()
    {
        long left = core.settings.pressureLimitBytes();
        isSelecting = false;
        for (int i = 0; i < wantedBytes.length; i++)
        {
            wantedBytes[i] = Math.min(left, missingBytes(i));
            left -= wantedBytes[i];
            isSelecting |= wantedBytes[i] > 0;
        }
        if (isSelecting)
        {
            core.counters.increment(OwnerCounter.PRESSURE_STEPS);
        }

        return isSelecting;
    }

    /** Deficit of a class less its debt: what jobs in progress bring. Those that wait bring nothing for certain. */
    private long missingBytes(final int classIndex)
    {
        final SlotClass slotClass = core.pool.slotClass(classIndex);
        if (!slotClass.isActive())
        {
            return 0;
        }

        final long slotSize = slotClass.slotSize();
        final long wanted = slotClass.waitingSlots() + Math.ceilDiv(core.settings.pressureHeadroomBytes(), slotSize);
        final long deficit = wanted - core.pool.obtainable(classIndex);

        return Math.max(0, deficit - evictions.ledger().inProgress(classIndex)) * slotSize;
    }

    /** Selects a slice of what was decided. */
    private int select()
    {
        int selected = 0;
        boolean isMore = false;
        for (int i = 0; i < wantedBytes.length; i++)
        {
            while (wantedBytes[i] > 0 && selected < core.settings.planSliceKeys() && evictions.maySelect())
            {
                final int slots = evictions.select(i);
                wantedBytes[i] = 0 == slots ? 0 :
                    wantedBytes[i] - slots * core.pool.slotClass(i).slotSize();
                selected += slots;
            }
            isMore |= wantedBytes[i] > 0;
        }
        isSelecting = isMore && evictions.maySelect();

        return selected;
    }
}
