package io.fluxon.tools.replay;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.PutFuture;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WaitStage;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.tools.page.PageKeys;
import io.fluxon.tools.report.Latencies;
import io.fluxon.tools.report.Operation;

import java.util.ArrayList;
import java.util.List;

/**
 * A round of wholly local work: puts fresh pages, and reads them back as soon as they are local-read-ready. No commit's
 * future is awaited within the measured time (contract V1, P1); they are all awaited behind it.
 */
final class LocalRound
{
    private static final long WAIT_SECONDS = 60;
    private static final double MEDIAN = 50.0;

    private final FluxonClient client;
    private final PageMover mover;
    private final int pageBytes;
    private final PageKeys pageKeys;
    private final Latencies total;
    private final Latencies latencies = new Latencies();
    private final List<PutFuture> futures = new ArrayList<>();

    LocalRound(
        final FluxonClient client,
        final PageMover mover,
        final WorkerSettings settings,
        final Latencies total)
    {
        this.total = total;
        this.client = client;
        this.mover = mover;
        pageBytes = settings.pageBytes();
        pageKeys = new PageKeys(settings.keyPrefix() + ".round");
    }

    /**
     * Does the round.
     *
     * @param firstBlock id of the first block; none of them may have been used.
     * @param batches    that are put and read back.
     * @param pages      of a batch.
     * @return what it took.
     */
    WorkerEvent.Round run(final long firstBlock, final int batches, final int pages)
    {
        final KeyBatch keys = new KeyBatch(pages, pages * pageKeys.length());
        latencies.reset();
        futures.clear();
        final long startNs = System.nanoTime();
        for (int i = 0; i < batches; i++)
        {
            final long block = firstBlock + (long) i * pages;
            keys.clear();
            for (int j = 0; j < pages; j++)
            {
                keys.add(pageKeys.block(block + j).buffer(), 0, pageKeys.length());
            }
            put(keys, block);
            get(keys, block);
        }
        final long durationNs = System.nanoTime() - startNs;

        for (final PutFuture future : futures)
        {
            awaitCommit(future);
        }
        return new WorkerEvent.Round(2L * batches, durationNs, median(Operation.PUT_START),
            median(Operation.PUT_COMMIT_LOCAL), median(Operation.GET_START));
    }

    private void put(final KeyBatch keys, final long firstBlock)
    {
        final long startNs = System.nanoTime();
        final PutPlan plan = client.localFastPutStart(keys, pageBytes, null);
        record(Operation.PUT_START, System.nanoTime() - startNs);
        final PageMover.Backup backup =
            mover.backup(plan, index -> pageKeys.block(firstBlock + index).contentHash());
        record(Operation.BACKUP, backup.durationNs());
        final PutFuture future = backup.put();
        if (!future.awaitLocalReady(WAIT_SECONDS, SECONDS))
        {
            throw new FluxonException(ErrorCode.TRANSPORT, WaitStage.ANSWER, "the owner did not answer a commit");
        }
        record(Operation.PUT_COMMIT_LOCAL, System.nanoTime() - backup.commitNs());
        futures.add(future);
    }

    private void get(final KeyBatch keys, final long firstBlock)
    {
        final long startNs = System.nanoTime();
        final GetHandle handle = client.getStart(keys, false, null);
        record(Operation.GET_START, System.nanoTime() - startNs);
        if (handle.transferableLen() != keys.size() || 0 != handle.remoteHits())
        {
            throw new FluxonException(ErrorCode.KEY_NOT_FOUND, WaitStage.NONE,
                "pages that are local-read-ready were not hit: " + handle.transferableLen() + " of " + keys.size());
        }

        final long transferNs = System.nanoTime();
        final GetHandle plan = client.getTransfer(handle);
        record(Operation.GET_TRANSFER, System.nanoTime() - transferNs);
        record(Operation.RESTORE, mover.restore(plan, keys.size(),
            index -> pageKeys.block(firstBlock + index).contentHash(), LocalRound::checkRight));
    }

    private static void checkRight(final int index, final long wrongAt)
    {
        if (wrongAt >= 0)
        {
            throw new FluxonException(ErrorCode.UNKNOWN, WaitStage.NONE, "page " + index + " came back wrong");
        }
    }

    private static void awaitCommit(final PutFuture future)
    {
        if (!future.await(WAIT_SECONDS, SECONDS))
        {
            throw new FluxonException(ErrorCode.TRANSPORT, WaitStage.PUBLISH, "a commit has no result");
        }
        for (final int result : future.results())
        {
            if (ErrorCode.OK != result)
            {
                throw new FluxonException(-result, WaitStage.NONE, "a fresh page was not committed");
            }
        }
    }

    private void record(final Operation operation, final long durationNs)
    {
        latencies.record(operation, durationNs);
        total.record(operation, durationNs);
    }

    private long median(final Operation operation)
    {
        return latencies.of(operation).getValueAtPercentile(MEDIAN);
    }
}
