package io.fluxon.engine.window;

/**
 * Adaptive replacement (Megiddo and Modha, 2003): one list of slots used once, one of slots hit since, each followed by
 * the hashes of what went from it; a hash that comes back shifts the target size between the two. Here a page comes in
 * before another goes, so the choice is made when room is asked for.
 */
final class ArcPolicy implements WindowPolicy
{
    private static final int ONCE = 0;
    private static final int OFTEN = 1;
    private static final int LISTS = 2;

    private final SlotLists lists;
    private final KeyHashes keyHashes;
    private final GhostTable ghosts;
    private final int capacitySlots;
    private double targetOnce;

    ArcPolicy(final MemoryCarver memory, final int slotCount, final int capacitySlots)
    {
        lists = new SlotLists(memory.next(SlotLists.requiredLength(slotCount)), slotCount, LISTS);
        keyHashes = new KeyHashes(memory, slotCount);
        ghosts = new GhostTable(memory, slotCount, LISTS);
        this.capacitySlots = capacitySlots;
    }

    static long requiredLength(final int slotCount)
    {
        return SlotLists.requiredLength(slotCount) + KeyHashes.requiredLength(slotCount) +
            GhostTable.requiredLength(slotCount);
    }

    @Override
    public void touch(final SlotRun run, final long nowMs)
    {
        for (int i = run.size() - 1; i >= 0; i--)
        {
            if (lists.unlink(run.slotId(i)))
            {
                lists.append(OFTEN, run.slotId(i));
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
            lists.append(SlotLists.NONE == list ? listOfNew(run.keyHash(i)) : list, run.slotId(i));
            keyHashes.set(run.slotId(i), run.keyHash(i));
        }
    }

    private int listOfNew(final long keyHash)
    {
        final int ghost = ghosts.find(keyHash);
        if (GhostTable.NONE == ghost)
        {
            return ONCE;
        }

        final double once = ghosts.size(ONCE);
        final double often = ghosts.size(OFTEN);
        targetOnce = OFTEN == ghosts.listOf(ghost) ?
            Math.max(0, targetOnce - Math.max(1, once / often)) :
            Math.min(capacitySlots, targetOnce + Math.max(1, often / once));
        ghosts.remove(ghost);
        return OFTEN;
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
        final boolean isOnce = 0 < lists.size(ONCE) && (lists.size(ONCE) > targetOnce || 0 == lists.size(OFTEN));
        final int victim = lists.oldest(isOnce ? ONCE : OFTEN);
        if (SlotLists.NONE != victim)
        {
            evict(victim);
        }
        return victim;
    }

    /** A victim that was chosen elsewhere; it is remembered as if it had been chosen here. */
    void evict(final int slotId)
    {
        final int list = lists.listOf(slotId);
        lists.unlink(slotId);
        remember(list, keyHashes.get(slotId));
    }

    private void remember(final int list, final long keyHash)
    {
        final int ghost = ghosts.find(keyHash);
        if (GhostTable.NONE != ghost)
        {
            ghosts.remove(ghost);
        }
        else if (ghosts.isFull())
        {
            ghosts.removeOldest(0 < ghosts.size(ONCE) ? ONCE : OFTEN);
        }
        ghosts.add(list, keyHash, 0);
        while (0 < ghosts.size(ONCE) && lists.size(ONCE) + ghosts.size(ONCE) > capacitySlots)
        {
            ghosts.removeOldest(ONCE);
        }
        while (0 < ghosts.size(OFTEN) && size() + ghosts.size(ONCE) + ghosts.size(OFTEN) > 2L * capacitySlots)
        {
            ghosts.removeOldest(OFTEN);
        }
    }

    @Override
    public int size()
    {
        return lists.size(ONCE) + lists.size(OFTEN);
    }
}
