package io.fluxon.tools.fault;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.cuda.CopyPlace;
import io.fluxon.tools.cluster.Accounts;
import io.fluxon.tools.cluster.Cluster;
import io.fluxon.tools.cluster.ClusterCounters;
import io.fluxon.tools.cluster.ClusterPlan;
import io.fluxon.tools.cluster.WorkDirectory;
import io.fluxon.tools.page.PageKeys;
import io.fluxon.tools.replay.PlantedFault;
import io.fluxon.tools.replay.Replay;
import io.fluxon.tools.replay.WorkerSettings;
import io.fluxon.tools.report.RunReport;
import io.fluxon.tools.trace.SessionWorkload;
import io.fluxon.tools.trace.Trace;
import io.fluxon.tools.trace.TraceModel;
import io.fluxon.tools.trace.TraceWriter;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A cluster of real processes under faults, and what must be true of it afterwards: no page was corrupt, nothing
 * temporary is left, the books balance, every worker works again, and no process and no file stays.
 */
final class FaultRun
{
    /** Silence after which workers and owners count as lost. */
    static final int LIVENESS_MS = 3_000;

    private static final int GPU_OWNERS = 2;
    private static final int CACHE_OWNERS = 0;
    private static final int WORKERS = 4;
    private static final int PAGE_BYTES = 4096;
    private static final int REQUESTS_OF_SHARE = 120;
    private static final long SETTLE_NS = SECONDS.toNanos(75);

    private FaultRun()
    {
    }

    /**
     * Runs, and checks.
     *
     * @param faults           in order.
     * @param clientLivenessMs of Aeron's clients, whose processes connect anew when they were stopped for longer; an
     *                         owner is its own client and ends then. 0 = the configuration's default, two minutes.
     * @param seed             of everything that is chosen.
     * @throws IOException if the workload cannot be written.
     */
    static void run(final List<Fault> faults, final int clientLivenessMs, final long seed) throws IOException
    {
        final RunReport report = new RunReport();
        final Trace trace = SessionWorkload.generate(REQUESTS_OF_SHARE * (faults.size() + 1), seed);
        final Path path;
        try (WorkDirectory directory = WorkDirectory.create();
            Cluster cluster = Cluster.create(plan(trace, clientLivenessMs), directory.path()))
        {
            path = directory.path();
            final Path file = path.resolve("workload.jsonl");
            TraceWriter.write(trace, file);
            cluster.start();
            run(cluster, trace, file, faults, seed, report);
        }
        assertThat(path).doesNotExist();
        assertThat(ProcessHandle.current().children().filter(ProcessHandle::isAlive)).isEmpty();
    }

    private static void run(
        final Cluster cluster,
        final Trace trace,
        final Path file,
        final List<Fault> faults,
        final long seed,
        final RunReport report)
    {
        try (ClusterCounters counters =
            new ClusterCounters(cluster.ownerCountersFiles(), cluster.masterCountersFile());
            Replay replay = new Replay(
                trace, workers(cluster, file, trace.requestCount()), cluster.logDirectory(), false, report))
        {
            final Accounts accounts = new Accounts(counters, "");
            final RandomFaults disturbance =
                new RandomFaults(cluster, counters, replay, WORKERS, faults, new Random(seed));
            replay.start();
            replay.run((ended) -> cluster.checkAlive(), disturbance);
            replay.quiesce();
            accounts.settle(report, SETTLE_NS);
            accounts.checkState(report.balance());
            cluster.checkAlive();

            final String told = "seed " + seed + ": " + disturbance.told();
            System.out.println(told + ", " + report.failed() + " requests of " + report.requests() + " failed");
            assertThat(report.pages().corrupt).as(told).isZero();
            assertThat(report.pages().verified).as(told).isPositive();
            assertThat(report.leftover().isZero()).as(told + report.leftover()).isTrue();
            assertThat(report.balance().checks()).as(told).isNotEmpty().allMatch((check) -> check.isOk());
            assertThat(report.requests()).as(told).isEqualTo(trace.requestCount());
            assertThat(disturbance.haveAllGoneOn()).as(told + ", each worker has gone on").isTrue();
        }
    }

    private static ClusterPlan plan(final Trace trace, final int clientLivenessMs)
    {
        final TraceModel model = new TraceModel(GPU_OWNERS, WORKERS).run(trace);
        final long pages = model.writtenPages() + (long)trace.maxBlocksOfRequest() * WORKERS;
        return ClusterPlan.of(GPU_OWNERS, CACHE_OWNERS, PAGE_BYTES, pages, pages, 0)
            .withLivenessMs(LIVENESS_MS).withClientLivenessMs(clientLivenessMs);
    }

    private static List<WorkerSettings> workers(final Cluster cluster, final Path trace, final int requests)
    {
        final List<WorkerSettings> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++)
        {
            workers.add(new WorkerSettings(cluster.ownerDirectory(i % GPU_OWNERS), trace, requests, PAGE_BYTES, 1,
                PageKeys.DEFAULT_PREFIX, "worker-" + i, PlantedFault.NONE, LIVENESS_MS, CopyPlace.HOST));
        }
        return workers;
    }
}
