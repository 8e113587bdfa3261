package io.fluxon.tools.bench.path;

import static io.fluxon.codecs.data.CopyDirection.BACKUP;
import static io.fluxon.codecs.data.CopyDirection.RESTORE;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.cuda.CopySegment;
import io.fluxon.cuda.CopySettings;
import io.fluxon.cuda.CopyWorker;
import io.fluxon.cuda.client.BackupFuture;
import io.fluxon.cuda.client.CopyClient;
import io.fluxon.cuda.client.CopyFuture;
import io.fluxon.cuda.client.CopyOptions;
import io.fluxon.cuda.client.PageList;
import io.fluxon.cuda.copy.CopyLimits;
import io.fluxon.cuda.device.CudaCopyConfig;
import io.fluxon.cuda.kernel.Geometry;
import io.fluxon.ipc.client.ClientContext;
import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.tools.cluster.Cleanup;
import io.fluxon.tools.cluster.Cluster;
import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.cluster.ClusterPlan;
import io.fluxon.tools.cluster.WorkDirectory;
import io.fluxon.tools.page.KvCache;
import io.fluxon.tools.page.PageKeys;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * A master and an owner as processes, and a worker in this one whose pools lie on a GPU or in host memory. It backs up
 * batches of fresh pages and restores one batch again and again, each beside the same copy by a copy worker alone. All
 * memory is touched and registered before, and the code of all three processes is made warm by small pages.
 */
public final class PathBench
{
    private static final CopyLimits LIMITS = new CopyLimits(64, 16, 16, 4L << 30, 8L << 30);
    private static final long TIMEOUT_SECONDS = 60;
    private static final int DEVICE = 0;
    private static final int MOST_PLANS = 200;

    private final PathBenchSettings settings;
    private final PrintStream progress;
    private final PageKeys pageKeys = new PageKeys(PageKeys.DEFAULT_PREFIX + ".path");
    private final KeyBatch keys;
    private FluxonClient client;
    private CopyClient copies;
    private BareCopy bare;
    private String place;
    private long nextBlock;

    private PathBench(final PathBenchSettings settings, final PrintStream progress)
    {
        this.settings = settings;
        this.progress = progress;
        keys = new KeyBatch(settings.pages(), settings.pages() * pageKeys.length());
    }

    /**
     * Measures.
     *
     * @param settings what to measure.
     * @param progress for a line for each part.
     * @return what was measured.
     * @throws ClusterException when something goes wrong; nothing is left behind.
     */
    public static PathReport run(final PathBenchSettings settings, final PrintStream progress)
    {
        try (Cleanup cleanup = new Cleanup())
        {
            return new PathBench(settings, progress).run(cleanup);
        }
        catch (final FluxonException ex)
        {
            throw new ClusterException(ex.getMessage());
        }
    }

    private PathReport run(final Cleanup cleanup)
    {
        final int runs = (int) settings.possibleRuns();
        if (runs < 1)
        {
            throw new ClusterException("a segment of " + settings.segmentBytes() + " bytes has no room for one batch " +
                "of " + settings.pages() + " pages: make it larger (--segment-bytes)");
        }
        final ClusterPlan plan = ClusterPlan.ofMemory(1, 0, (int) settings.geometry().valueBytes(),
            settings.capacityBytes(), settings.capacityBytes(), settings.quantumBytes(), true)
            .withIdle(settings.idle()).withMaxKeys(settings.mostKeys());
        final WorkDirectory directory = cleanup.add(WorkDirectory.create());
        plan.checkRoom(directory, "use a smaller segment (--segment-bytes)");
        progress.println("starting a master and an owner of " + settings.capacityBytes() + " bytes");
        final Cluster cluster = cleanup.add(Cluster.create(plan, directory.path()));
        cluster.start();
        connect(cleanup, cluster);
        try (KvCache small = new KvCache(settings.smallGeometry(), 2 * settings.pages(), settings.place());
            KvCache cache = new KvCache(settings.geometry(), 2 * settings.pages(), settings.place()))
        {
            progress.println("making warm: " + settings.warmUps() + " batches of small pages each way");
            final PathTimes smallBackup = new PathTimes(settings.warmUps());
            final PathTimes smallRestore = new PathTimes(settings.warmUps());
            backUp(small, settings.smallGeometry(), settings.warmUps(), settings.warmUps(), smallBackup);
            restore(small, settings.smallGeometry(), settings.warmUps(), settings.warmUps(), smallRestore);
            useSlots(runs + settings.fullWarmUps());
            progress.println("measuring: " + runs + " backups, then as many restores");
            final PathTimes backup = new PathTimes(runs);
            final PathTimes restore = new PathTimes(runs);
            backUp(cache, settings.geometry(), settings.fullWarmUps(), runs, backup);
            final long compared = restore(cache, settings.geometry(), settings.fullWarmUps(), runs, restore);
            return new PathReport(settings, place, runs, restore, backup, smallRestore, smallBackup, compared);
        }
    }

    private void connect(final Cleanup cleanup, final Cluster cluster)
    {
        client = cleanup.add(FluxonClient.connect(new ClientContext()
            .ownerDirectory(cluster.ownerDirectory(0).toString()).clientName("path").idleStrategy(settings.idle())));
        final CopySettings copySettings =
            new CopySettings(settings.place(), DEVICE, CudaCopyConfig.DEFAULT, LIMITS);
        final long startNs = System.nanoTime();
        copies = CopyClient.open(client, copySettings, (line) -> place = line);
        progress.printf("%s; ready for copies in %.2f s%n", place, (System.nanoTime() - startNs) / 1e9);
        bare = cleanup.add(new BareCopy(CopyWorker.open(
            CopySegment.of(client.waitLocalSegmentsReady().getFirst()), copySettings, (line) -> {})));
    }

    /** Claims the slots that will be used and gives them back, so that none is the first to touch its records. */
    private void useSlots(final int batches)
    {
        final List<PutPlan> plans = new ArrayList<>();
        for (int i = 0; i < batches && i < MOST_PLANS; i++)
        {
            takeKeys(newBlocks());
            plans.add(client.localFastPutStart(keys, settings.geometry().valueBytes(), null));
        }
        plans.forEach(client::putAbort);
    }

    /** Each batch has keys that nobody has; the bare copies go to one plan that is never committed. */
    private void backUp(
        final KvCache cache, final Geometry geometry, final int warmUps, final int runs, final PathTimes times)
    {
        final PageList pages = cache.take(settings.pages());
        for (int i = 0; i < settings.pages(); i++)
        {
            cache.fill(i, hash(i));
        }
        takeKeys(newBlocks());
        final PutPlan kept = client.localFastPutStart(keys, geometry.valueBytes(), null);
        for (int run = -warmUps; run < runs; run++)
        {
            takeKeys(newBlocks());
            times.put(PathReport.COPY, run, bare.copy(BACKUP, kept.planAddress(), cache.pools(), pages));
            final long startNs = System.nanoTime();
            final PutPlan plan = client.localFastPutStart(keys, geometry.valueBytes(), null);
            final long startedNs = System.nanoTime();
            final BackupFuture future = copies.backup(plan, cache.pools(), pages, CopyOptions.DEFAULT);
            checkInTime(future.awaitCopied(TIMEOUT_SECONDS, SECONDS));
            final long commitNs = future.commitNs();
            checkInTime(future.awaitLocalReady(TIMEOUT_SECONDS, SECONDS));
            final long readyNs = System.nanoTime();
            checkInTime(future.await(TIMEOUT_SECONDS, SECONDS));
            final long globalNs = System.nanoTime();
            checkCommitted(future.results());
            times.put(PathReport.PATH, run, readyNs - startNs);
            times.put(PathReport.PUT_START, run, startedNs - startNs);
            times.put(PathReport.BACKUP, run, commitNs - startedNs);
            times.put(PathReport.LOCAL, run, readyNs - commitNs);
            times.put(PathReport.GLOBAL, run, globalNs - commitNs);
        }
        client.putAbort(kept);
    }

    /** The batch that was backed up last, again and again, to other pages each time. Returns how many were compared. */
    private long restore(
        final KvCache cache, final Geometry geometry, final int warmUps, final int runs, final PathTimes times)
    {
        final GetHandle kept = client.getTransfer(client.getStart(keys, false, null));
        for (int run = -warmUps; run < runs; run++)
        {
            final PageList pages = cache.take(settings.pages());
            times.put(PathReport.COPY, run, bare.copy(RESTORE, kept.planAddress(), cache.pools(), pages));
            final long startNs = System.nanoTime();
            final GetHandle handle = client.getStart(keys, false, null);
            final long startedNs = System.nanoTime();
            final GetHandle plan = client.getTransfer(handle);
            final long readableNs = System.nanoTime();
            final CopyFuture future = copies.restore(plan, cache.pools(), pages, CopyOptions.DEFAULT);
            checkInTime(future.awaitCopied(TIMEOUT_SECONDS, SECONDS));
            final long endNs = System.nanoTime();
            times.put(PathReport.PATH, run, endNs - startNs);
            times.put(PathReport.GET_START, run, startedNs - startNs);
            times.put(PathReport.GET_TRANSFER, run, readableNs - startedNs);
            times.put(PathReport.RESTORE, run, endNs - readableNs);
        }
        client.releaseViews(kept);
        return compare(cache, geometry);
    }

    /** Has other pages filled with what is wrong, restores into them, and compares all. */
    private long compare(final KvCache cache, final Geometry geometry)
    {
        final PageList pages = cache.take(settings.pages());
        for (int i = 0; i < settings.pages(); i++)
        {
            cache.fill(i, ~hash(i));
        }
        final GetHandle plan = client.getTransfer(client.getStart(keys, false, null));
        checkInTime(copies.restore(plan, cache.pools(), pages, CopyOptions.DEFAULT)
            .awaitCopied(TIMEOUT_SECONDS, SECONDS));
        for (int i = 0; i < settings.pages(); i++)
        {
            final long wrongAt = cache.firstDifference(i, hash(i));
            if (wrongAt >= 0)
            {
                throw new ClusterException(
                    "page " + i + " of " + geometry.valueBytes() + " bytes came back wrong at byte " + wrongAt);
            }
        }
        return settings.pages();
    }

    private long newBlocks()
    {
        nextBlock += settings.pages();
        return nextBlock;
    }

    private void takeKeys(final long firstBlock)
    {
        keys.clear();
        for (int i = 0; i < settings.pages(); i++)
        {
            keys.add(pageKeys.block(firstBlock + i).buffer(), 0, pageKeys.length());
        }
    }

    private long hash(final int index)
    {
        return pageKeys.block(index).contentHash();
    }

    private static void checkInTime(final boolean isInTime)
    {
        if (!isInTime)
        {
            throw new ClusterException("something did not end within " + TIMEOUT_SECONDS + " s");
        }
    }

    private static void checkCommitted(final int[] results)
    {
        for (final int result : results)
        {
            if (ErrorCode.OK != result)
            {
                throw new ClusterException("a page was refused: " + ErrorCode.name(-result));
            }
        }
    }
}
