package io.fluxon.engine.memory;

/**
 * All slots of one size: which grants they lie in and how many are in which state. Changed by {@link SlotPool} only;
 * for others it is a view whose numbers are current at every instant.
 */
public final class SlotClass
{
    private final int index;

    long slotSize;
    int slotsPerGrant;
    int minGrants;
    int maxGrants;
    int grants;
    int usedGrants;
    long setAside;
    long oldestClaim = Long.MAX_VALUE;
    int waitingClaims;
    long waitingSlots;
    int partialHead = SlotTable.NONE;
    int emptyHead = SlotTable.NONE;
    final long[] counts = new long[SlotState.COUNT];

    SlotClass(final int index)
    {
        this.index = index;
    }

    /**
     * Index of the class.
     *
     * @return from 0.
     */
    public int index()
    {
        return index;
    }

    /**
     * Does any value length map to the class now?
     *
     * @return false before its first use, and after it was given up because another class was needed.
     */
    public boolean isActive()
    {
        return slotSize > 0;
    }

    /**
     * Length of a slot.
     *
     * @return length in bytes.
     */
    public long slotSize()
    {
        return slotSize;
    }

    /**
     * Number of slots in a grant.
     *
     * @return number of slots.
     */
    public int slotsPerGrant()
    {
        return slotsPerGrant;
    }

    /**
     * Number of grants reserved for the class (contract SLOT-3).
     *
     * @return number of grants, 0 without an expected capacity.
     */
    public int minGrants()
    {
        return minGrants;
    }

    /**
     * Most grants that the class can ever have.
     *
     * @return number of grants.
     */
    public int maxGrants()
    {
        return maxGrants;
    }

    /**
     * Number of grants that the class has.
     *
     * @return number of grants.
     */
    public int grants()
    {
        return grants;
    }

    /**
     * Number of grants with at least one slot in use.
     *
     * @return number of grants.
     */
    public int usedGrants()
    {
        return usedGrants;
    }

    /**
     * Number of slots in a state; for {@link SlotState#FREE} those in the class's grants, set aside or not.
     *
     * @param state of the slots.
     * @return number of slots.
     */
    public long count(final SlotState state)
    {
        return counts[state.code()];
    }

    /**
     * Number of slots that are set aside for granted claims and not yet taken.
     *
     * @return number of slots, all of them FREE.
     */
    public long setAside()
    {
        return setAside;
    }

    /**
     * Number of free slots that no claim has.
     *
     * @return number of slots.
     */
    public long available()
    {
        return counts[SlotState.FREE.code()] - setAside;
    }

    /**
     * Number of slots that are not FREE.
     *
     * @return number of slots.
     */
    public long used()
    {
        return (long) grants * slotsPerGrant - counts[SlotState.FREE.code()];
    }

    /**
     * Number of slots in the class's grants.
     *
     * @return number of slots.
     */
    public long slots()
    {
        return (long) grants * slotsPerGrant;
    }

    /**
     * Most slots that the class can ever have.
     *
     * @return number of slots.
     */
    public long maxSlots()
    {
        return (long) maxGrants * slotsPerGrant;
    }

    /**
     * Number of claims that wait for slots of the class.
     *
     * @return number of claims.
     */
    public int waitingClaims()
    {
        return waitingClaims;
    }

    /**
     * Number of slots that the waiting claims want.
     *
     * @return number of slots.
     */
    public long waitingSlots()
    {
        return waitingSlots;
    }
}
