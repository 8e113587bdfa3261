package io.fluxon.tools.replay;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.PutFuture;
import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WaitStage;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.tools.page.PageKeys;
import io.fluxon.tools.report.Latencies;
import io.fluxon.tools.report.Operation;
import io.fluxon.tools.report.PageCounts;
import io.fluxon.tools.trace.Trace;

import org.agrona.collections.LongHashSet;

import java.lang.foreign.MemorySegment;

/**
 * Does one request of a trace as an inference worker would: finds the restorable prefix, copies it out and compares
 * every byte, releases it, and puts the pages behind it. Equal pages of one request are put once. Not thread-safe.
 */
final class RequestRunner
{
    private static final long LOCAL_TIMEOUT_NS = SECONDS.toNanos(35);

    private final FluxonClient client;
    private final Trace trace;
    private final WorkerSettings settings;
    private final Latencies latencies;
    private final PageMover mover;
    private final PageKeys pageKeys;
    private final KeyBatch keys;
    private final AtomicGroups groups = new AtomicGroups();
    private final PutOptions options = new PutOptions();
    private final LongHashSet blocksOfPut = new LongHashSet();
    private final long[] contentHashes;
    private PlantedFault fault;

    RequestRunner(
        final FluxonClient client,
        final Trace trace,
        final WorkerSettings settings,
        final Latencies latencies,
        final PageMover mover)
    {
        this.client = client;
        this.trace = trace;
        this.settings = settings;
        this.latencies = latencies;
        this.mover = mover;
        pageKeys = new PageKeys(settings.keyPrefix());
        final int maxBlocks = trace.maxBlocksOfRequest();
        keys = new KeyBatch(maxBlocks, Math.multiplyExact(maxBlocks, pageKeys.length()));
        contentHashes = new long[maxBlocks];
        fault = settings.fault();
    }

    /**
     * Does a request up to its commit.
     *
     * @param request index of the request.
     * @param pages   that are counted, also if the request fails.
     * @return the request with its commit's future.
     * @throws FluxonException if a call failed; everything the request held is given back.
     */
    PendingPut run(final int request, final PageCounts pages)
    {
        final int blocks = trace.blockCount(request);
        pages.requested += blocks;
        final int hit = get(request, blocks, pages);
        addMissing(request, hit, blocks);
        return keys.size() > 0 ? put(request, pages) : new PendingPut(request, pages, null, 0);
    }

    private int get(final int request, final int blocks, final PageCounts pages)
    {
        addKeys(request, blocks);
        final long startNs = System.nanoTime();
        final GetHandle handle = client.getStart(keys, true, groups);
        final int hit = handle.transferableLen();
        final int remote = handle.remoteHits();
        final long startedNs = System.nanoTime();
        latencies.record(Operation.GET_START, startedNs - startNs);
        if (0 == hit)
        {
            return 0;
        }

        final GetHandle plan = client.getTransfer(handle);
        latencies.record(Operation.GET_TRANSFER, System.nanoTime() - startedNs);
        pages.hit += hit;
        pages.hitRemote += remote;
        try
        {
            restore(request, plan, hit, pages);
        }
        catch (final FluxonException ex)
        {
            giveBack(plan);
            throw ex;
        }
        miscount(pages);
        return hit;
    }

    /** What failed before the copy had begun has left the plan as it was. */
    private void giveBack(final GetHandle plan)
    {
        final long address = plan.planAddress();
        if (0 != address && client.planAt(address) == plan && 0 == mover.inFlight())
        {
            client.releaseViews(plan);
        }
    }

    private void addKeys(final int request, final int blocks)
    {
        keys.clear();
        groups.clear();
        for (int i = 0; i < blocks; i++)
        {
            contentHashes[i] = addKey(trace.blockId(request, i));
        }
        for (int i = 0; i < blocks; i += settings.groupBlocks())
        {
            groups.add(Math.min(settings.groupBlocks(), blocks - i));
        }
    }

    private long addKey(final long blockId)
    {
        pageKeys.block(blockId);
        keys.add(pageKeys.buffer(), 0, pageKeys.length());
        return pageKeys.contentHash();
    }

    private void restore(final int request, final GetHandle plan, final int hit, final PageCounts pages)
    {
        final PageMover.Contents contents = index -> contentHashes[index];
        final PageMover.Verdict verdict = (index, wrongAt) -> count(request, index, wrongAt, pages);
        if (PlantedFault.FLIPPED_BYTE == fault)
        {
            mover.restoreParts(plan, hit, contents, verdict);
            flip(plan.valueAddress(0));
            client.releaseViews(plan);
            fault = PlantedFault.NONE;
        }
        else if (PlantedFault.LEAKED_HOLDING == fault)
        {
            mover.restoreParts(plan, hit, contents, verdict);
            fault = PlantedFault.NONE;
        }
        else
        {
            latencies.record(Operation.RESTORE, mover.restore(plan, hit, contents, verdict));
        }
    }

    /** Flips one bit of a value in place. */
    private static void flip(final long address)
    {
        final MemorySegment value = MemorySegment.ofAddress(address).reinterpret(1);
        value.set(JAVA_BYTE, 0, (byte) (value.get(JAVA_BYTE, 0) ^ 1));
    }

    private void count(final int request, final int index, final long wrongAt, final PageCounts pages)
    {
        if (wrongAt < 0)
        {
            pages.verified++;
            pages.verifiedBytes += settings.pageBytes();
            return;
        }
        pages.corrupt++;
        System.err.println("corrupt page: request " + request + ", block " + trace.blockId(request, index) +
            ", byte " + wrongAt);
    }

    private void miscount(final PageCounts pages)
    {
        if (PlantedFault.MISCOUNTED_PAGE == fault)
        {
            fault = PlantedFault.NONE;
            pages.hit++;
        }
    }

    private void addMissing(final int request, final int hit, final int blocks)
    {
        keys.clear();
        groups.clear();
        blocksOfPut.clear();
        for (int first = hit; first < blocks; first += settings.groupBlocks())
        {
            final int before = keys.size();
            final int end = Math.min(first + settings.groupBlocks(), blocks);
            for (int i = first; i < end; i++)
            {
                final long blockId = trace.blockId(request, i);
                if (blocksOfPut.add(blockId))
                {
                    contentHashes[keys.size()] = addKey(blockId);
                }
            }
            if (keys.size() > before)
            {
                groups.add(keys.size() - before);
            }
        }
    }

    private PendingPut put(final int request, final PageCounts pages)
    {
        final int count = keys.size();
        final long startNs = System.nanoTime();
        final PutPlan plan = client.localFastPutStart(keys, settings.pageBytes(), options.atomicGroups(groups));
        latencies.record(Operation.PUT_START, System.nanoTime() - startNs);
        final PageMover.Backup backup = backup(plan);
        latencies.record(Operation.BACKUP, backup.durationNs());
        pages.put += count;

        awaitLocalReady(backup.put());
        latencies.record(Operation.PUT_COMMIT_LOCAL, System.nanoTime() - backup.commitNs());
        return new PendingPut(request, pages, backup.put(), backup.commitNs());
    }

    private PageMover.Backup backup(final PutPlan plan)
    {
        try
        {
            return mover.backup(plan, index -> contentHashes[index]);
        }
        catch (final FluxonException ex)
        {
            if (0 != plan.planAddress() && 0 == mover.inFlight())
            {
                client.startPutAbort(plan);
            }
            throw ex;
        }
    }

    private static void awaitLocalReady(final PutFuture future)
    {
        if (!future.awaitLocalReady(LOCAL_TIMEOUT_NS, NANOSECONDS))
        {
            throw new FluxonException(ErrorCode.TRANSPORT, WaitStage.ANSWER,
                "the owner did not answer the commit within " + NANOSECONDS.toSeconds(LOCAL_TIMEOUT_NS) + " s");
        }
    }
}
