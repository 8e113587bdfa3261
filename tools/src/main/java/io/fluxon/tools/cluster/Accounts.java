package io.fluxon.tools.cluster;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.tools.report.Balance;
import io.fluxon.tools.report.ControlCounts;
import io.fluxon.tools.report.PageCounts;
import io.fluxon.tools.report.RunReport;
import io.fluxon.tools.trace.TraceModel;

import java.util.EnumMap;
import java.util.Map;

/**
 * Settles a run: compares what workers counted with what owners and master count, from a point of time on. It believes
 * no one: everything but the workers' own figures is read from the counters of the other side.
 */
public final class Accounts
{
    private static final long AUDIT_TIMEOUT_NS = SECONDS.toNanos(20);
    private static final long SETTLE_POLL_MS = 50;

    private final ClusterCounters counters;
    private final String suffix;
    private final Map<OwnerCounter, Long> ownersBefore = new EnumMap<>(OwnerCounter.class);
    private final Map<MasterCounter, Long> masterBefore = new EnumMap<>(MasterCounter.class);
    private final ControlCounts controlBefore;
    private final long errorsBefore;

    /**
     * Opens the accounts: everything counted until now belongs to someone else.
     *
     * @param counters of the cluster.
     * @param suffix   of the names of checks, which tells this cluster from another.
     */
    public Accounts(final ClusterCounters counters, final String suffix)
    {
        this.counters = counters;
        this.suffix = suffix;
        for (final OwnerCounter counter : OwnerCounter.values())
        {
            ownersBefore.put(counter, counters.owners(counter));
        }
        for (final MasterCounter counter : MasterCounter.values())
        {
            masterBefore.put(counter, counters.master(counter));
        }
        controlBefore = counters.control();
        errorsBefore = counters.distinctErrors();
    }

    /**
     * Waits until no temporary state is left, but not for ever, and writes what is left and the work between owners and
     * master into the report.
     *
     * @param report    to complete.
     * @param timeoutNs longest wait.
     * @throws ClusterException if a process does not audit itself.
     */
    public void settle(final RunReport report, final long timeoutNs)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        audit();
        while (!(counters.leftover().isZero() && isAudited()) && System.nanoTime() - deadlineNs < 0)
        {
            pause();
            audit();
        }
        report.leftover(counters.leftover());
        report.control(counters.control().minus(controlBefore));
    }

    private boolean isAudited()
    {
        return counters.owners(OwnerCounter.AUDIT_HOLDERS_HELD) == counters.owners(OwnerCounter.AUDIT_HOLDERS_FOUND) &&
            0 == counters.owners(OwnerCounter.OPERATIONS_OPEN) && 0 == counters.owners(OwnerCounter.EVICTION_JOBS);
    }

    private void audit()
    {
        if (!counters.audit(AUDIT_TIMEOUT_NS))
        {
            throw new ClusterException("a process did not audit itself within " +
                NANOSECONDS.toSeconds(AUDIT_TIMEOUT_NS) + " s");
        }
    }

    /**
     * Adds the checks that hold at every instant without running work, whatever happened before.
     *
     * @param balance to add to.
     */
    public void checkState(final Balance balance)
    {
        for (int i = 0; i < counters.ownerCount(); i++)
        {
            check(balance, "slots by state = total, " + counters.ownerName(i), slotsByState(i),
                counters.owner(i, OwnerCounter.SLOTS_TOTAL));
        }
        check(balance, "holders held = holders found",
            counters.owners(OwnerCounter.AUDIT_HOLDERS_HELD), counters.owners(OwnerCounter.AUDIT_HOLDERS_FOUND));
        check(balance, "audit mismatches of owners = 0", counters.owners(OwnerCounter.AUDIT_MISMATCHES), 0);
        check(balance, "operations open at owners = 0", counters.owners(OwnerCounter.OPERATIONS_OPEN), 0);
        check(balance, "slots evicted: selected = in progress + in retry + freed + restored + obsolete",
            counters.owners(OwnerCounter.EVICT_SELECTED),
            counters.owners(OwnerCounter.EVICT_IN_PROGRESS) + counters.owners(OwnerCounter.EVICT_IN_RETRY) +
            counters.owners(OwnerCounter.EVICT_FREED) + counters.owners(OwnerCounter.EVICT_RESTORED) +
            counters.owners(OwnerCounter.EVICT_OBSOLETE));
        check(balance, "exceptions = 0", owners(OwnerCounter.EXCEPTIONS), 0);
        if (counters.hasMaster())
        {
            check(balance, "audit differences of the master = 0", counters.master(MasterCounter.AUDIT_DIFFERENCES), 0);
            check(balance, "replicas in routes = committed slots",
                counters.master(MasterCounter.REPLICAS), counters.owners(OwnerCounter.SLOTS_COMMITTED));
            check(balance, "gets started = done + revoked + expired + superseded + lost",
                master(MasterCounter.GETS_STARTED),
                master(MasterCounter.GETS_DONE) + master(MasterCounter.GETS_REVOKED) +
                master(MasterCounter.GETS_EXPIRED) + master(MasterCounter.GETS_SUPERSEDED) +
                master(MasterCounter.GETS_LOST));
        }
        checkPairs(balance);
    }

    private void check(final Balance balance, final String name, final long left, final long right)
    {
        balance.check(name + suffix, left, right);
    }

    private void checkPairs(final Balance balance)
    {
        checkPair(balance, "put plans", OwnerCounter.PUT_PLANS_OPENED, OwnerCounter.PUT_PLANS_CLOSED);
        checkPair(balance, "read plans", OwnerCounter.READ_PLANS_OPENED, OwnerCounter.READ_PLANS_CLOSED);
        checkPair(balance, "handles", OwnerCounter.HANDLES_OPENED, OwnerCounter.HANDLES_CLOSED);
        checkPair(balance, "holdings", OwnerCounter.HOLDINGS_OPENED, OwnerCounter.HOLDINGS_CLOSED);
        checkPair(balance, "eviction jobs", OwnerCounter.EVICTION_JOBS_OPENED, OwnerCounter.EVICTION_JOBS_CLOSED);
        checkPair(balance, "publish jobs", OwnerCounter.PUBLISH_JOBS_OPENED, OwnerCounter.PUBLISH_JOBS_CLOSED);
    }

    private void checkPair(
        final Balance balance, final String what, final OwnerCounter opened, final OwnerCounter closed)
    {
        check(balance, what + " opened = closed", counters.owners(opened), counters.owners(closed));
    }

    /**
     * Adds the checks of a run in which no process was killed.
     *
     * @param balance to add to.
     * @param pages   that workers counted.
     */
    public void checkFlow(final Balance balance, final PageCounts pages)
    {
        check(balance, "pages hit = pages verified", pages.hit, pages.verified);
        check(balance, "pages hit = holdings opened", pages.hit, owners(OwnerCounter.HOLDINGS_OPENED));
        check(balance, "pages verified = holdings opened", pages.verified, owners(OwnerCounter.HOLDINGS_OPENED));
        check(balance, "pages written = pages committed at owners", pages.written, owners(OwnerCounter.PAGES_WRITTEN));
        check(balance, "flights started = ready + failed", owners(OwnerCounter.FLIGHTS_STARTED),
            owners(OwnerCounter.FLIGHTS_READY) + owners(OwnerCounter.FLIGHTS_FAILED));
        check(balance, "starts = done + revoked", owners(OwnerCounter.GETS_STARTED),
            owners(OwnerCounter.GETS_DONE) + owners(OwnerCounter.GETS_REVOKED));
        check(balance, "error log entries = 0", counters.distinctErrors() - errorsBefore, 0);
        if (counters.hasMaster())
        {
            check(balance, "pages written - joins = routes",
                owners(OwnerCounter.PAGES_WRITTEN) - owners(OwnerCounter.PAGES_MERGED) - master(MasterCounter.JOINS),
                master(MasterCounter.ROUTES_CREATED));
            check(balance, "gets done at owners = at the master",
                owners(OwnerCounter.GETS_DONE), master(MasterCounter.GETS_DONE));
        }
    }

    /**
     * Adds the checks of a sequential run on an empty cluster, whose figures are known before.
     *
     * @param balance  to add to.
     * @param pages    that workers counted.
     * @param expected figures.
     */
    public static void checkExpected(final Balance balance, final PageCounts pages, final TraceModel expected)
    {
        balance.check("pages requested = expected", pages.requested, expected.requestedPages());
        balance.check("pages hit = expected", pages.hit, expected.hitPages());
        balance.check("pages hit remotely = expected", pages.hitRemote, expected.remoteHitPages());
        balance.check("pages written = expected", pages.written, expected.writtenPages());
    }

    private long slotsByState(final int owner)
    {
        return counters.owner(owner, OwnerCounter.SLOTS_FREE) +
            counters.owner(owner, OwnerCounter.SLOTS_PREPARED) +
            counters.owner(owner, OwnerCounter.SLOTS_PENDING_LOCAL_VISIBLE) +
            counters.owner(owner, OwnerCounter.SLOTS_PENDING) +
            counters.owner(owner, OwnerCounter.SLOTS_COMMITTED) +
            counters.owner(owner, OwnerCounter.SLOTS_QUARANTINED);
    }

    private long owners(final OwnerCounter counter)
    {
        return counters.owners(counter) - ownersBefore.get(counter);
    }

    private long master(final MasterCounter counter)
    {
        return counters.master(counter) - masterBefore.get(counter);
    }

    private static void pause()
    {
        try
        {
            MILLISECONDS.sleep(SETTLE_POLL_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted");
        }
    }
}
