package io.fluxon.jmh.cluster;

import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WorkerClient;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.PrintStream;

/**
 * Large batches at one owner core, whose duty cycles are measured one by one (contract G10): while a batch of one
 * worker is read, another worker asks for a single key.
 */
public final class SliceRun implements AutoCloseable
{
    private static final long VALUE_BYTES = 4096;
    private static final int CYCLES_BEFORE_SINGLE = 4;
    private static final int MAX_CYCLES = 100_000;

    private final CpuSamples getCycles = new CpuSamples();
    private final CpuSamples longestGetCycles = new CpuSamples();
    private final CpuSamples releaseCycles = new CpuSamples();
    private final CpuSamples putCycles = new CpuSamples();
    private final KeyBatch keys;
    private final KeyBatch singleKey = new KeyBatch(1, BenchKeys.LENGTH);
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[BenchKeys.LENGTH]);
    private final GetHandle batch;
    private final GetHandle single = new GetHandle(1);
    private final PutPlan put;
    private final CoreCluster cluster;
    private final CoreOwner owner;
    private final WorkerClient batchWorker;
    private final WorkerClient singleWorker;
    private final int keyCount;
    private int cyclesToSingle;
    private int cyclesToBatch;
    private long nextNumber;

    /**
     * An owner with one batch in its memory.
     *
     * @param keyCount keys of the batch.
     * @param maxPuts  most calls of {@link #put()}.
     */
    public SliceRun(final int keyCount, final int maxPuts)
    {
        this.keyCount = keyCount;
        cluster = new CoreCluster(1, 2, (maxPuts + 1) * keyCount * VALUE_BYTES);
        owner = cluster.owner(0);
        batchWorker = cluster.worker(0);
        singleWorker = cluster.worker(1);
        keys = new KeyBatch(keyCount, keyCount * BenchKeys.LENGTH);
        put = new PutPlan(keyCount);
        batch = new GetHandle(keyCount);
        put();
        singleKey.add(keys.buffer(), keys.keyOffset(0), keys.keyLength(0));
        clear();
    }

    /** Puts a batch of fresh keys; the following reads ask for them. */
    public void put()
    {
        keys.clear();
        for (int i = 0; i < keyCount; i++)
        {
            BenchKeys.write(key, 0, nextNumber++);
            keys.add(key, 0, BenchKeys.LENGTH);
        }
        check(batchWorker.putStart(put, keys, VALUE_BYTES, null));
        for (int i = 0; PutPlan.State.DONE != put.state(); i++)
        {
            cycle(putCycles, i);
            cluster.master().doWork();
            if (PutPlan.State.STARTED == put.state())
            {
                check(batchWorker.putCommit(put));
            }
        }
        check(put.failedCount());
    }

    /** Reads the batch and, when it is under way, the single key; then releases both. */
    public void get()
    {
        check(batchWorker.getStart(batch, keys, true, null));
        cyclesToSingle = 0;
        long longestNs = 0;
        int i = 0;
        for (; batch.isPending(); i++)
        {
            if (CYCLES_BEFORE_SINGLE == i)
            {
                check(singleWorker.getStart(single, singleKey, true, null));
            }
            longestNs = Math.max(longestNs, cycle(getCycles, i));
            if (0 == cyclesToSingle && i >= CYCLES_BEFORE_SINGLE && !single.isPending())
            {
                cyclesToSingle = i;
            }
        }
        cyclesToBatch = i;
        longestGetCycles.add(longestNs);
        consume(batchWorker, batch);
        consume(singleWorker, single);
        for (i = 0; owner.get(OwnerCounter.HOLDINGS) > 0; i++)
        {
            cycle(releaseCycles, i);
        }
    }

    /**
     * Was the single key answered while the batch was still being planned?
     *
     * @return true when it was, in the last {@link #get()}.
     */
    public boolean isSingleFirst()
    {
        return 0 < cyclesToSingle && cyclesToSingle < cyclesToBatch - 1;
    }

    /**
     * Duty cycles of the last {@link #get()}.
     *
     * @return those until the batch was answered.
     */
    public int cyclesToBatch()
    {
        return cyclesToBatch;
    }

    /**
     * Duty cycles of the last {@link #get()}.
     *
     * @return those from the single key's request until its answer.
     */
    public int cyclesToSingle()
    {
        return cyclesToSingle - CYCLES_BEFORE_SINGLE + 1;
    }

    /**
     * Duty cycles while a batch is read.
     *
     * @return their processor times.
     */
    public CpuSamples getCycles()
    {
        return getCycles;
    }

    /**
     * The longest duty cycle of each read.
     *
     * @return their processor times.
     */
    public CpuSamples longestGetCycles()
    {
        return longestGetCycles;
    }

    /**
     * Duty cycles while a batch is released.
     *
     * @return their processor times.
     */
    public CpuSamples releaseCycles()
    {
        return releaseCycles;
    }

    /**
     * Duty cycles while a batch is put, from its start to its global results.
     *
     * @return their processor times.
     */
    public CpuSamples putCycles()
    {
        return putCycles;
    }

    /**
     * Prints all duty cycles.
     *
     * @param out to print to.
     */
    public void print(final PrintStream out)
    {
        out.println();
        out.println("duty cycles of a batch's get:     " + getCycles);
        out.println("the longest one of each get:      " + longestGetCycles);
        out.println("duty cycles of a batch's release: " + releaseCycles);
        out.println("duty cycles of a batch's put:     " + putCycles);
    }

    /** Forgets what was measured. */
    public void clear()
    {
        getCycles.clear();
        longestGetCycles.clear();
        releaseCycles.clear();
        putCycles.clear();
    }

    @Override
    public void close()
    {
        cluster.close();
    }

    private long cycle(final CpuSamples samples, final int number)
    {
        if (MAX_CYCLES == number)
        {
            throw new IllegalStateException("not done after " + MAX_CYCLES + " duty cycles");
        }
        batchWorker.poll();
        singleWorker.poll();
        final long startNs = CpuSamples.nowNs();
        owner.doWork();
        final long durationNs = samples.addSince(startNs);
        batchWorker.poll();
        singleWorker.poll();
        cluster.advance();
        return durationNs;
    }

    private void consume(final WorkerClient worker, final GetHandle handle)
    {
        cluster.await(handle);
        check(worker.getTransfer(handle, WorkerClient.ALL_TRANSFERABLE));
        cluster.await(handle);
        check(worker.releaseViews(handle));
    }

    private static void check(final int code)
    {
        if (0 != code)
        {
            throw new IllegalStateException("error " + code);
        }
    }
}
