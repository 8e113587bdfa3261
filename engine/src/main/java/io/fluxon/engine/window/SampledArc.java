package io.fluxon.engine.window;

/**
 * What {@link ArcPolicy} would have hit of a sample of the pages, chosen by the hashes of their keys: a cache of hashes
 * only, as much smaller than the window as the sample is smaller than all pages. Confined to one thread; every
 * operation is O(1) on average and allocates nothing.
 */
final class SampledArc
{
    private static final int FULL_SIZE = 128;
    private static final int MAX_SHIFT = 3;
    private static final long MISSED = 0;
    private static final long HIT = 1;

    private final GhostTable table;
    private final ArcPolicy arc;
    private final SlotRun page = new SlotRun(1);
    private final int shift;

    SampledArc(final MemoryCarver memory, final int slotCount, final int capacitySlots)
    {
        shift = shift(slotCount);
        table = new GhostTable(memory, entryCount(slotCount), 1);
        arc = new ArcPolicy(memory, entryCount(slotCount), Math.max(1, capacitySlots >> shift));
    }

    static long requiredLength(final int slotCount)
    {
        return GhostTable.requiredLength(entryCount(slotCount)) + ArcPolicy.requiredLength(entryCount(slotCount));
    }

    private static int entryCount(final int slotCount)
    {
        return (slotCount >> shift(slotCount)) + 1;
    }

    /** One of eight pages, more of them where the sample would be too small. */
    private static int shift(final int slotCount)
    {
        int shift = 0;
        while (shift < MAX_SHIFT && slotCount >> shift + 1 >= FULL_SIZE)
        {
            shift++;
        }
        return shift;
    }

    boolean isSampled(final long keyHash)
    {
        return 0 == keyHash >>> 1 >>> Long.SIZE - 1 - shift;
    }

    /** Number of pages that a window of this size has in the sample. */
    int share(final int slots)
    {
        return slots >> shift;
    }

    boolean contains(final long keyHash)
    {
        return GhostTable.NONE != table.find(keyHash);
    }

    /** Was the page there when it was used last? */
    boolean wasHit(final long keyHash)
    {
        final int entry = table.find(keyHash);
        return GhostTable.NONE != entry && HIT == table.value(entry);
    }

    /** A page is used, and is there from now on. */
    void use(final long keyHash, final long nowMs)
    {
        final int entry = table.find(keyHash);
        if (GhostTable.NONE != entry)
        {
            table.value(entry, HIT);
            arc.touch(page.clear().append(entry, keyHash), nowMs);
            return;
        }

        if (table.isFull())
        {
            evict();
        }
        arc.add(page.clear().append(table.add(0, keyHash, MISSED), keyHash), nowMs);
    }

    /** A page behind this one came in. */
    void renew(final long keyHash, final long nowMs)
    {
        final int entry = table.find(keyHash);
        if (GhostTable.NONE != entry)
        {
            arc.add(page.clear().append(entry, keyHash), nowMs);
        }
    }

    void shrinkTo(final int pages)
    {
        while (table.size(0) > pages)
        {
            evict();
        }
    }

    private void evict()
    {
        table.remove(arc.evict());
    }
}
