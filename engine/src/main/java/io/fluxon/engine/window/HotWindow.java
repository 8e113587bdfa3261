package io.fluxon.engine.window;

import java.lang.foreign.MemorySegment;

/**
 * The committed slots of one slot class, in the order in which they may go (contract HOT-1). All slots of a class
 * weigh the same, so the window is as heavy as slots times slot size. It names victims and frees nothing, and it never
 * evicts by itself. Confined to one thread; every operation is O(1) for each slot and allocates nothing.
 */
public final class HotWindow
{
    private static final int PROTECTED_PERCENT = 20;

    private final WindowPolicy policy;
    private final long slotSizeBytes;
    private final long capacityBytes;

    private HotWindow(final WindowPolicy policy, final long slotSizeBytes, final long capacityBytes)
    {
        this.policy = policy;
        this.slotSizeBytes = slotSizeBytes;
        this.capacityBytes = capacityBytes;
    }

    /**
     * A window in which the least recently used slot goes first.
     *
     * @param memory        native, zeroed, aligned to 8 bytes, at least {@link #requiredLength} bytes.
     * @param slotCount     slot ids are 0 to slotCount - 1.
     * @param slotSizeBytes slot size of the class.
     * @param capacityBytes slot bytes that may be in the window.
     * @return the window.
     */
    public static HotWindow lru(
        final MemorySegment memory, final int slotCount, final long slotSizeBytes, final long capacityBytes)
    {
        checkSizes(slotSizeBytes, capacityBytes);
        final SlotLists lists = new SlotLists(memory, slotCount, LruPolicy.LISTS);
        return new HotWindow(new LruPolicy(lists), slotSizeBytes, capacityBytes);
    }

    /**
     * A window with a fifth of its capacity protected for slots that were hit.
     *
     * @param memory        native, zeroed, aligned to 8 bytes, at least {@link #requiredLength} bytes.
     * @param slotCount     slot ids are 0 to slotCount - 1.
     * @param slotSizeBytes slot size of the class.
     * @param capacityBytes slot bytes that may be in the window.
     * @return the window.
     */
    public static HotWindow slru(
        final MemorySegment memory, final int slotCount, final long slotSizeBytes, final long capacityBytes)
    {
        checkSizes(slotSizeBytes, capacityBytes);
        final SlotLists lists = new SlotLists(memory, slotCount, SlruPolicy.LISTS);
        final long slots = Math.min(slotCount, capacityBytes / slotSizeBytes);
        final SlruPolicy policy = new SlruPolicy(lists, (int)(slots * PROTECTED_PERCENT / 100));
        return new HotWindow(policy, slotSizeBytes, capacityBytes);
    }

    /**
     * Length of the memory that a window needs.
     *
     * @param slotCount number of slot ids.
     * @return length in bytes.
     */
    public static long requiredLength(final int slotCount)
    {
        return SlotLists.requiredLength(slotCount);
    }

    /**
     * A slot comes into the window, which may be over its capacity then.
     *
     * @param slotId of a committed slot.
     * @throws IllegalStateException when it is in the window already.
     */
    public void add(final int slotId)
    {
        policy.add(slotId);
    }

    /**
     * A local hit; the pages of one prefix come deepest first.
     *
     * @param slotId of any slot; nothing happens for one that is not in the window.
     */
    public void touch(final int slotId)
    {
        policy.touch(slotId);
    }

    /**
     * A slot leaves for another reason than eviction.
     *
     * @param slotId of any slot.
     * @return whether it was in the window.
     */
    public boolean remove(final int slotId)
    {
        return policy.remove(slotId);
    }

    /**
     * Take victims out until they weigh at least as much as is wanted or the window is empty.
     *
     * @param bytes   slot bytes wanted.
     * @param handler gets each victim; must not call the window.
     * @return slot bytes of the victims.
     */
    public long evictSome(final long bytes, final VictimHandler handler)
    {
        long evicted = 0;
        while (evicted < bytes && 0 < policy.size())
        {
            evicted += slotSizeBytes;
            handler.onVictim(policy.evict());
        }
        return evicted;
    }

    /**
     * How much is in the window.
     *
     * @return slot bytes.
     */
    public long weightBytes()
    {
        return policy.size() * slotSizeBytes;
    }

    /**
     * How much is to be evicted before the window is within its capacity.
     *
     * @return slot bytes, 0 when it is.
     */
    public long overflowBytes()
    {
        return Math.max(0, weightBytes() - capacityBytes);
    }

    private static void checkSizes(final long slotSizeBytes, final long capacityBytes)
    {
        if (slotSizeBytes <= 0 || capacityBytes < 0)
        {
            throw new IllegalArgumentException(
                "hot window: slot size " + slotSizeBytes + " B, capacity " + capacityBytes + " B");
        }
    }
}
