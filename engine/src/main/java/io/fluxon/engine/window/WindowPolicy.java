package io.fluxon.engine.window;

/**
 * Decides which slot of a hot window goes first. Confined to one thread; every operation is O(1) amortised, allocates
 * nothing, and the same calls choose the same victims.
 */
interface WindowPolicy
{
    /**
     * A slot comes into the window.
     *
     * @param slotId of a slot that is not in it.
     * @throws IllegalStateException when it is in the window already.
     */
    void add(int slotId);

    /**
     * A local hit. The pages of one prefix come deepest first, so that a parent is never older than its child.
     *
     * @param slotId of any slot; nothing happens for one that is not in the window.
     */
    void touch(int slotId);

    /**
     * A slot leaves for another reason than eviction.
     *
     * @param slotId of any slot.
     * @return whether it was in the window.
     */
    boolean remove(int slotId);

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
