package io.fluxon.tools.bench.eviction;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.tools.cluster.Cleanup;
import io.fluxon.tools.cluster.Cluster;
import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.cluster.ClusterPlan;
import io.fluxon.tools.cluster.WorkDirectory;

import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A master and two owners of equal memory as processes, all of it touched before. One owner is filled first, so that
 * each page that is put there then needs a victim; the other has room for all that is put. Before the rounds both take
 * three times as many pages as in them, so that the code of their owners is compiled. Rounds of the same puts go to the
 * one and the other in turn, the first of each pair alternating, so that what disturbs this machine disturbs both
 * alike. All of that is done anew for each {@link VictimSource}, with fewer pages where puts wait for pressure steps.
 */
public final class EvictionBench
{
    private static final int OWNERS = 2;
    private static final double WHOLE_POOL = 0.999_999;
    private static final int FULL = 0;
    private static final int EMPTY = 1;
    private static final long REFRESH_MS = 250;
    private static final long QUIET_NS = SECONDS.toNanos(30);

    private final EvictionBenchSettings settings;
    private final VictimSource source;
    private final PrintStream progress;

    private EvictionBench(
        final EvictionBenchSettings settings, final VictimSource source, final PrintStream progress)
    {
        this.settings = VictimSource.PRESSURE == source ? settings.fewer() : settings;
        this.source = source;
        this.progress = progress;
    }

    /**
     * Measures.
     *
     * @param settings what to measure.
     * @param progress for a line for each round.
     * @return what was measured.
     * @throws ClusterException when something goes wrong; nothing is left behind.
     */
    public static EvictionReport run(final EvictionBenchSettings settings, final PrintStream progress)
    {
        final List<EvictionRow> rows = new ArrayList<>();
        for (final VictimSource source : VictimSource.values())
        {
            progress.println("victims by " + source.label());
            rows.add(run(settings, source, progress));
        }
        return new EvictionReport(settings, rows);
    }

    private static EvictionRow run(
        final EvictionBenchSettings settings, final VictimSource source, final PrintStream progress)
    {
        try (Cleanup cleanup = new Cleanup(); Arena arena = Arena.ofConfined())
        {
            return new EvictionBench(settings, source, progress)
                .run(cleanup, arena.allocate(settings.pageBytes(), 64));
        }
        catch (final FluxonException ex)
        {
            throw new ClusterException(ex.getMessage());
        }
    }

    private ClusterPlan plan()
    {
        final long capacityBytes = settings.capacityBytes();
        final ClusterPlan plan = ClusterPlan.ofMemory(OWNERS, VictimSource.DEMOTION == source ? 1 : 0,
            settings.pageBytes(), capacityBytes, capacityBytes, EvictionBenchSettings.quantumBytes(), true);
        return VictimSource.PRESSURE == source ? plan.withHotRatio(WHOLE_POOL) : plan;
    }

    private EvictionRow run(final Cleanup cleanup, final MemorySegment page)
    {
        final ClusterPlan plan = plan();
        final WorkDirectory directory = cleanup.add(WorkDirectory.create());
        plan.checkRoom(directory, "use fewer pages (--pages) or rounds (--rounds)");
        final Cluster cluster = cleanup.add(Cluster.create(plan, directory.path()));
        cluster.start();
        page.fill((byte) 1);
        try (PutSide full = side(cluster, FULL, page); PutSide empty = side(cluster, EMPTY, page))
        {
            full.touch();
            empty.touch();
            progress.println("filling one pool, then putting as many pages into both as make their owners warm");
            full.put(Math.ceilDiv(settings.pagesOfPool(), (long) settings.batchPages()) * settings.batchPages());
            full.put(settings.warmUpPages());
            empty.put(settings.warmUpPages());
            return measure(full, empty);
        }
    }

    private PutSide side(final Cluster cluster, final int owner, final MemorySegment page)
    {
        return new PutSide(settings, cluster.ownerDirectory(owner), cluster.ownerCountersFiles().get(owner), page,
            (long) owner << Integer.SIZE);
    }

    private EvictionRow measure(final PutSide full, final PutSide empty)
    {
        final double[] fullRates = new double[settings.rounds()];
        final double[] emptyRates = new double[settings.rounds()];
        awaitQuiet(full);
        final long freedBefore = full.count(OwnerCounter.EVICT_FREED);
        final long copiedBefore = full.count(OwnerCounter.DEMOTION_PAGES_DONE);
        for (int round = 0; round < settings.rounds(); round++)
        {
            final boolean isFullFirst = 0 == (round & 1);
            final double first = (isFullFirst ? full : empty).put(settings.pages());
            final double second = (isFullFirst ? empty : full).put(settings.pages());
            fullRates[round] = isFullFirst ? first : second;
            emptyRates[round] = isFullFirst ? second : first;
            progress.println(String.format(Locale.ROOT, "round %d: %.0f puts a second into the full pool, %.0f " +
                "into the empty one", round + 1, fullRates[round], emptyRates[round]));
        }
        awaitQuiet(full);
        return new EvictionRow(source, settings.pages(), fullRates, emptyRates,
            full.count(OwnerCounter.EVICT_FREED) - freedBefore,
            full.count(OwnerCounter.DEMOTION_PAGES_DONE) - copiedBefore, empty.count(OwnerCounter.EVICT_SELECTED),
            full.count(OwnerCounter.PRESSURE_STEPS), full.count(OwnerCounter.EVICT_FREE_P50_NS),
            full.count(OwnerCounter.EVICT_FREE_P99_NS));
    }

    /** Waits until no eviction is under way and the counters that are refreshed now and then say so. */
    private static void awaitQuiet(final PutSide side)
    {
        final long deadlineNs = System.nanoTime() + QUIET_NS;
        do
        {
            pause();
            if (System.nanoTime() - deadlineNs >= 0)
            {
                throw new ClusterException("evictions did not end within " + QUIET_NS / SECONDS.toNanos(1) + " s");
            }
        }
        while (0 != side.count(OwnerCounter.EVICTION_JOBS));
    }

    private static void pause()
    {
        try
        {
            MILLISECONDS.sleep(REFRESH_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted");
        }
    }
}
