package io.fluxon.engine.window;

/**
 * The slot that was added or touched longest ago goes first.
 */
final class LruPolicy implements WindowPolicy
{
    static final int LISTS = 1;

    private final SlotLists lists;

    LruPolicy(final SlotLists lists)
    {
        this.lists = lists;
    }

    @Override
    public void add(final int slotId)
    {
        lists.append(0, slotId);
    }

    @Override
    public void touch(final int slotId)
    {
        if (lists.unlink(slotId))
        {
            lists.append(0, slotId);
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
        final int victim = lists.oldest(0);
        if (SlotLists.NONE != victim)
        {
            lists.unlink(victim);
        }
        return victim;
    }

    @Override
    public int size()
    {
        return lists.size(0);
    }
}
