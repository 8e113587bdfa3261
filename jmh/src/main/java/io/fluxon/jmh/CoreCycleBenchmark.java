package io.fluxon.jmh;

import io.fluxon.jmh.cluster.CoreCluster;
import io.fluxon.jmh.cluster.CoreCycle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/**
 * Owner, master and client cores in one thread without Aeron: the work of a page's life and, with the profiler, exactly
 * what the cores allocate (contract ZERO-1: below 0.5 B in steady state). Fresh keys take slots for good as long as
 * nothing is evicted, so what puts runs a fixed number of times: the time of a single shot is that of
 * {@value #SHOTS_OF_1} cycles of one key, or {@value #SHOTS_OF_32} of 32.
 */
@State(Scope.Thread)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class CoreCycleBenchmark
{
    private static final int SHOTS_OF_1 = 10_000;
    private static final int SHOTS_OF_32 = 1_000;
    private static final int BATCH = 32;
    private static final long CAPACITY_BYTES = 2L << 30;
    private static final long FIRST_OF_32 = 1L << 32;
    private static final int NEAR = 0;
    private static final int FAR = 1;

    private CoreCluster cluster;
    private CoreCycle cycle;
    private CoreCycle cycleOf32;

    /** Makes two owners with a worker each, and puts what is read later. */
    @Setup
    public void setup()
    {
        cluster = new CoreCluster(2, 1, CAPACITY_BYTES);
        cycle = new CoreCycle(cluster, 1, 0);
        cycleOf32 = new CoreCycle(cluster, BATCH, FIRST_OF_32);
        cycle.put(NEAR);
        cycleOf32.put(NEAR);
    }

    /** Gives the memory back. */
    @TearDown
    public void tearDown()
    {
        cluster.close();
    }

    /** Put of a fresh key until its global result, get, release. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    @Warmup(iterations = 3, batchSize = SHOTS_OF_1)
    @Measurement(iterations = 5, batchSize = SHOTS_OF_1)
    public void putGetRelease()
    {
        cycle.put(NEAR);
        cycle.get(NEAR);
    }

    /** Put of 32 fresh keys until their global results, get, release. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    @Warmup(iterations = 3, batchSize = SHOTS_OF_32)
    @Measurement(iterations = 5, batchSize = SHOTS_OF_32)
    public void putGetReleaseOf32()
    {
        cycleOf32.put(NEAR);
        cycleOf32.get(NEAR);
    }

    /** Put of a fresh key, get through another owner, which becomes a replica, release. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    @Warmup(iterations = 3, batchSize = SHOTS_OF_1)
    @Measurement(iterations = 5, batchSize = SHOTS_OF_1)
    public void putRemoteGetRelease()
    {
        cycle.put(NEAR);
        cycle.get(FAR);
    }

    /** Put of 32 fresh keys, get through another owner, which becomes a replica, release. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @OutputTimeUnit(TimeUnit.MILLISECONDS)
    @Warmup(iterations = 3, batchSize = SHOTS_OF_32)
    @Measurement(iterations = 5, batchSize = SHOTS_OF_32)
    public void putRemoteGetReleaseOf32()
    {
        cycleOf32.put(NEAR);
        cycleOf32.get(FAR);
    }

    /** Get of a key that is here, release. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public void getRelease()
    {
        cycle.get(NEAR);
    }

    /** Get of 32 keys that are here, release. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OutputTimeUnit(TimeUnit.MICROSECONDS)
    public void getReleaseOf32()
    {
        cycleOf32.get(NEAR);
    }
}
