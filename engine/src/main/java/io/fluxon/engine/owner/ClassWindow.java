package io.fluxon.engine.owner;

import io.fluxon.engine.memory.SlotClass;
import io.fluxon.engine.memory.SlotPool;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.window.HotWindow;
import io.fluxon.engine.window.SlotRun;
import io.fluxon.engine.window.VictimHandler;
import io.fluxon.engine.window.WindowMemory;
import io.fluxon.engine.window.WindowPolicyKind;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The window of one slot class. Slot ids of an owner leave room for the smallest slots in every grant; a window counts
 * the slots of its class densely, so that its tables are as long as the class can have slots: each grant of the class
 * has a place, which another grant takes when that one serves the class no more.
 */
final class ClassWindow
{
    private static final int NONE = SlotTable.NONE;

    private final SlotPool pool;
    private final SlotTable table;
    private final WindowMemory windowMemory;
    private final MemorySegment memory;
    private final HotWindow window;
    private final VictimHandler onVictim = this::onVictim;
    private final int classIndex;
    private final long slotSize;
    private final int slotsPerGrant;
    private final int[] placeOfGrant;
    private final int[] grantOfPlace;
    private int victim;

    ClassWindow(final OwnerCore core, final SlotClass slotClass)
    {
        pool = core.pool;
        table = core.table;
        windowMemory = core.context.windowMemory();
        classIndex = slotClass.index();
        slotSize = slotClass.slotSize();
        slotsPerGrant = slotClass.slotsPerGrant();
        placeOfGrant = new int[pool.plan().grantCount()];
        grantOfPlace = new int[slotClass.maxGrants()];
        Arrays.fill(placeOfGrant, NONE);
        Arrays.fill(grantOfPlace, NONE);

        final WindowPolicyKind kind = core.settings.hotWindowPolicy();
        final int slotCount = slotClass.maxGrants() * slotsPerGrant;
        final double maxBytes =
            core.settings.hotCapacityRatio() * slotClass.maxGrants() * pool.plan().grantQuantumBytes();
        memory = windowMemory.take(HotWindow.requiredLength(kind, slotCount));
        window = new HotWindow(kind, memory, slotCount, slotSize, Math.max(slotSize, (long)maxBytes));
    }

    /** Is it the window of what the class is now? A class that was given up may have come back with other slots. */
    boolean isOf(final SlotClass slotClass)
    {
        return slotSize == slotClass.slotSize() && grantOfPlace.length == slotClass.maxGrants();
    }

    /** Number of a slot of the class in the window. */
    int indexOf(final int slotId)
    {
        final int grantId = table.grantId(slotId);
        int place = placeOfGrant[grantId];
        if (NONE == place || grantId != grantOfPlace[place])
        {
            place = freePlace();
            placeOfGrant[grantId] = place;
            grantOfPlace[place] = grantId;
        }

        return place * slotsPerGrant + table.slotIndex(slotId);
    }

    void touch(final SlotRun run, final long nowMs)
    {
        window.touch(run, nowMs);
    }

    void add(final SlotRun run, final long nowMs)
    {
        window.add(run, nowMs);
    }

    void remove(final int slotId)
    {
        window.remove(indexOf(slotId));
    }

    /** Takes the value that goes first out of the window; {@link SlotTable#NONE} when there is none. */
    int takeVictim()
    {
        victim = NONE;
        window.evictSome(1, onVictim);

        return NONE == victim ? NONE : table.slotId(grantOfPlace[victim / slotsPerGrant], victim % slotsPerGrant);
    }

    long weightBytes()
    {
        return window.weightBytes();
    }

    long size()
    {
        return window.weightBytes() / slotSize;
    }

    void close()
    {
        windowMemory.giveBack(memory);
    }

    private void onVictim(final int index)
    {
        victim = index;
    }

    /** There is one: no more grants serve the class than it has places. */
    private int freePlace()
    {
        int place = 0;
        while (NONE != grantOfPlace[place] && classIndex == pool.grantClass(grantOfPlace[place]))
        {
            place++;
        }

        return place;
    }
}
