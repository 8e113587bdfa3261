package io.fluxon.engine.memory;

import java.util.Arrays;

import static io.fluxon.engine.memory.SlotTable.NONE;

/**
 * Compares every slot record with what the pool counts, in slices, while the pool goes on working: changes of records
 * that were already visited are followed, so at the end found and counted must be equal. One audit at a time.
 * <p>
 * Checked for each record: FREE exactly when nothing refers to it (contract S2), route only in a state that can have
 * one, slot size of its class (contract SLOT-6); in sum: slots per state and class, holders, routes.
 */
public final class SlotAudit
{
    private final SlotPool pool;
    private final SlotTable table;
    private final long[][] found;
    private long foundHolders;
    private long foundRoutes;
    private long mismatches;
    private String firstMismatch;
    private int cursor;
    private boolean isRunning;

    /**
     * An audit that has not begun.
     *
     * @param pool to audit.
     */
    public SlotAudit(final SlotPool pool)
    {
        this.pool = pool;
        table = pool.table();
        found = new long[pool.classCount()][SlotState.COUNT];
    }

    /** Begins from the first slot; an audit that is running begins anew. */
    public void begin()
    {
        for (final long[] states : found)
        {
            Arrays.fill(states, 0);
        }
        foundHolders = 0;
        foundRoutes = 0;
        mismatches = 0;
        firstMismatch = null;
        cursor = 0;
        isRunning = true;
        pool.audit(this);
    }

    /**
     * Visits further slots. After the last one the sums are compared and the audit ends.
     *
     * @param maxSteps most slots, or grants without slots, to visit.
     * @return true when the audit has ended.
     */
    public boolean scan(final int maxSteps)
    {
        final int capacity = table.capacity();
        for (int step = 0; isRunning && step < maxSteps; step++)
        {
            if (cursor >= capacity)
            {
                end();
                break;
            }

            visitNext();
        }

        if (isRunning && cursor >= capacity)
        {
            end();
        }

        return !isRunning;
    }

    /**
     * Is an audit under way?
     *
     * @return true from {@link #begin()} to the last {@link #scan}.
     */
    public boolean isRunning()
    {
        return isRunning;
    }

    /**
     * Number of things that did not agree.
     *
     * @return 0 when all is well.
     */
    public long mismatches()
    {
        return mismatches;
    }

    /**
     * The first thing that did not agree.
     *
     * @return text, or null.
     */
    public String firstMismatch()
    {
        return firstMismatch;
    }

    /**
     * Number of holders found so far.
     *
     * @return sum over the visited records.
     */
    public long foundHolders()
    {
        return foundHolders;
    }

    /**
     * Number of live routes found so far.
     *
     * @return number of visited records with a route.
     */
    public long foundRoutes()
    {
        return foundRoutes;
    }

    /**
     * Number of slots found so far in a class and state.
     *
     * @param classIndex of the class.
     * @param state      other than FREE.
     * @return number of visited records.
     */
    public long found(final int classIndex, final SlotState state)
    {
        return found[classIndex][state.code()];
    }

    void onState(final int slotId, final int classIndex, final SlotState from, final SlotState to)
    {
        if (slotId < cursor)
        {
            found[classIndex][from.code()]--;
            found[classIndex][to.code()]++;
        }
    }

    void onHolders(final int slotId, final int delta)
    {
        if (slotId < cursor)
        {
            foundHolders += delta;
        }
    }

    void onRoutes(final int slotId, final int delta)
    {
        if (slotId < cursor)
        {
            foundRoutes += delta;
        }
    }

    private void visitNext()
    {
        final int slotId = cursor;
        final int grantId = table.grantId(slotId);
        final int classIndex = pool.grantClass(grantId);
        final int end = NONE == classIndex ? 0 : pool.grants().fresh(grantId);
        if (table.slotIndex(slotId) < end)
        {
            cursor++;
            visit(slotId, pool.slotClass(classIndex));
        }
        else
        {
            final int maxSlotsPerGrant = table.maxSlotsPerGrant();
            final long nextGrant = (grantId + 1L) * maxSlotsPerGrant;
            cursor = (int) Math.min(nextGrant, table.capacity());
        }
    }

    private void visit(final int slotId, final SlotClass slotClass)
    {
        final SlotState state = table.state(slotId);
        final int holderCount = table.holderCount(slotId);
        final boolean isRouteLive = table.isRouteLive(slotId);
        found[slotClass.index()][state.code()]++;
        foundHolders += holderCount;
        foundRoutes += isRouteLive ? 1 : 0;

        final boolean isReferred = isRouteLive || holderCount > 0;
        final boolean canHaveRoute = SlotState.PENDING_LOCAL_VISIBLE == state || SlotState.PENDING == state ||
            SlotState.COMMITTED == state;
        if (holderCount < 0 || isReferred == (SlotState.FREE == state) || (isRouteLive && !canHaveRoute))
        {
            mismatch(pool.violation(slotId, "has references that do not fit its state").getMessage());
        }
        else if (SlotState.FREE != state && slotClass.slotSize() != table.slotSize(slotId))
        {
            mismatch(pool.violation(slotId, "has another size than its class").getMessage());
        }
    }

    private void end()
    {
        isRunning = false;
        pool.audit(null);
        compare("holders", foundHolders, pool.holders());
        compare("live routes", foundRoutes, pool.liveRoutes());
        for (int i = 0; i < found.length; i++)
        {
            for (int code = SlotState.FREE.code() + 1; code < SlotState.COUNT; code++)
            {
                final SlotState state = SlotState.get(code);
                final long counted = pool.slotClass(i).count(state);
                if (counted != found[i][code])
                {
                    mismatch("class " + i + ": found " + found[i][code] + " slots " + state + ", counted " + counted);
                }
            }
        }
    }

    private void compare(final String what, final long foundCount, final long counted)
    {
        if (foundCount != counted)
        {
            mismatch("found " + foundCount + " " + what + ", counted " + counted);
        }
    }

    private void mismatch(final String text)
    {
        mismatches++;
        if (null == firstMismatch)
        {
            firstMismatch = text;
        }
    }
}
