package io.fluxon.tools.demo;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.tools.cluster.Accounts;
import io.fluxon.tools.cluster.Cleanup;
import io.fluxon.tools.cluster.Cluster;
import io.fluxon.tools.cluster.ClusterCounters;
import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.cluster.ClusterPlan;
import io.fluxon.tools.cluster.HostNetwork;
import io.fluxon.tools.cluster.WorkDirectory;
import io.fluxon.tools.replay.PlantedFault;
import io.fluxon.tools.replay.Replay;
import io.fluxon.tools.replay.WorkerSettings;
import io.fluxon.tools.report.RunReport;
import io.fluxon.tools.trace.Trace;
import io.fluxon.tools.trace.TraceModel;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One run of the main job: starts a cluster and its workers, replays, settles the accounts, and stops everything.
 */
final class DemoRun
{
    static final long SETTLE_NS = SECONDS.toNanos(75);

    private static final int CHAOS_LIVENESS_MS = 3_000;

    private final DemoSettings settings;
    private final PlantedFault fault;
    private final long settleNs;
    private final Progress progress;
    private final RunReport report = new RunReport();
    private Cluster cluster;

    DemoRun(
        final DemoSettings settings, final PlantedFault fault, final long settleNs, final Progress progress)
    {
        this.settings = settings;
        this.fault = fault;
        this.settleNs = settleNs;
        this.progress = progress;
    }

    /** Runs, and says what came of it; everything that goes wrong is in the report, too. */
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
                reportDead();
            }
        }
        return report;
    }

    private void reportDead()
    {
        try
        {
            if (null != cluster)
            {
                cluster.checkAlive();
            }
        }
        catch (final ClusterException ex)
        {
            report.incident(ex.getMessage());
        }
    }

    private void run(final Cleanup cleanup)
    {
        final Workload workload = Workload.load(
            settings.trace(), settings.requests(), settings.seed(), DemoSettings.DEFAULT_REQUESTS);
        final Trace trace = workload.trace();
        final TraceModel model = new TraceModel(settings.gpuOwners(), settings.workers()).run(trace);
        final WorkDirectory directory = cleanup.add(WorkDirectory.create());
        final ClusterPlan plan = plan(trace, model);
        plan.checkRoom(directory);

        progress.say("starting 1 master, " + settings.gpuOwners() + " gpu and " + settings.cacheOwners() +
            " remote_cache owners, " + settings.workers() + " workers");
        final HostNetwork network = settings.isOnHosts() ? cleanup.add(new HostNetwork()) : null;
        openHosts(network);
        cluster = cleanup.add(Cluster.create(plan, directory.path(), network));
        cluster.start();
        final ClusterCounters counters =
            cleanup.add(new ClusterCounters(cluster.ownerCountersFiles(), cluster.masterCountersFile()));
        final Accounts accounts = new Accounts(counters, "");
        final Replay replay = cleanup.add(new Replay(
            trace, workerSettings(workload.file(directory), trace.requestCount()), cluster.logDirectory(),
            settings.isSequential(), report));
        replay.hosts(worker -> cluster.ownerHost(worker % settings.gpuOwners()));
        replay.start();
        replay(replay, trace, counters);
        settle(replay, accounts, model);
        checkLoss(network);
        cluster.checkAlive();
        progress.say("stopping");
    }

    private void openHosts(final HostNetwork network)
    {
        if (null == network)
        {
            return;
        }
        final List<String> names = new ArrayList<>(List.of("master"));
        for (int i = 1; i <= settings.gpuOwners() + settings.cacheOwners(); i++)
        {
            names.add("owner-" + i);
        }
        network.open(names, settings.loss());
    }

    private void checkLoss(final HostNetwork network)
    {
        if (settings.loss() > 0)
        {
            final long lost = network.lostDatagrams();
            progress.say(lost + " datagrams between hosts were lost");
            if (0 == lost)
            {
                report.incident("no datagram was lost");
            }
        }
    }

    private ClusterPlan plan(final Trace trace, final TraceModel model)
    {
        long most = 0;
        for (int i = 0; i < settings.gpuOwners(); i++)
        {
            most = Math.max(most, model.pagesOf(i));
        }
        final long twice =
            settings.isSequential() ? 0 : (long) trace.maxBlocksOfRequest() * settings.workersPerOwner();
        final ClusterPlan plan = ClusterPlan.of(settings.gpuOwners(), settings.cacheOwners(), settings.pageBytes(),
            most + twice, model.writtenPages(), 0);
        return ChaosTarget.NONE == settings.chaos() ? plan : plan.withLivenessMs(CHAOS_LIVENESS_MS)
            .withClientLivenessMs(ChaosTarget.STOP_WORKER == settings.chaos() ? CHAOS_LIVENESS_MS : 0);
    }

    private List<WorkerSettings> workerSettings(final Path traceFile, final int requests)
    {
        final List<WorkerSettings> workers = new ArrayList<>();
        for (int i = 0; i < settings.workers(); i++)
        {
            workers.add(new WorkerSettings(
                cluster.ownerDirectory(i % settings.gpuOwners()), traceFile, requests,
                settings.pageBytes(), settings.groupBlocks(), DemoSettings.KEY_PREFIX, "worker-" + i,
                settings.faultOf(i, fault),
                ChaosTarget.NONE == settings.chaos() ? WorkerSettings.DRIVER_TIMEOUT_MS : CHAOS_LIVENESS_MS,
                settings.place()));
        }
        return workers;
    }

    private void replay(final Replay replay, final Trace trace, final ClusterCounters counters)
    {
        final ChaosEvent chaos = chaos(replay, counters);
        progress.begin("replaying", trace.requestCount(), System.nanoTime());
        replay.run(this::onProgress, chaos);
        progress.end(trace.requestCount(), System.nanoTime());
        if (null != chaos)
        {
            report.chaos(chaos.result());
            if (!chaos.haveOthersGoneOn())
            {
                report.incident("no other ended a request while the process was away");
            }
        }
    }

    private ChaosEvent chaos(final Replay replay, final ClusterCounters counters)
    {
        final ChaosTarget target = settings.chaos();
        if (ChaosTarget.NONE == target)
        {
            return null;
        }
        return target.isReturn() ?
            new ReturnChaos(target, cluster, counters, replay, progress) :
            new Chaos(target, cluster, counters, replay, progress);
    }

    private void onProgress(final int done)
    {
        progress.update(done, System.nanoTime());
        cluster.checkAlive();
    }

    private void settle(final Replay replay, final Accounts accounts, final TraceModel model)
    {
        replay.quiesce();
        accounts.settle(report, settleNs);
        accounts.checkState(report.balance());
        report.balance().check("requests ended = requests of the trace", report.requests(), model.requests());
        if (null == report.chaos())
        {
            accounts.checkFlow(report.balance(), report.pages());
            if (settings.isSequential() && 1 == settings.groupBlocks())
            {
                Accounts.checkExpected(report.balance(), report.pages(), model);
            }
        }
        replay.collectLatencies();
    }
}
