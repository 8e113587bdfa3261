package io.fluxon.engine.owner;

import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotClass;
import io.fluxon.engine.memory.SlotPool;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.window.SlotRun;

import java.util.Arrays;

/**
 * The hot windows of this owner, one for each slot class (contract HOT-1): which committed values are in them, and in
 * which order they would go. A window holds no reference that keeps a value alive: what leaves the committed index
 * leaves its window in the same step.
 * <p>
 * A value that is committed awaits its admission until all of its job are committed (contract A1, V3); it is touched
 * when a worker gets it. Both take the pages of one batch as one run, so that its pages are in one order.
 */
final class HotWindows
{
    private static final long NANOS_OF_MILLI = 1_000_000;

    private final OwnerCore core;
    private final SlotPool pool;
    private final SlotTable table;
    private final ClassWindow[] windows;
    private final boolean[] isOver;
    private final boolean[] isDone;
    private final int[] seenGrants;
    private final SlotRun run;
    private final int[] slots;
    private int count;
    private int behind;
    private int over;
    private long awaiting;
    private long hot;

    HotWindows(final OwnerCore core)
    {
        this.core = core;
        pool = core.pool;
        table = core.table;
        windows = new ClassWindow[pool.classCount()];
        isOver = new boolean[pool.classCount()];
        isDone = new boolean[pool.classCount()];
        seenGrants = new int[pool.classCount()];
        final int maxPages = core.settings.maxKeysPerBatch() + 1;
        run = new SlotRun(maxPages);
        slots = new int[maxPages];
        for (int i = 0; i < windows.length; i++)
        {
            if (pool.slotClass(i).isActive())
            {
                window(i);
            }
        }
    }

    /** Windows of classes that have lost a grant may be too full now. */
    void noteGrants()
    {
        for (int i = 0; i < windows.length; i++)
        {
            final int grants = pool.slotClass(i).grants();
            if (grants < seenGrants[i] && size(i) > 0)
            {
                suspect(i);
            }
            seenGrants[i] = grants;
        }
    }

    /** A slot has become a committed backing. */
    void onCommitted(final int slotId)
    {
        table.residence(slotId, Residence.AWAITING);
        awaiting++;
    }

    /** A slot that is in no eviction job is a committed backing no more. */
    void onLeft(final int slotId)
    {
        if (Residence.HOT == table.residence(slotId))
        {
            leave(slotId);
        }
        else
        {
            awaiting--;
        }
        table.residence(slotId, Residence.NONE);
    }

    /** Can an eviction job take a value that goes with its victim? One that another job has already cannot. */
    boolean isSelectable(final int slotId)
    {
        final Residence residence = table.residence(slotId);

        return Residence.HOT == residence || Residence.AWAITING == residence;
    }

    /** An eviction job takes a value that goes with its victim. */
    void onSelected(final int slotId)
    {
        onLeft(slotId);
        table.residence(slotId, Residence.SELECTED);
    }

    /** Begins a run of the pages of one batch. */
    void beginRun()
    {
        count = 0;
    }

    /** Appends the next page of the batch. */
    void append(final int slotId)
    {
        slots[count++] = slotId;
    }

    /** Is there no room for another page? */
    boolean isRunFull()
    {
        return count == slots.length;
    }

    /**
     * Pages were got by a worker (contract HOT-1); those that are not in a window are passed over.
     *
     * @param behindSlot that has the page behind them, which the same worker got and which was touched before; or NONE.
     */
    void touchRun(final int behindSlot)
    {
        int kept = 0;
        for (int i = 0; i < count; i++)
        {
            if (Residence.HOT == table.residence(slots[i]))
            {
                slots[kept++] = slots[i];
            }
        }
        count = kept;
        behind = SlotTable.NONE != behindSlot && Residence.HOT == table.residence(behindSlot) ?
            behindSlot : SlotTable.NONE;
        apply(false);
    }

    /** Pages come into their windows; those that are in them already are renewed. */
    void admitRun()
    {
        for (int i = 0; i < count; i++)
        {
            admit(slots[i]);
        }
        apply(true);
    }

    /** Is a window too full, so that something has to be done? */
    boolean isAnyOver()
    {
        return over > 0;
    }

    /** Slot bytes by which a class's window is over its capacity (contract HOT-1); 0 = it is not. */
    long overflowBytes(final int classIndex)
    {
        if (!isOver[classIndex])
        {
            return 0;
        }

        final long grantBytes = pool.slotClass(classIndex).grants() * pool.plan().grantQuantumBytes();
        final long capacityBytes = (long)(core.settings.hotCapacityRatio() * grantBytes);
        final long overflow = windows[classIndex].weightBytes() - capacityBytes;
        if (overflow <= 0)
        {
            isOver[classIndex] = false;
            over--;
        }

        return Math.max(0, overflow);
    }

    /** Takes the value of a class that goes first; an eviction job has it now. */
    int takeVictim(final int classIndex)
    {
        final int slotId = null == windows[classIndex] ? SlotTable.NONE : windows[classIndex].takeVictim();
        if (SlotTable.NONE != slotId)
        {
            hot--;
            table.residence(slotId, Residence.SELECTED);
        }

        return slotId;
    }

    /** Values of a class that are in its window. */
    long size(final int classIndex)
    {
        return null == windows[classIndex] ? 0 : windows[classIndex].size();
    }

    /** Slot bytes in all windows. */
    long bytes()
    {
        long bytes = 0;
        for (int i = 0; i < windows.length; i++)
        {
            bytes += null == windows[i] ? 0 : windows[i].weightBytes();
        }

        return bytes;
    }

    /** Values in all windows. */
    long hot()
    {
        return hot;
    }

    /** Committed values that wait for the rest of their job. */
    long awaiting()
    {
        return awaiting;
    }

    /** Are as many values in the windows as were let in and did not leave? For audits. */
    boolean isBalanced()
    {
        long total = 0;
        for (int i = 0; i < windows.length; i++)
        {
            total += size(i);
        }

        return total == hot;
    }

    void close()
    {
        for (int i = 0; i < windows.length; i++)
        {
            if (null != windows[i])
            {
                windows[i].close();
                windows[i] = null;
            }
        }
    }

    private void leave(final int slotId)
    {
        windows[pool.classIndex(slotId)].remove(slotId);
        hot--;
    }

    private void admit(final int slotId)
    {
        final Residence residence = table.residence(slotId);
        if (Residence.HOT == residence)
        {
            return;
        }

        awaiting -= Residence.AWAITING == residence ? 1 : 0;
        hot++;
        table.residence(slotId, Residence.HOT);
    }

    /** Values of a batch are of one class, as a rule; those of a read can be of several. */
    private void apply(final boolean isAdmission)
    {
        int left = count;
        for (int i = 0; left > 0 && i < count; i++)
        {
            final int classIndex = pool.classIndex(slots[i]);
            if (!isDone[classIndex])
            {
                isDone[classIndex] = true;
                left -= apply(window(classIndex), classIndex, isAdmission);
            }
        }
        Arrays.fill(isDone, false);
    }

    private int apply(final ClassWindow window, final int classIndex, final boolean isAdmission)
    {
        final long nowMs = core.nowNs() / NANOS_OF_MILLI;
        run.clear();
        for (int i = 0; i < count; i++)
        {
            if (classIndex == pool.classIndex(slots[i]))
            {
                run.append(window.indexOf(slots[i]), table.digestLow(slots[i]));
            }
        }

        if (isAdmission)
        {
            window.add(run, nowMs);
            suspect(classIndex);
        }
        else
        {
            if (SlotTable.NONE != behind && classIndex == pool.classIndex(behind))
            {
                run.behind(window.indexOf(behind));
            }
            window.touch(run, nowMs);
        }

        return run.size();
    }

    private void suspect(final int classIndex)
    {
        over += isOver[classIndex] ? 0 : 1;
        isOver[classIndex] = true;
    }

    private ClassWindow window(final int classIndex)
    {
        final SlotClass slotClass = pool.slotClass(classIndex);
        final ClassWindow window = windows[classIndex];
        if (null != window && window.isOf(slotClass))
        {
            return window;
        }

        if (null != window)
        {
            window.close();
        }
        windows[classIndex] = new ClassWindow(core, slotClass);

        return windows[classIndex];
    }
}
