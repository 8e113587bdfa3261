package io.fluxon.engine.window;

/**
 * The slot that was used longest ago goes first, of one prefix the deepest.
 */
final class LruPolicy implements WindowPolicy
{
    private final SlotLists lists;

    LruPolicy(final MemoryCarver memory, final int slotCount)
    {
        lists = new SlotLists(memory.next(SlotLists.requiredLength(slotCount)), slotCount, 1);
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
                lists.append(0, run.slotId(i));
            }
        }
    }

    @Override
    public void add(final SlotRun run, final long nowMs)
    {
        for (int i = run.size() - 1; i >= 0; i--)
        {
            lists.unlink(run.slotId(i));
            lists.append(0, run.slotId(i));
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
        return lists.unlinkOldest(0);
    }

    @Override
    public int size()
    {
        return lists.size(0);
    }
}
