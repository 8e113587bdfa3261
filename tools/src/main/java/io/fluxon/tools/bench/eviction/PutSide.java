package io.fluxon.tools.bench.eviction;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.client.ClientContext;
import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.LocalSegment;
import io.fluxon.ipc.client.PutFuture;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.cluster.ProcessCounters;
import io.fluxon.tools.page.PageKeys;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayDeque;

/**
 * A worker of one owner, which puts pages of keys that nobody has, several batches under way. Belongs to one thread.
 */
final class PutSide implements AutoCloseable
{
    private static final int MAX_PENDING = 8;
    private static final int TOUCH_BYTES = 4096;
    private static final long TIMEOUT_SECONDS = 60;

    private final EvictionBenchSettings settings;
    private final FluxonClient client;
    private final ProcessCounters counters;
    private final MemorySegment page;
    private final PageKeys pageKeys = new PageKeys(PageKeys.DEFAULT_PREFIX);
    private final KeyBatch keys;
    private final ArrayDeque<PutFuture> pending = new ArrayDeque<>();
    private long nextBlock;

    PutSide(
        final EvictionBenchSettings settings,
        final Path ownerDirectory,
        final Path countersFile,
        final MemorySegment page,
        final long firstBlock)
    {
        this.settings = settings;
        this.page = page;
        nextBlock = firstBlock;
        keys = new KeyBatch(settings.batchPages(), settings.batchPages() * pageKeys.length());
        client = FluxonClient.connect(new ClientContext().ownerDirectory(ownerDirectory.toString()));
        counters = ProcessCounters.map(countersFile);
    }

    /** Maps every page of the owner's memory into this process, so that no put is the first to touch one. */
    long touch()
    {
        long sum = 0;
        for (final LocalSegment segment : client.waitLocalSegmentsReady())
        {
            final MemorySegment memory = MemorySegment.ofAddress(segment.readPtr()).reinterpret(segment.len());
            for (long at = 0; at < segment.len(); at += TOUCH_BYTES)
            {
                sum += memory.get(JAVA_BYTE, at);
            }
        }
        return sum;
    }

    /**
     * Puts pages, and waits until the master has all.
     *
     * @return pages a second.
     */
    double put(final long pages)
    {
        final long startNs = System.nanoTime();
        for (long put = 0; put < pages; put += settings.batchPages())
        {
            while (pending.size() >= MAX_PENDING)
            {
                awaitOldest();
            }
            putBatch();
        }
        while (!pending.isEmpty())
        {
            awaitOldest();
        }
        return pages * (double) SECONDS.toNanos(1) / (System.nanoTime() - startNs);
    }

    long count(final OwnerCounter counter)
    {
        return counters.get(counter.typeId());
    }

    private void putBatch()
    {
        keys.clear();
        for (int i = 0; i < settings.batchPages(); i++)
        {
            keys.add(pageKeys.block(nextBlock++).buffer(), 0, pageKeys.length());
        }
        final PutPlan plan = client.localFastPutStart(keys, settings.pageBytes(), null);
        for (int i = 0; i < settings.batchPages(); i++)
        {
            MemorySegment.ofAddress(plan.valueAddress(i)).reinterpret(settings.pageBytes()).copyFrom(page);
        }
        pending.add(client.localFastPutCommit(plan));
    }

    private void awaitOldest()
    {
        final PutFuture oldest = pending.remove();
        if (!oldest.await(TIMEOUT_SECONDS, SECONDS))
        {
            throw new ClusterException("a commit has no result within " + TIMEOUT_SECONDS + " s");
        }
        for (final int result : oldest.results())
        {
            if (ErrorCode.OK != result)
            {
                throw new ClusterException("a page was refused: " + ErrorCode.name(-result));
            }
        }
    }

    @Override
    public void close()
    {
        try
        {
            client.close();
        }
        catch (final FluxonException ex)
        {
            System.err.println("a worker ended without its owner: " + ex.getMessage());
        }
        counters.close();
    }
}
