package io.fluxon.jmh;

import io.fluxon.ipc.client.core.ClientOperation;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WorkerClient;
import io.fluxon.jmh.cluster.BenchKeys;
import io.fluxon.jmh.cluster.ProcessCluster;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/**
 * What a worker waits for: the client in poll form, over real Aeron IPC to an owner that speaks UDP to its master, each
 * with the threads of production, values of 4 KiB written and read. All threads back off when idle; on a machine with
 * fewer processors than threads the times are those of the scheduler as much as of the program.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class EndToEndBenchmark
{
    private static final int VALUE_BYTES = 4096;
    private static final long CAPACITY_BYTES = 1L << 30;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int PLANS = 16;

    /** Keys of each batch. */
    @Param({"1", "32"})
    public int keyCount;

    private final UnsafeBuffer key = new UnsafeBuffer(new byte[BenchKeys.LENGTH]);
    private final UnsafeBuffer page = new UnsafeBuffer(new byte[VALUE_BYTES]);
    private final UnsafeBuffer value = new UnsafeBuffer(0, 0);
    private final PutPlan[] plans = new PutPlan[PLANS];
    private ProcessCluster cluster;
    private WorkerClient client;
    private KeyBatch keys;
    private GetHandle get;
    private int planIndex;
    private long nextNumber;
    private long bytesPut;

    /** Makes the operations. */
    @Setup
    public void setup()
    {
        keys = new KeyBatch(keyCount, keyCount * BenchKeys.LENGTH);
        get = new GetHandle(keyCount);
        for (int i = 0; i < PLANS; i++)
        {
            plans[i] = new PutPlan(keyCount);
        }
        page.setMemory(0, VALUE_BYTES, (byte)1);
    }

    /** Starts the processes, afresh when half of the capacity is used up, and puts what is read later. */
    @Setup(Level.Iteration)
    public void startProcesses()
    {
        if (null == cluster || bytesPut > CAPACITY_BYTES / 2)
        {
            tearDown();
            cluster = new ProcessCluster(CAPACITY_BYTES);
            client = cluster.client();
            bytesPut = 0;
            awaitDone(put());
        }
    }

    /** Waits for puts that are under way. */
    @TearDown(Level.Iteration)
    public void drain()
    {
        for (final PutPlan plan : plans)
        {
            awaitDone(plan);
        }
    }

    /** Stops the processes. */
    @TearDown
    public void tearDown()
    {
        if (null != cluster)
        {
            cluster.close();
            cluster = null;
        }
    }

    /**
     * Start, values, commit, until the values can be read on this owner (contract V1). The global publish goes on
     * behind it; {@value #PLANS} puts may be in that state.
     *
     * @return the put.
     */
    @Benchmark
    public PutPlan putLocalReady()
    {
        return put();
    }

    /**
     * Start, values, commit, until every key has its global result (contract PUT-2).
     *
     * @return the put.
     */
    @Benchmark
    public PutPlan putGlobal()
    {
        return awaitDone(put());
    }

    /**
     * Get of a batch that is here, every value read, release.
     *
     * @return sum of the values' bytes that were looked at.
     */
    @Benchmark
    public long getRelease()
    {
        check(client.getStart(get, keys, true, null));
        await(get);
        check(client.getTransfer(get, WorkerClient.ALL_TRANSFERABLE));
        await(get);
        if (keyCount != get.count())
        {
            throw new IllegalStateException(get.count() + " of " + keyCount + " keys were found");
        }
        for (int i = 0; i < keyCount; i++)
        {
            value.wrap(get.valueAddress(i), VALUE_BYTES);
            page.putBytes(0, value, 0, VALUE_BYTES);
        }
        check(client.releaseViews(get));
        return page.getLong(0);
    }

    private PutPlan put()
    {
        planIndex = planIndex + 1 < PLANS ? planIndex + 1 : 0;
        final PutPlan plan = awaitDone(plans[planIndex]);
        keys.clear();
        for (int i = 0; i < keyCount; i++)
        {
            BenchKeys.write(key, 0, nextNumber++);
            keys.add(key, 0, BenchKeys.LENGTH);
        }
        check(client.putStart(plan, keys, VALUE_BYTES, null));
        await(plan);
        for (int i = 0; i < keyCount; i++)
        {
            value.wrap(plan.valueAddress(i), VALUE_BYTES);
            value.putBytes(0, page, 0, VALUE_BYTES);
        }
        check(client.putCommit(plan));
        awaitLocalReady(plan);
        bytesPut += (long)keyCount * VALUE_BYTES;
        return plan;
    }

    private void await(final ClientOperation operation)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (operation.isPending())
        {
            poll(deadlineNs);
        }
        check(operation.errorCode());
    }

    private void awaitLocalReady(final PutPlan plan)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (PutPlan.State.COMMITTING == plan.state())
        {
            poll(deadlineNs);
        }
        check(plan.errorCode());
    }

    private PutPlan awaitDone(final PutPlan plan)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!plan.isReusable())
        {
            poll(deadlineNs);
        }
        check(plan.errorCode());
        check(plan.failedCount());
        return plan;
    }

    private void poll(final long deadlineNs)
    {
        if (System.nanoTime() - deadlineNs > 0)
        {
            throw new IllegalStateException("no answer in time");
        }
        cluster.poll();
    }

    private void check(final int code)
    {
        if (0 != code)
        {
            throw new IllegalStateException("error " + code + " " + client.refusal());
        }
    }
}
