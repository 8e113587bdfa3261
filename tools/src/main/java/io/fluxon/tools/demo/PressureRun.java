package io.fluxon.tools.demo;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.tools.cluster.Accounts;
import io.fluxon.tools.cluster.Cleanup;
import io.fluxon.tools.cluster.Cluster;
import io.fluxon.tools.cluster.ClusterCounters;
import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.cluster.ClusterPlan;
import io.fluxon.tools.cluster.WorkDirectory;
import io.fluxon.tools.replay.PlantedFault;
import io.fluxon.tools.replay.Replay;
import io.fluxon.tools.replay.WorkerSettings;
import io.fluxon.tools.report.CapacityResult;
import io.fluxon.tools.report.FullPeriod;
import io.fluxon.tools.report.RunReport;
import io.fluxon.tools.trace.PressureWorkload;
import io.fluxon.tools.trace.Trace;
import io.fluxon.tools.trace.TraceWriter;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts and gets as fast as they go on a cluster whose workload is larger than its memory (contract HOT-1, EVICT-2,
 * PRESS-1, PRESS-2): every page that comes back is right, no request fails, the store is full at the end, and then
 * nothing temporary is left and the books of evictions are right (contract S4).
 */
final class PressureRun
{
    private static final double NS_OF_SECOND = 1e9;

    private final PressureSettings settings;
    private final PlantedFault fault;
    private final Progress progress;
    private final RunReport report = new RunReport();
    private ClusterCounters counters;
    private long startNs;
    private long fullNs;
    private boolean isFull;
    private boolean isOver;
    private long requestedBefore;
    private long hitBefore;
    private long remoteBefore;
    private long writtenBefore;

    PressureRun(final PressureSettings settings, final PlantedFault fault, final Progress progress)
    {
        this.settings = settings;
        this.fault = fault;
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
            }
        }
        return report;
    }

    private void run(final Cleanup cleanup)
    {
        final ClusterPlan ofMemory = ClusterPlan.ofMemory(settings.gpuOwners(), settings.cacheOwners(),
            settings.pageBytes(), settings.gpuBytes(), settings.cacheBytes(), settings.quantumBytes(), false)
            .withFetchedCopies(settings.fetchedCopies());
        final ClusterPlan plan = settings.isDemoting() ? ofMemory : ofMemory.withoutDemotion();
        final WorkDirectory directory = cleanup.add(WorkDirectory.create());
        plan.checkRoom(directory, "use less memory (--gpu-bytes, --cache-bytes)");
        final long pages = (long) (PressureSettings.WORKING_SET * plan.usableSlotBytes(false) / plan.slotBytes());
        final Trace trace = PressureWorkload.generate(settings.workers(), pages, settings.seed());

        progress.say("starting 1 master, " + settings.gpuOwners() + " gpu and " + settings.cacheOwners() +
            " remote_cache owners, " + settings.workers() + " workers");
        final Cluster cluster = cleanup.add(Cluster.create(plan, directory.path(), null));
        cluster.start();
        counters = cleanup.add(new ClusterCounters(cluster.ownerCountersFiles(), cluster.masterCountersFile()));
        final Accounts accounts = new Accounts(counters, "");
        final Replay replay = cleanup.add(new Replay(
            trace, workerSettings(cluster, write(trace, directory)), cluster.logDirectory(), false, report));
        replay.start();
        final FullPeriod period = replay(replay, cluster, trace.requestCount());
        accounts.audit();
        final CapacityResult capacity = counters.capacity(plan);
        settle(replay, accounts);
        report.pressure(
            period, capacity, counters.ledger(), counters.replicas(), plan.slotBytes(), settings.isDemoting());
        cluster.checkAlive();
        progress.say("stopping");
    }

    private FullPeriod replay(final Replay replay, final Cluster cluster, final int requestsOfLap)
    {
        startNs = System.nanoTime();
        progress.begin("running laps", requestsOfLap, startNs);
        replay.runLaps(this::isEnough, (done) ->
        {
            progress.update(done, System.nanoTime());
            cluster.checkAlive();
        });
        final long endNs = System.nanoTime();
        progress.end((int) report.requests(), endNs);
        return new FullPeriod(
            ((isFull ? fullNs : endNs) - startNs) / NS_OF_SECOND,
            isFull ? (endNs - fullNs) / NS_OF_SECOND : 0,
            report.pages().requested - requestedBefore,
            report.pages().hit - hitBefore,
            report.pages().hitRemote - remoteBefore,
            report.pages().written - writtenBefore);
    }

    /** Has the store been full for long enough, or has it not become full in time? */
    private boolean isEnough()
    {
        final long nowNs = System.nanoTime();
        if (!isFull && !isOver && isEveryOwnerFull())
        {
            isFull = true;
            fullNs = nowNs;
            requestedBefore = report.pages().requested;
            hitBefore = report.pages().hit;
            remoteBefore = report.pages().hitRemote;
            writtenBefore = report.pages().written;
        }
        final long limitNs = SECONDS.toNanos(isFull ? settings.seconds() : settings.fillSeconds());
        isOver |= nowNs - (isFull ? fullNs : startNs) >= limitNs;
        return isOver;
    }

    /** Owners that get only copies are full when they evict, too; without demotion they get none. */
    private boolean isEveryOwnerFull()
    {
        final int owners = settings.gpuOwners() + (settings.isDemoting() ? settings.cacheOwners() : 0);
        for (int i = 0; i < owners; i++)
        {
            if (0 == counters.owner(i, OwnerCounter.EVICT_FREED))
            {
                return false;
            }
        }
        return true;
    }

    private void settle(final Replay replay, final Accounts accounts)
    {
        replay.quiesce();
        accounts.checkEvictions(report.balance(), DemoRun.SETTLE_NS);
        accounts.settle(report, DemoRun.SETTLE_NS);
        accounts.checkState(report.balance());
        accounts.checkFlow(report.balance(), report.pages());
        replay.collectLatencies();
        if (!isFull)
        {
            report.incident("the store was not full within " + settings.fillSeconds() + " s: give it more time " +
                "(--fill-seconds) or less memory (--gpu-bytes)");
        }
    }

    private List<WorkerSettings> workerSettings(final Cluster cluster, final Path trace)
    {
        final List<WorkerSettings> workers = new ArrayList<>();
        for (int i = 0; i < settings.workers(); i++)
        {
            workers.add(new WorkerSettings(
                cluster.ownerDirectory(i % settings.gpuOwners()), trace, Integer.MAX_VALUE, settings.pageBytes(),
                settings.groupBlocks(), PressureSettings.KEY_PREFIX, "worker-" + i,
                0 == i ? fault : PlantedFault.NONE, WorkerSettings.DRIVER_TIMEOUT_MS));
        }
        return workers;
    }

    private static Path write(final Trace trace, final WorkDirectory directory)
    {
        final Path file = directory.path().resolve("workload.jsonl");
        try
        {
            TraceWriter.write(trace, file);
            return file;
        }
        catch (final IOException ex)
        {
            throw new ClusterException("cannot write " + file + ": " + ex.getMessage());
        }
    }
}
