package io.fluxon.engine.window;

import java.lang.foreign.MemorySegment;

/**
 * The committed slots of one slot class, in the order in which they may go (contract HOT-1). All slots of a class
 * weigh the same, so the window is as heavy as slots times slot size. It names victims and frees nothing, and it never
 * evicts by itself. Confined to one thread; every operation is O(1) for each slot and allocates nothing.
 */
public final class HotWindow
{
    private final WindowPolicy policy;
    private final long slotSizeBytes;
    private final long capacityBytes;

    /**
     * An empty window.
     *
     * @param kind          which slot goes first.
     * @param memory        native, zeroed, aligned to 8 bytes, at least {@link #requiredLength} bytes.
     * @param slotCount     slot ids are 0 to slotCount - 1.
     * @param slotSizeBytes slot size of the class, greater than 0.
     * @param capacityBytes slot bytes that may be in the window, at least one slot.
     */
    public HotWindow(
        final WindowPolicyKind kind,
        final MemorySegment memory,
        final int slotCount,
        final long slotSizeBytes,
        final long capacityBytes)
    {
        if (slotSizeBytes <= 0 || capacityBytes < slotSizeBytes)
        {
            throw new IllegalArgumentException("hot window: slot size " + slotSizeBytes + " B, capacity " +
                capacityBytes + " B; the slot size must be greater than 0, the capacity at least one slot");
        }
        final int capacitySlots = (int)Math.min(slotCount, capacityBytes / slotSizeBytes);
        policy = kind.create(new MemoryCarver(memory, kind.requiredLength(slotCount)), slotCount, capacitySlots);
        this.slotSizeBytes = slotSizeBytes;
        this.capacityBytes = capacityBytes;
    }

    /**
     * Length of the memory that a window needs.
     *
     * @param kind      which slot goes first.
     * @param slotCount number of slot ids.
     * @return length in bytes.
     */
    public static long requiredLength(final WindowPolicyKind kind, final int slotCount)
    {
        return kind.requiredLength(slotCount);
    }

    /**
     * A local hit.
     *
     * @param run   the leading pages of a prefix; slots that are not in the window are passed over.
     * @param nowMs time of the owner's duty cycle, never less than before.
     */
    public void touch(final SlotRun run, final long nowMs)
    {
        policy.touch(run, nowMs);
    }

    /**
     * Pages come into the window, which may be over its capacity then. Those of their prefix that are in it already are
     * renewed, so that a parent is never older than its child; that is no hit.
     *
     * @param run   the pages, with those before them as far as known.
     * @param nowMs time of the owner's duty cycle, never less than before.
     */
    public void add(final SlotRun run, final long nowMs)
    {
        policy.add(run, nowMs);
    }

    /**
     * Is a slot in the window?
     *
     * @param slotId of any slot.
     * @return true if it is.
     */
    public boolean contains(final int slotId)
    {
        return policy.contains(slotId);
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
}
