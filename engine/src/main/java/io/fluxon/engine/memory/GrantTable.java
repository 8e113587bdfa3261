package io.fluxon.engine.memory;

import java.util.Arrays;

import static io.fluxon.engine.memory.SlotTable.NONE;

/**
 * Which class each grant serves and which of its slots are free. A grant that serves no class is in the unassigned
 * list. A grant with a free slot is in one of its class's two lists, partial or empty; a full one is in none.
 * <p>
 * Free slots are those on the grant's free list plus those at {@code fresh} and above, which were not used since the
 * grant was assigned; so assigning a grant takes the same time whatever its number of slots.
 */
final class GrantTable
{
    private final int[] classIndex;
    private final int[] freeHead;
    private final int[] fresh;
    private final int[] used;
    private final int[] previous;
    private final int[] next;
    private int unassignedHead = NONE;
    private int unassigned;

    GrantTable(final int grantCount)
    {
        classIndex = new int[grantCount];
        freeHead = new int[grantCount];
        fresh = new int[grantCount];
        used = new int[grantCount];
        previous = new int[grantCount];
        next = new int[grantCount];
        Arrays.fill(classIndex, NONE);
        Arrays.fill(freeHead, NONE);
        for (int grantId = grantCount - 1; grantId >= 0; grantId--)
        {
            next[grantId] = unassignedHead;
            unassignedHead = grantId;
        }
        unassigned = grantCount;
    }

    int count()
    {
        return classIndex.length;
    }

    int unassigned()
    {
        return unassigned;
    }

    int classIndex(final int grantId)
    {
        return classIndex[grantId];
    }

    int used(final int grantId)
    {
        return used[grantId];
    }

    int fresh(final int grantId)
    {
        return fresh[grantId];
    }

    int freeHead(final int grantId)
    {
        return freeHead[grantId];
    }

    void assign(final SlotClass slotClass)
    {
        final int grantId = unassignedHead;
        if (NONE == grantId)
        {
            throw new InvariantViolation("no unassigned grant is left for class " + slotClass.index());
        }

        unassignedHead = next[grantId];
        unassigned--;
        classIndex[grantId] = slotClass.index();
        freeHead[grantId] = NONE;
        fresh[grantId] = 0;
        slotClass.grants++;
        slotClass.counts[SlotState.FREE.code()] += slotClass.slotsPerGrant;
        pushEmpty(slotClass, grantId);
    }

    void unassign(final SlotClass slotClass)
    {
        final int grantId = slotClass.emptyHead;
        if (NONE == grantId || 0 != used[grantId] || slotClass.grants <= slotClass.minGrants)
        {
            throw new InvariantViolation("class " + slotClass.index() + " has no grant to give: grants " +
                slotClass.grants + ", reserved " + slotClass.minGrants + ", used " + slotClass.usedGrants);
        }

        removeEmpty(slotClass, grantId);
        slotClass.grants--;
        slotClass.counts[SlotState.FREE.code()] -= slotClass.slotsPerGrant;
        classIndex[grantId] = NONE;
        next[grantId] = unassignedHead;
        unassignedHead = grantId;
        unassigned++;
    }

    int takeSlot(final SlotClass slotClass, final SlotTable table)
    {
        final int grantId = NONE != slotClass.partialHead ? slotClass.partialHead : slotClass.emptyHead;
        if (NONE == grantId)
        {
            throw new InvariantViolation("class " + slotClass.index() + " has no free slot, counted " +
                slotClass.count(SlotState.FREE));
        }

        int slotId = freeHead[grantId];
        if (NONE != slotId)
        {
            freeHead[grantId] = table.nextFree(slotId);
        }
        else
        {
            slotId = table.slotId(grantId, fresh[grantId]++);
        }

        if (0 == used[grantId]++)
        {
            removeEmpty(slotClass, grantId);
            slotClass.usedGrants++;
            if (slotClass.slotsPerGrant > 1)
            {
                pushPartial(slotClass, grantId);
            }
        }
        else if (used[grantId] == slotClass.slotsPerGrant)
        {
            removePartial(slotClass, grantId);
        }

        return slotId;
    }

    void freeSlot(final SlotClass slotClass, final SlotTable table, final int slotId)
    {
        final int grantId = table.grantId(slotId);
        table.nextFree(slotId, freeHead[grantId]);
        freeHead[grantId] = slotId;

        final int usedBefore = used[grantId]--;
        if (usedBefore == slotClass.slotsPerGrant)
        {
            if (usedBefore > 1)
            {
                pushPartial(slotClass, grantId);
            }
        }
        else if (1 == usedBefore)
        {
            removePartial(slotClass, grantId);
        }

        if (1 == usedBefore)
        {
            slotClass.usedGrants--;
            pushEmpty(slotClass, grantId);
        }
    }

    private void pushPartial(final SlotClass slotClass, final int grantId)
    {
        link(grantId, slotClass.partialHead);
        slotClass.partialHead = grantId;
    }

    private void pushEmpty(final SlotClass slotClass, final int grantId)
    {
        link(grantId, slotClass.emptyHead);
        slotClass.emptyHead = grantId;
    }

    private void removePartial(final SlotClass slotClass, final int grantId)
    {
        if (slotClass.partialHead == grantId)
        {
            slotClass.partialHead = next[grantId];
        }
        unlink(grantId);
    }

    private void removeEmpty(final SlotClass slotClass, final int grantId)
    {
        if (slotClass.emptyHead == grantId)
        {
            slotClass.emptyHead = next[grantId];
        }
        unlink(grantId);
    }

    private void link(final int grantId, final int head)
    {
        previous[grantId] = NONE;
        next[grantId] = head;
        if (NONE != head)
        {
            previous[head] = grantId;
        }
    }

    private void unlink(final int grantId)
    {
        if (NONE != previous[grantId])
        {
            next[previous[grantId]] = next[grantId];
        }
        if (NONE != next[grantId])
        {
            previous[next[grantId]] = previous[grantId];
        }
    }
}
