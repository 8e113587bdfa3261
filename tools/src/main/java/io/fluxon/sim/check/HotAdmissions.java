package io.fluxon.sim.check;

import io.fluxon.engine.memory.Residence;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A value comes into the hot window after the master has confirmed it (V3) and all others of its put have their
 * result (A1), unless it came here by itself and stands for one of the put only since then. What is in a window is
 * a live route at the master, with exactly this backing (V3), or gives way to the other copy of this owner that
 * the master has, as soon as the owner hears of that (T2). As many values are in the windows as say so (HOT-1).
 */
@Watches({"V3", "A1", "HOT-1"})
final class HotAdmissions implements Checker
{
    private final Map<OwnerWatch, Residence[]> residencesOf = new HashMap<>();
    private final Map<OwnerWatch, long[]> jobsOf = new HashMap<>();
    private final OperationBook book;
    private final Checks checks;

    HotAdmissions(final Checks checks, final OperationBook book)
    {
        this.checks = checks;
        this.book = book;
    }

    @Override
    public void onOwner(final OwnerWatch owner)
    {
        final Residence[] residences = new Residence[owner.table().capacity()];
        Arrays.fill(residences, Residence.NONE);
        residencesOf.put(owner, residences);
        jobsOf.put(owner, new long[residences.length]);
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        final Residence[] residences = residencesOf.get(owner);
        final long[] jobs = jobsOf.get(owner);
        for (int slotId = 0; slotId < residences.length; slotId++)
        {
            final Residence residence = owner.table().residence(slotId);
            if (residence != residences[slotId] && Residence.HOT == residence)
            {
                checkAdmitted(owner, slotId, jobs[slotId]);
            }
            residences[slotId] = residence;
            jobs[slotId] = owner.table().jobId(slotId);
        }
    }

    private static void checkAdmitted(final OwnerWatch owner, final int slotId, final long jobIdBefore)
    {
        final SlotTable table = owner.table();
        if (SlotState.COMMITTED != table.state(slotId) || !table.isRouteLive(slotId))
        {
            throw new Violation("V3", owner.describe(slotId) + ": is in the hot window and has no route");
        }
        final long jobId = table.jobId(slotId);
        for (int other = 0; 0 != jobId && jobId == jobIdBefore && other < table.capacity(); other++)
        {
            if (jobId == table.jobId(other) && SlotState.PENDING_LOCAL_VISIBLE == table.state(other) &&
                owner.view().isLocalVisible(other))
            {
                throw new Violation("A1", owner.describe(slotId) + ": is in the hot window before the last of its " +
                    "put is promoted: " + owner.describe(other));
            }
        }
    }

    @Override
    public void full(final OwnerWatch owner)
    {
        final SlotTable table = owner.table();
        final boolean isKnown = checks.isKnownToMaster(owner);
        long hot = 0;
        for (int slotId = 0; slotId < table.capacity(); slotId++)
        {
            if (Residence.HOT == table.residence(slotId))
            {
                hot++;
                if (isKnown && !checks.hasRoute(owner, slotId) && !book.isGetDoneOpen(owner, owner.key(slotId)))
                {
                    throw new Violation("V3", owner.describe(slotId) + ": is in the hot window, and the master has " +
                        "no route of it");
                }
            }
        }
        if (hot != owner.view().hotCount())
        {
            throw new Violation("HOT-1", owner + ": " + owner.view().hotCount() + " values are in hot windows, " + hot +
                " slots say so");
        }
    }
}
