package io.fluxon.engine.window;

/**
 * Decides which slot of a hot window goes first. Confined to one thread; every operation is O(1) amortised for each
 * slot, allocates nothing, and the same calls choose the same victims.
 */
interface WindowPolicy
{
    /**
     * A local hit.
     *
     * @param run   leading pages of a prefix; slots that are not in the window are passed over.
     * @param nowMs time of the owner's duty cycle, never less than before.
     */
    void touch(SlotRun run, long nowMs);

    /**
     * Pages come into the window. Those of their prefix that are in it already are renewed, so that a parent is never
     * older than its child, but that is no hit.
     *
     * @param run   the pages, with those before them as far as known.
     * @param nowMs time of the owner's duty cycle, never less than before.
     */
    void add(SlotRun run, long nowMs);

    /**
     * A slot leaves for another reason than eviction.
     *
     * @param slotId of any slot.
     * @return whether it was in the window.
     */
    boolean remove(int slotId);

    /**
     * Is a slot in the window?
     *
     * @param slotId of any slot.
     * @return true if it is.
     */
    boolean contains(int slotId);

    /**
     * Choose the slot that goes first and take it out.
     *
     * @return its id, or {@link SlotLists#NONE} when the window is empty.
     */
    int evict();

    /**
     * Number of slots in the window.
     *
     * @return number of slots.
     */
    int size();
}
