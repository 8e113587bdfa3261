package io.fluxon.tools.replay;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.cuda.client.BackupFuture;
import io.fluxon.cuda.client.CopyClient;
import io.fluxon.cuda.client.CopyFuture;
import io.fluxon.cuda.client.CopyOptions;
import io.fluxon.cuda.client.PageList;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.PutFuture;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WaitStage;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.tools.page.KvCache;

/**
 * Moves the pages of plans in and out of a worker's simulated KV cache by its copier, and makes and compares them:
 * whole plans at once where the cache holds them, else in parts. Belongs to one thread.
 */
final class PageMover
{
    private static final long COPY_TIMEOUT_NS = SECONDS.toNanos(60);

    /** What a key's page must be. */
    interface Contents
    {
        /** Content hash of the page of a plan's value. */
        long hash(int index);
    }

    /** Hears what a page of a read plan was. */
    interface Verdict
    {
        /** Position of its first wrong word, -1 if it is right. */
        void onPage(int index, long wrongAt);
    }

    private final CopyClient copies;
    private final KvCache cache;

    PageMover(final CopyClient copies, final KvCache cache)
    {
        this.copies = copies;
        this.cache = cache;
    }

    /**
     * Brings the values of a read plan into the cache, compares them, and has the plan released.
     *
     * @return duration of the copy and the release in nanoseconds.
     */
    long restore(final GetHandle plan, final int count, final Contents contents, final Verdict verdict)
    {
        if (count > cache.capacity() || count != plan.count())
        {
            final long durationNs = restoreParts(plan, count, contents, verdict);
            copies.client().releaseViews(plan);
            return durationNs;
        }
        final long startNs = System.nanoTime();
        await(copies.restore(plan, cache.pools(), cache.take(count), CopyOptions.DEFAULT));
        final long durationNs = System.nanoTime() - startNs;
        compare(0, count, contents, verdict);
        return durationNs;
    }

    /**
     * The same in parts, and the plan stays as it is.
     *
     * @return duration of the copies in nanoseconds.
     */
    long restoreParts(final GetHandle plan, final int count, final Contents contents, final Verdict verdict)
    {
        long durationNs = 0;
        for (int first = 0; first < count; first += cache.capacity())
        {
            final int part = Math.min(cache.capacity(), count - first);
            final long startNs = System.nanoTime();
            await(copies.restorePart(plan, first, cache.pools(), cache.take(part), CopyOptions.DEFAULT));
            durationNs += System.nanoTime() - startNs;
            compare(first, part, contents, verdict);
        }
        return durationNs;
    }

    /**
     * Makes the pages of a put plan in the cache, brings them to its values, and commits it.
     *
     * @return what came of it.
     */
    Backup backup(final PutPlan plan, final Contents contents)
    {
        if (plan.count() > cache.capacity())
        {
            return backupParts(plan, contents);
        }
        final PageList pages = cache.take(plan.count());
        make(0, plan.count(), contents);
        final long startNs = System.nanoTime();
        final BackupFuture future = copies.backup(plan, cache.pools(), pages, CopyOptions.DEFAULT);
        await(future);
        return new Backup(future.put(), future.commitNs() - startNs, future.commitNs());
    }

    private Backup backupParts(final PutPlan plan, final Contents contents)
    {
        long durationNs = 0;
        for (int first = 0; first < plan.count(); first += cache.capacity())
        {
            final int part = Math.min(cache.capacity(), plan.count() - first);
            final PageList pages = cache.take(part);
            make(first, part, contents);
            final long startNs = System.nanoTime();
            await(copies.backupPart(plan, first, cache.pools(), pages, CopyOptions.DEFAULT));
            durationNs += System.nanoTime() - startNs;
        }
        final long commitNs = System.nanoTime();
        return new Backup(copies.client().localFastPutCommit(plan), durationNs, commitNs);
    }

    /** Copies that have not ended. */
    int inFlight()
    {
        return copies.inFlight();
    }

    private void make(final int first, final int count, final Contents contents)
    {
        for (int i = 0; i < count; i++)
        {
            cache.fill(i, contents.hash(first + i));
        }
    }

    private void compare(final int first, final int count, final Contents contents, final Verdict verdict)
    {
        for (int i = 0; i < count; i++)
        {
            verdict.onPage(first + i, cache.firstDifference(i, contents.hash(first + i)));
        }
    }

    private static void await(final CopyFuture future)
    {
        if (!future.awaitCopied(COPY_TIMEOUT_NS, NANOSECONDS))
        {
            throw new FluxonException(ErrorCode.TRANSPORT, WaitStage.NONE,
                "a copy has not ended within " + NANOSECONDS.toSeconds(COPY_TIMEOUT_NS) + " s");
        }
    }

    /**
     * A backup whose commit was sent.
     *
     * @param put        the commit's future.
     * @param durationNs of the copy.
     * @param commitNs   when the commit was sent.
     */
    record Backup(PutFuture put, long durationNs, long commitNs)
    {
    }
}
