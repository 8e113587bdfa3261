package io.fluxon.tools.demo;

import io.fluxon.cuda.CopyPlace;
import io.fluxon.tools.cluster.Accounts;
import io.fluxon.tools.cluster.Cleanup;
import io.fluxon.tools.cluster.ClusterCounters;
import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.cluster.WorkDirectory;
import io.fluxon.tools.replay.PlantedFault;
import io.fluxon.tools.replay.Replay;
import io.fluxon.tools.replay.WorkerSettings;
import io.fluxon.tools.report.RunReport;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Replays a workload on a cluster that is running, and settles the accounts of what was added to it.
 *
 * @param trace             file of requests, or null for a generated workload.
 * @param requests          of the trace or workload, 0 for all or the default.
 * @param seed              of the generated workload.
 * @param pageBytes         length of every page.
 * @param groupBlocks       pages of one atomic group.
 * @param isSequential      true if one request follows the other.
 * @param keyPrefix         of every key.
 * @param workers           of all owners together.
 * @param ownerDirectories  of the owners that workers are attached to.
 * @param ownerCounterFiles counters files of all owners.
 * @param masterCounterFile counters file of the master, or null if it is not known.
 * @param json              file for the report, or null.
 */
public record ClusterReplay(
    Path trace,
    int requests,
    long seed,
    int pageBytes,
    int groupBlocks,
    boolean isSequential,
    String keyPrefix,
    int workers,
    List<Path> ownerDirectories,
    List<Path> ownerCounterFiles,
    Path masterCounterFile,
    Path json)
{
    /**
     * Replays, and prints what came of it.
     *
     * @return {@link Demo#PASSED} or {@link Demo#FAILED}.
     */
    public int run()
    {
        return Demo.judge(json, () ->
        {
            final RunReport report = new RunReport();
            try (Cleanup cleanup = new Cleanup())
            {
                try
                {
                    run(report, cleanup);
                }
                catch (final ClusterException | IllegalStateException ex)
                {
                    cleanup.awaitShutdown();
                    report.incident(ex.getMessage());
                }
            }
            return report;
        });
    }

    private void run(final RunReport report, final Cleanup cleanup)
    {
        final Progress progress = Progress.ofThisProcess();
        final Workload workload = Workload.load(trace, requests, seed, DemoSettings.DEFAULT_REQUESTS);
        final WorkDirectory directory = cleanup.add(WorkDirectory.create());
        final ClusterCounters counters = cleanup.add(new ClusterCounters(ownerCounterFiles, masterCounterFile));
        final Accounts accounts = new Accounts(counters, "");
        final int total = workload.trace().requestCount();
        final Replay replay = cleanup.add(new Replay(workload.trace(),
            workerSettings(workload.file(directory), total), directory.path(), isSequential, report));
        replay.start();
        progress.begin("replaying", total, System.nanoTime());
        replay.run(done -> progress.update(done, System.nanoTime()), null);
        progress.end(total, System.nanoTime());
        replay.quiesce();
        accounts.settle(report, DemoRun.SETTLE_NS);
        accounts.checkState(report.balance());
        report.balance().check("requests ended = requests of the trace", report.requests(), total);
        accounts.checkFlow(report.balance(), report.pages());
        replay.collectLatencies();
    }

    private List<WorkerSettings> workerSettings(final Path traceFile, final int total)
    {
        final List<WorkerSettings> settings = new ArrayList<>();
        for (int i = 0; i < workers; i++)
        {
            settings.add(new WorkerSettings(
                ownerDirectories.get(i % ownerDirectories.size()).toAbsolutePath(), traceFile, total, pageBytes,
                groupBlocks, keyPrefix, "worker-" + i, PlantedFault.NONE,
                WorkerSettings.DRIVER_TIMEOUT_MS, CopyPlace.HOST));
        }
        return settings;
    }
}
