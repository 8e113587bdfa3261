package io.fluxon.engine.window;

/**
 * Pages of one prefix, the front page first: the slots that hold them, and the hashes of their keys. Made once for the
 * longest run there can be, and filled again for each use. Not thread-safe.
 */
public final class SlotRun
{
    /** No slot. */
    public static final int NONE = SlotLists.NONE;

    private final int[] slotIds;
    private final long[] keyHashes;
    private int size;
    private int behind = NONE;

    /**
     * An empty run.
     *
     * @param maxSlots most slots that it can hold, greater than 0.
     */
    public SlotRun(final int maxSlots)
    {
        if (maxSlots <= 0)
        {
            throw new IllegalArgumentException("maxSlots must be greater than 0, is " + maxSlots);
        }
        slotIds = new int[maxSlots];
        keyHashes = new long[maxSlots];
    }

    /**
     * Forgets all slots.
     *
     * @return this.
     */
    public SlotRun clear()
    {
        size = 0;
        behind = NONE;
        return this;
    }

    /**
     * Appends the next page of the prefix.
     *
     * @param slotId  that holds the page.
     * @param keyHash of the page's key, well mixed in all bits.
     * @return this.
     * @throws IndexOutOfBoundsException when the run is full.
     */
    public SlotRun append(final int slotId, final long keyHash)
    {
        slotIds[size] = slotId;
        keyHashes[size] = keyHash;
        size++;
        return this;
    }

    /**
     * The run is the front part of a longer one whose parts are touched one after the other, the deepest first.
     *
     * @param slotId of the page that follows the run, which was touched before; {@link #NONE} after {@link #clear}.
     * @return this.
     */
    public SlotRun behind(final int slotId)
    {
        behind = slotId;
        return this;
    }

    /**
     * Slot of the page that follows the run in the same use.
     *
     * @return its slot id, {@link #NONE} when the run is all of the use, or the deepest part of it.
     */
    public int behind()
    {
        return behind;
    }

    /**
     * Number of pages.
     *
     * @return at least 0.
     */
    public int size()
    {
        return size;
    }

    /**
     * Slot of one page.
     *
     * @param index of the page, 0 is the front.
     * @return its slot id.
     */
    public int slotId(final int index)
    {
        return slotIds[index];
    }

    /**
     * Key hash of one page.
     *
     * @param index of the page, 0 is the front.
     * @return the hash.
     */
    public long keyHash(final int index)
    {
        return keyHashes[index];
    }
}
