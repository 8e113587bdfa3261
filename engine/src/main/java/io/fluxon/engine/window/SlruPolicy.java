package io.fluxon.engine.window;

/**
 * Segmented LRU: a slot starts on probation, a hit protects it, and the least recently used of those on probation goes
 * first. When more than a fifth of the capacity is protected, the oldest of it is on probation again.
 */
final class SlruPolicy implements WindowPolicy
{
    private static final int PROBATION = 0;
    private static final int PROTECTED = 1;
    private static final int LISTS = 2;
    private static final int PROTECTED_PERCENT = 20;

    private final SlotLists lists;
    private final int maxProtected;

    SlruPolicy(final MemoryCarver memory, final int slotCount, final int capacitySlots)
    {
        lists = new SlotLists(memory.next(SlotLists.requiredLength(slotCount)), slotCount, LISTS);
        maxProtected = (int)((long)capacitySlots * PROTECTED_PERCENT / 100);
    }

    static long requiredLength(final int slotCount)
    {
        return SlotLists.requiredLength(slotCount);
    }

    @Override
    public void touch(final SlotRun run, final long nowMs)
    {
        for (int i = run.size() - 1; i >= 0; i--)
        {
            if (lists.unlink(run.slotId(i)))
            {
                lists.append(PROTECTED, run.slotId(i));
                if (lists.size(PROTECTED) > maxProtected)
                {
                    lists.append(PROBATION, lists.unlinkOldest(PROTECTED));
                }
            }
        }
    }

    @Override
    public void add(final SlotRun run, final long nowMs)
    {
        for (int i = run.size() - 1; i >= 0; i--)
        {
            final int list = lists.listOf(run.slotId(i));
            lists.unlink(run.slotId(i));
            lists.append(SlotLists.NONE == list ? PROBATION : list, run.slotId(i));
        }
    }

    @Override
    public boolean remove(final int slotId)
    {
        return lists.unlink(slotId);
    }

    @Override
    public boolean contains(final int slotId)
    {
        return SlotLists.NONE != lists.listOf(slotId);
    }

    @Override
    public int evict()
    {
        return lists.unlinkOldest(0 < lists.size(PROBATION) ? PROBATION : PROTECTED);
    }

    @Override
    public int size()
    {
        return lists.size(PROBATION) + lists.size(PROTECTED);
    }
}
