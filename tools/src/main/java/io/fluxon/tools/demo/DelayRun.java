package io.fluxon.tools.demo;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.tools.cluster.Accounts;
import io.fluxon.tools.cluster.Cleanup;
import io.fluxon.tools.cluster.Cluster;
import io.fluxon.tools.cluster.ClusterCounters;
import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.cluster.ClusterPlan;
import io.fluxon.tools.cluster.WorkDirectory;
import io.fluxon.tools.replay.PlantedFault;
import io.fluxon.tools.replay.Replay;
import io.fluxon.tools.replay.WorkerEvent;
import io.fluxon.tools.replay.WorkerSettings;
import io.fluxon.tools.report.DelayResult;
import io.fluxon.tools.report.RunReport;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * Compares wholly local work with and without a delay of every master message (contract V1, P1): two clusters stand
 * side by side, and rounds run on one and the other in turn, the first of each pair alternating. Compared are the
 * medians of the pairwise ratios.
 */
final class DelayRun
{
    static final int PAIRS = 15;

    private static final int WARM_UP_PAIRS = 2;
    private static final int BATCHES = 800;
    private static final int PAGES_OF_BATCH = 4;
    private static final long PAGES_OF_ROUND = (long) BATCHES * PAGES_OF_BATCH;

    private final DemoSettings settings;
    private final Progress progress;
    private final RunReport report = new RunReport();

    DelayRun(final DemoSettings settings, final Progress progress)
    {
        this.settings = settings;
        this.progress = progress;
    }

    RunReport run()
    {
        try (Cleanup cleanup = new Cleanup())
        {
            try
            {
                run(cleanup);
            }
            catch (final ClusterException ex)
            {
                cleanup.awaitShutdown();
                report.incident(ex.getMessage());
            }
        }
        return report;
    }

    private void run(final Cleanup cleanup)
    {
        final WorkDirectory directory = cleanup.add(WorkDirectory.create());
        final Workload workload = Workload.load(null, 1, settings.seed(), 1);
        progress.say("starting two clusters, one with " + settings.delayMasterMs() + " ms added to master messages");
        final Side plain = new Side(cleanup, directory, workload, "plain", 0);
        final Side delayed = new Side(cleanup, directory, workload, "delayed", settings.delayMasterMs());

        final WorkerEvent.Round[] plainRounds = new WorkerEvent.Round[PAIRS];
        final WorkerEvent.Round[] delayedRounds = new WorkerEvent.Round[PAIRS];
        final long startNs = System.nanoTime();
        for (int pair = -WARM_UP_PAIRS; pair < PAIRS; pair++)
        {
            final boolean isPlainFirst = 0 == (pair & 1);
            final WorkerEvent.Round first = (isPlainFirst ? plain : delayed).round();
            final WorkerEvent.Round second = (isPlainFirst ? delayed : plain).round();
            if (pair >= 0)
            {
                plainRounds[pair] = isPlainFirst ? first : second;
                delayedRounds[pair] = isPlainFirst ? second : first;
                sayPair(pair, plainRounds[pair], delayedRounds[pair]);
            }
        }
        report.seconds((System.nanoTime() - startNs) / 1e9);
        report.delay(new DelayResult(
            medianRatio(plainRounds, delayedRounds, WorkerEvent.Round::putStartNs),
            medianRatio(plainRounds, delayedRounds, WorkerEvent.Round::putCommitNs),
            medianRatio(plainRounds, delayedRounds, WorkerEvent.Round::getStartNs),
            medianRatio(plainRounds, delayedRounds, round -> round.operations() / (double) round.durationNs())));
        plain.settle();
        delayed.settle();
    }

    private void sayPair(final int pair, final WorkerEvent.Round plain, final WorkerEvent.Round delayed)
    {
        progress.say(String.format(Locale.ROOT,
            "pair %d, without / with delay: put_start %.1f / %.1f us, put_commit_local %.1f / %.1f us, " +
            "get_start %.1f / %.1f us, %.0f / %.0f operations a second",
            pair + 1,
            plain.putStartNs() / 1e3, delayed.putStartNs() / 1e3,
            plain.putCommitNs() / 1e3, delayed.putCommitNs() / 1e3,
            plain.getStartNs() / 1e3, delayed.getStartNs() / 1e3,
            plain.operations() * 1e9 / plain.durationNs(), delayed.operations() * 1e9 / delayed.durationNs()));
    }

    static double medianRatio(
        final WorkerEvent.Round[] plain,
        final WorkerEvent.Round[] delayed,
        final ToDoubleFunction<WorkerEvent.Round> measure)
    {
        final double[] ratios = new double[plain.length];
        for (int i = 0; i < ratios.length; i++)
        {
            ratios[i] = measure.applyAsDouble(delayed[i]) / measure.applyAsDouble(plain[i]);
        }
        Arrays.sort(ratios);
        return ratios[ratios.length / 2];
    }

    /** One of the two clusters, with one owner and one worker. */
    private final class Side
    {
        private final Accounts accounts;
        private final Replay replay;
        private long nextBlock;

        private Side(
            final Cleanup cleanup,
            final WorkDirectory directory,
            final Workload workload,
            final String name,
            final int delayMs)
        {
            final long pages = (PAIRS + WARM_UP_PAIRS) * PAGES_OF_ROUND;
            final ClusterPlan plan = ClusterPlan.of(1, 0, settings.pageBytes(), pages, pages, delayMs);
            plan.checkRoom(directory);
            final Cluster cluster = cleanup.add(Cluster.create(plan, directory.path().resolve(name)));
            cluster.start();
            final ClusterCounters counters =
                cleanup.add(new ClusterCounters(cluster.ownerCountersFiles(), cluster.masterCountersFile()));
            accounts = new Accounts(counters, ", " + name);
            final WorkerSettings worker = new WorkerSettings(cluster.ownerDirectory(0), workload.file(directory), 1,
                settings.pageBytes(), 1, DemoSettings.KEY_PREFIX, "worker-0", PlantedFault.NONE,
                WorkerSettings.DRIVER_TIMEOUT_MS, settings.place());
            replay = cleanup.add(
                new Replay(workload.trace(), List.of(worker), cluster.logDirectory(), true, report));
            replay.start();
        }

        private WorkerEvent.Round round()
        {
            final WorkerEvent.Round round = replay.round(0, nextBlock, BATCHES, PAGES_OF_BATCH);
            nextBlock += PAGES_OF_ROUND;
            for (long i = 0; i < round.operations(); i++)
            {
                report.onRequest(ErrorCode.OK);
            }
            return round;
        }

        private void settle()
        {
            replay.quiesce();
            final RunReport side = new RunReport();
            accounts.settle(side, DemoRun.SETTLE_NS);
            report.leftover(report.leftover().plus(side.leftover()));
            report.control(report.control().plus(side.control()));
            accounts.checkState(report.balance());
            replay.collectLatencies();
        }
    }
}
