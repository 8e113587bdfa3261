package io.fluxon.engine.memory;

import static io.fluxon.engine.memory.SlotTable.NONE;

/**
 * The owner's slots: hands them out per class and takes them back when their last reference is gone.
 * <p>
 * <b>References</b> (contract S2). A slot is in use while {@code routeLive || holderCount > 0}, and goes back to
 * {@link SlotState#FREE} in the moment in which the last of them is released, in whatever order. A slot that is taken
 * starts with one holder: whoever took it. That holder passes from the put plan to the publish job and, on promotion,
 * becomes the resident holder of the committed value; to abort, or to end a failed put (contract PUT-4), release it.
 * <p>
 * <b>Grants</b> (contract SLOT-1, SLOT-3, SLOT-5, S5). Each grant serves one class, so many classes live at once. A
 * class without an expected capacity takes an unassigned grant on demand, and when there is none a wholly unused one
 * of another class, never one that is reserved there. Slots come from grants that are partly used before unused ones.
 * <p>
 * Confined to one thread; allocates nothing. Every misuse is an {@link InvariantViolation}.
 */
public final class SlotPool
{
    private final SlotTable table;
    private final CapacityPlan plan;
    private final GrantTable grants;
    private final SlotClass[] classes;
    private final long grantsOffset;
    private final int onDemandGrants;
    private int activeClasses;
    private long holders;
    private long liveRoutes;
    private long changes;
    private SlotAudit audit;

    /**
     * A pool whose expected capacities are reserved and whose slots are all free.
     *
     * @param table        of the plan's grants, zeroed.
     * @param plan         concluded.
     * @param grantsOffset offset of the first grant in the segment file, in bytes.
     */
    public SlotPool(final SlotTable table, final CapacityPlan plan, final long grantsOffset)
    {
        final long slots = CapacityPlan.maxSlots(plan.grantCount(), plan.grantQuantumBytes());
        if (!plan.isConcluded() || slots != table.capacity())
        {
            throw new IllegalArgumentException("slot table of " + table.capacity() +
                " slots does not fit the capacity plan of " + slots);
        }

        this.table = table;
        this.plan = plan;
        this.grantsOffset = grantsOffset;
        onDemandGrants = plan.grantCount() - plan.expectedGrantsTotal();
        grants = new GrantTable(plan.grantCount());
        classes = new SlotClass[plan.maxSlotClasses()];
        for (int i = 0; i < classes.length; i++)
        {
            classes[i] = new SlotClass(i);
        }

        for (int i = 0; i < plan.expectedCount(); i++)
        {
            final int expectedGrants = plan.expectedGrants(i);
            final SlotClass slotClass = activate(classes[activeClasses], plan.expectedValueLength(i));
            slotClass.minGrants = expectedGrants;
            slotClass.maxGrants = expectedGrants;
            for (int j = 0; j < expectedGrants; j++)
            {
                grants.assign(slotClass);
            }
        }
    }

    /**
     * The records.
     *
     * @return the slot table.
     */
    public SlotTable table()
    {
        return table;
    }

    /**
     * The settings.
     *
     * @return the capacity plan.
     */
    public CapacityPlan plan()
    {
        return plan;
    }

    /**
     * Class of the slots that fit a value; it comes into being when it is first asked for. When the bound of classes is
     * reached, one that is wholly unused and has no reserved grant makes room (contract BOUND-1).
     *
     * @param valueLength in bytes.
     * @return class index, valid in this duty cycle or as long as the class has a slot in use or a claim; or
     * {@link SlotTable#NONE} when the length is not from 1 to {@link CapacityPlan#maxValueLength()}, or all classes
     * are in use.
     */
    public int classFor(final long valueLength)
    {
        if (valueLength < 1 || valueLength > plan.maxValueLength())
        {
            return NONE;
        }

        final long slotSize = CapacityPlan.slotSize(valueLength);
        SlotClass vacant = null;
        for (final SlotClass slotClass : classes)
        {
            if (slotSize == slotClass.slotSize)
            {
                return slotClass.index();
            }
            if (null == vacant && !slotClass.isActive())
            {
                vacant = slotClass;
            }
        }

        final SlotClass slotClass = null != vacant ? vacant : retireUnused();
        if (null == slotClass)
        {
            return NONE;
        }

        activate(slotClass, valueLength);
        slotClass.minGrants = 0;
        slotClass.maxGrants = onDemandGrants;

        return slotClass.index();
    }

    /**
     * Bound of the class indexes.
     *
     * @return class indexes are below this number; not all of them are active.
     */
    public int classCount()
    {
        return classes.length;
    }

    /**
     * Number of classes that value lengths map to now.
     *
     * @return from 0 to {@link #classCount()}.
     */
    public int activeClasses()
    {
        return activeClasses;
    }

    /**
     * A class.
     *
     * @param classIndex from 0 to {@link #classCount()} - 1.
     * @return a view whose numbers stay current.
     */
    public SlotClass slotClass(final int classIndex)
    {
        return classes[classIndex];
    }

    /**
     * Class of a slot.
     *
     * @param slotId of a slot in a grant that serves a class.
     * @return class index.
     */
    public int classIndex(final int slotId)
    {
        final int classIndex = grants.classIndex(table.grantId(slotId));
        if (NONE == classIndex)
        {
            throw new InvariantViolation("slot " + slotId + " lies in a grant that serves no class");
        }

        return classIndex;
    }

    /**
     * Where the slot's bytes are.
     *
     * @param slotId of a slot in a grant that serves a class.
     * @return offset of its first byte in the segment file.
     */
    public long offset(final int slotId)
    {
        final long slotSize = classes[classIndex(slotId)].slotSize;

        return grantsOffset + table.grantId(slotId) * plan.grantQuantumBytes() + table.slotIndex(slotId) * slotSize;
    }

    /**
     * Takes one free slot of a class now, without waiting and without passing claims that wait: none when one waits for
     * the class, and no further grant when one waits for any class.
     *
     * @param classIndex of the class.
     * @return a slot that is {@link SlotState#PREPARED} with one holder, or {@link SlotTable#NONE}.
     */
    public int takeNow(final int classIndex)
    {
        if (classes[classIndex].waitingClaims > 0 || !setAside(classIndex, 1, Long.MAX_VALUE, !isAnyWaiting()))
        {
            return NONE;
        }

        return take(classIndex);
    }

    /**
     * Gives a class an unassigned grant (contract HOT-1: a hot window that overflows gets room while there is any).
     * None while a claim of any class waits, which may need it.
     *
     * @param classIndex of the class.
     * @return false when no grant is unassigned, or the class may have no more.
     */
    public boolean addGrant(final int classIndex)
    {
        final SlotClass slotClass = classes[classIndex];
        if (0 == grants.unassigned() || slotClass.grants >= slotClass.maxGrants || isAnyWaiting())
        {
            return false;
        }

        grants.assign(slotClass);
        changes++;

        return true;
    }

    /**
     * Slots that claims of a class can still get: free ones that nobody has, and those of unassigned grants that it may
     * take.
     *
     * @param classIndex of the class.
     * @return number of slots.
     */
    public long obtainable(final int classIndex)
    {
        final SlotClass slotClass = classes[classIndex];
        final long newGrants = Math.min(grants.unassigned(), slotClass.maxGrants - slotClass.grants);

        return slotClass.available() + newGrants * slotClass.slotsPerGrant;
    }

    /**
     * Moves a slot in use to another state in use.
     *
     * @param slotId of the slot.
     * @param next   PENDING_LOCAL_VISIBLE, PENDING or COMMITTED; a transition of contract SLOT-2.
     */
    public void advance(final int slotId, final SlotState next)
    {
        final SlotState current = table.state(slotId);
        if (SlotState.FREE == next || SlotState.QUARANTINED == next || SlotState.QUARANTINED == current)
        {
            throw violation(slotId, "cannot be advanced to " + next);
        }

        changeState(slotId, current, next);
    }

    /**
     * Puts a slot aside whose bytes something may still write to (contract SLOT-7). Its holders stay.
     *
     * @param slotId of a slot that is PREPARED or PENDING.
     */
    public void quarantine(final int slotId)
    {
        final SlotState current = table.state(slotId);
        changeState(slotId, current, SlotState.QUARANTINED);
        table.quarantinedFrom(slotId, current);
    }

    /**
     * Ends a quarantine because the writer came back: the slot is what it was before. (When the writer is proven gone,
     * release the holder instead.)
     *
     * @param slotId of a slot that is QUARANTINED.
     */
    public void liftQuarantine(final int slotId)
    {
        final SlotState current = table.state(slotId);
        if (SlotState.QUARANTINED != current)
        {
            throw violation(slotId, "is not in quarantine");
        }

        changeState(slotId, current, table.quarantinedFrom(slotId));
    }

    /**
     * Adds a holder: the slot's bytes stay where they are until it is released.
     *
     * @param slotId of a slot in use.
     */
    public void holderAdd(final int slotId)
    {
        if (SlotState.FREE == table.state(slotId))
        {
            throw violation(slotId, "cannot be held");
        }

        changeHolders(slotId, table.holderCount(slotId), 1);
    }

    /**
     * Releases a holder. With the last reference the slot becomes FREE.
     *
     * @param slotId of a slot with a holder.
     * @return true when the slot is FREE now.
     */
    public boolean holderRelease(final int slotId)
    {
        final int holderCount = table.holderCount(slotId);
        if (holderCount < 1)
        {
            throw violation(slotId, "has no holder to release");
        }

        changeHolders(slotId, holderCount, -1);

        return freeIfUnused(slotId);
    }

    /**
     * Counts the master's route as a reference.
     *
     * @param slotId of a slot that is PENDING_LOCAL_VISIBLE, PENDING or COMMITTED, without a route.
     */
    public void routeAdd(final int slotId)
    {
        final SlotState state = table.state(slotId);
        if (table.isRouteLive(slotId) ||
            (SlotState.PENDING_LOCAL_VISIBLE != state && SlotState.PENDING != state && SlotState.COMMITTED != state))
        {
            throw violation(slotId, "cannot get a route");
        }

        table.routeLive(slotId, true);
        changeRoutes(slotId, 1);
    }

    /**
     * Releases the route's reference. With the last reference the slot becomes FREE.
     *
     * @param slotId of a slot with a route.
     * @return true when the slot is FREE now.
     */
    public boolean routeRelease(final int slotId)
    {
        if (!table.isRouteLive(slotId))
        {
            throw violation(slotId, "has no route to release");
        }

        table.routeLive(slotId, false);
        changeRoutes(slotId, -1);

        return freeIfUnused(slotId);
    }

    /**
     * Number of slots in a state over all classes; for FREE those in grants that serve a class.
     *
     * @param state of the slots.
     * @return number of slots.
     */
    public long count(final SlotState state)
    {
        long total = 0;
        for (final SlotClass slotClass : classes)
        {
            total += slotClass.count(state);
        }

        return total;
    }

    /**
     * Number of holders of all slots.
     *
     * @return number of holders.
     */
    public long holders()
    {
        return holders;
    }

    /**
     * Number of slots with a live route.
     *
     * @return number of slots.
     */
    public long liveRoutes()
    {
        return liveRoutes;
    }

    /**
     * Number of grants that serve no class.
     *
     * @return number of grants.
     */
    public int unassignedGrants()
    {
        return grants.unassigned();
    }

    /**
     * Grants that are configured.
     *
     * @return their number.
     */
    public int grantCount()
    {
        return grants.count();
    }

    /**
     * Class that a grant serves.
     *
     * @param grantId from 0.
     * @return class index, or {@link SlotTable#NONE}.
     */
    public int grantClass(final int grantId)
    {
        return grants.classIndex(grantId);
    }

    /**
     * Slots of a grant from this one on were never used since it serves its class.
     *
     * @param grantId from 0.
     * @return index within the grant, 0 for a grant that serves no class.
     */
    public int grantEnd(final int grantId)
    {
        return NONE == grants.classIndex(grantId) ? 0 : grants.fresh(grantId);
    }

    /**
     * Number of slots of a grant that are not FREE.
     *
     * @param grantId from 0.
     * @return number of slots.
     */
    public int grantUsed(final int grantId)
    {
        return grants.used(grantId);
    }

    /**
     * Slots of a grant that can be taken, counted anew along its free list: for inspection.
     *
     * @param grantId of a grant that serves a class.
     * @return number of slots, or {@link SlotTable#NONE} when the list is circular or has a slot that is not FREE.
     */
    public int countFree(final int grantId)
    {
        final int slotsPerGrant = classes[grants.classIndex(grantId)].slotsPerGrant;
        int count = slotsPerGrant - grants.fresh(grantId);
        for (int slotId = grants.freeHead(grantId); NONE != slotId; slotId = table.nextFree(slotId))
        {
            if (++count > slotsPerGrant || SlotState.FREE != table.state(slotId) || grantId != table.grantId(slotId))
            {
                return NONE;
            }
        }

        return count;
    }

    /**
     * Slot bytes that are in use (contract SLOT-6).
     *
     * @return sum of the slot sizes of all slots that are not FREE.
     */
    public long usedBytes()
    {
        long total = 0;
        for (final SlotClass slotClass : classes)
        {
            total += slotClass.used() * slotClass.slotSize;
        }

        return total;
    }

    /**
     * Bytes that can still be claimed, if by values of a fitting length: free slots, and unassigned grants.
     *
     * @return length in bytes.
     */
    public long freeBytes()
    {
        long total = grants.unassigned() * plan.grantQuantumBytes();
        for (final SlotClass slotClass : classes)
        {
            total += slotClass.count(SlotState.FREE) * slotClass.slotSize;
        }

        return total;
    }

    /** Rises whenever something was given back that a waiting claim could use. */
    long changes()
    {
        return changes;
    }

    GrantTable grants()
    {
        return grants;
    }

    void audit(final SlotAudit audit)
    {
        this.audit = audit;
    }

    /**
     * Sets free slots aside for a claim, all or nothing, with as many further grants as that takes.
     *
     * @param sequence of the claim: classes whose oldest waiting claim is older give it no grant.
     * @param mayGrow  may the class take further grants?
     */
    boolean setAside(final int classIndex, final int count, final long sequence, final boolean mayGrow)
    {
        final SlotClass slotClass = classes[classIndex];
        final long lacking = count - slotClass.available();
        if (lacking > 0)
        {
            final long newGrants = Math.ceilDiv(lacking, slotClass.slotsPerGrant);
            if (!mayGrow || slotClass.grants + newGrants > slotClass.maxGrants || !grow(slotClass, newGrants, sequence))
            {
                return false;
            }
        }

        slotClass.setAside += count;

        return true;
    }

    void putBack(final int classIndex, final int count)
    {
        classes[classIndex].setAside -= count;
        changes++;
    }

    /** Takes one of the slots that were set aside. */
    int take(final int classIndex)
    {
        final SlotClass slotClass = classes[classIndex];
        if (slotClass.setAside < 1)
        {
            throw new InvariantViolation("class " + classIndex + " has no slot set aside");
        }

        slotClass.setAside--;
        final int slotId = grants.takeSlot(slotClass, table);
        table.touch(slotId);
        final SlotState current = table.state(slotId);
        if (0 != table.holderCount(slotId) || table.isRouteLive(slotId))
        {
            throw violation(slotId, "was on the free list");
        }

        table.startUse(slotId, slotClass.slotSize);
        changeState(slotId, current, SlotState.PREPARED);
        changeHolders(slotId, 0, 1);

        return slotId;
    }

    InvariantViolation violation(final int slotId, final String what)
    {
        return new InvariantViolation("slot " + slotId + " " + what + ": state " + table.state(slotId) + ", holders " +
            table.holderCount(slotId) + ", route " + table.isRouteLive(slotId) + ", use " + table.useCounter(slotId));
    }

    private boolean isAnyWaiting()
    {
        for (final SlotClass slotClass : classes)
        {
            if (slotClass.waitingClaims > 0)
            {
                return true;
            }
        }

        return false;
    }

    private SlotClass activate(final SlotClass slotClass, final long valueLength)
    {
        slotClass.slotSize = CapacityPlan.slotSize(valueLength);
        slotClass.slotsPerGrant = CapacityPlan.slotsPerGrant(valueLength, plan.grantQuantumBytes());
        activeClasses++;

        return slotClass;
    }

    private SlotClass retireUnused()
    {
        for (final SlotClass slotClass : classes)
        {
            if (0 == slotClass.minGrants && 0 == slotClass.usedGrants && 0 == slotClass.setAside &&
                0 == slotClass.waitingClaims)
            {
                while (slotClass.grants > 0)
                {
                    grants.unassign(slotClass);
                }
                slotClass.slotSize = 0;
                slotClass.slotsPerGrant = 0;
                activeClasses--;

                return slotClass;
            }
        }

        return null;
    }

    private boolean grow(final SlotClass slotClass, final long newGrants, final long sequence)
    {
        long obtainable = grants.unassigned();
        for (int i = 0; i < classes.length && obtainable < newGrants; i++)
        {
            obtainable += spareGrants(classes[i], slotClass, sequence);
        }

        if (obtainable < newGrants)
        {
            return false;
        }

        for (int i = 0; i < classes.length && grants.unassigned() < newGrants; i++)
        {
            long spare = spareGrants(classes[i], slotClass, sequence);
            while (spare-- > 0 && grants.unassigned() < newGrants)
            {
                grants.unassign(classes[i]);
            }
        }

        for (long i = 0; i < newGrants; i++)
        {
            grants.assign(slotClass);
        }

        return true;
    }

    private static long spareGrants(final SlotClass donor, final SlotClass taker, final long sequence)
    {
        if (donor == taker || !donor.isActive() || donor.oldestClaim < sequence)
        {
            return 0;
        }

        final long unused = Math.min(donor.grants - donor.usedGrants, donor.available() / donor.slotsPerGrant);

        return Math.min(unused, donor.grants - donor.minGrants);
    }

    private void changeState(final int slotId, final SlotState current, final SlotState next)
    {
        if (!current.canBecome(next))
        {
            throw violation(slotId, "cannot become " + next);
        }

        final int classIndex = classIndex(slotId);
        final long[] counts = classes[classIndex].counts;
        counts[current.code()]--;
        counts[next.code()]++;
        table.state(slotId, next);
        if (null != audit)
        {
            audit.onState(slotId, classIndex, current, next);
        }
    }

    private void changeHolders(final int slotId, final int holderCount, final int delta)
    {
        table.holderCount(slotId, holderCount + delta);
        holders += delta;
        if (null != audit)
        {
            audit.onHolders(slotId, delta);
        }
    }

    private void changeRoutes(final int slotId, final int delta)
    {
        liveRoutes += delta;
        if (null != audit)
        {
            audit.onRoutes(slotId, delta);
        }
    }

    private boolean freeIfUnused(final int slotId)
    {
        if (table.isRouteLive(slotId) || 0 != table.holderCount(slotId))
        {
            return false;
        }

        changeState(slotId, table.state(slotId), SlotState.FREE);
        grants.freeSlot(classes[classIndex(slotId)], table, slotId);
        changes++;

        return true;
    }
}
