package io.fluxon.engine.window;

/**
 * Segmented LRU: a slot starts on probation, a hit protects it, and the least recently used of those on probation goes
 * first. When more than the protected share of the capacity is protected, the oldest of them is on probation again.
 */
final class SlruPolicy implements WindowPolicy
{
    static final int LISTS = 2;

    private static final int PROBATION = 0;
    private static final int PROTECTED = 1;

    private final SlotLists lists;
    private final int maxProtected;

    SlruPolicy(final SlotLists lists, final int maxProtected)
    {
        this.lists = lists;
        this.maxProtected = maxProtected;
    }

    @Override
    public void add(final int slotId)
    {
        lists.append(PROBATION, slotId);
    }

    @Override
    public void touch(final int slotId)
    {
        if (lists.unlink(slotId))
        {
            lists.append(PROTECTED, slotId);
            if (lists.size(PROTECTED) > maxProtected)
            {
                final int oldest = lists.oldest(PROTECTED);
                lists.unlink(oldest);
                lists.append(PROBATION, oldest);
            }
        }
    }

    @Override
    public boolean remove(final int slotId)
    {
        return lists.unlink(slotId);
    }

    @Override
    public int evict()
    {
        final int onProbation = lists.oldest(PROBATION);
        final int victim = SlotLists.NONE != onProbation ? onProbation : lists.oldest(PROTECTED);
        if (SlotLists.NONE != victim)
        {
            lists.unlink(victim);
        }
        return victim;
    }

    @Override
    public int size()
    {
        return lists.size(PROBATION) + lists.size(PROTECTED);
    }
}
