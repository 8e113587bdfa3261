package io.fluxon.jmh;

import io.fluxon.jmh.cluster.AllocationMeter;
import io.fluxon.jmh.cluster.CoreCluster;
import io.fluxon.jmh.cluster.CoreCycle;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.util.concurrent.TimeUnit;

/**
 * Owner, master and client cores in one thread without Aeron: the work of a page's life, and exactly what the cores
 * allocate for it (contract ZERO-1: below 0.5 B in steady state): {@code coreBytes} in {@code cycles}. The profiler's
 * {@code gc.alloc.rate.norm} counts the threads of the harness too, some 100 KB an iteration.
 * <p>
 * Fresh keys take slots for good as long as nothing is evicted, so an iteration is a fixed number of cycles; its time
 * is over before the first invocation ends. The JVM is told to wait for its compiler: these are too few to wait for it
 * without.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 10, time = 1, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 1, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
public class CoreCycleBenchmark
{
    private static final int CYCLES = 10_000;
    private static final int CYCLES_OF_32 = 800;
    private static final int CYCLES_OF_GETS = 100_000;
    private static final int BATCH = 32;
    private static final long CAPACITY_BYTES = 2L << 30;
    private static final long FIRST_OF_32 = 1L << 32;
    private static final int NEAR = 0;
    private static final int FAR = 1;

    /** What the calling thread, which runs the cores, allocated on the heap. */
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(Scope.Thread)
    public static class Allocation
    {
        /** Bytes in all measured cycles. */
        public long coreBytes;
        /** Number of these cycles. */
        public long cycles;

        private long before;

        private void begin()
        {
            before = AllocationMeter.now();
        }

        private void end(final int count)
        {
            coreBytes += AllocationMeter.now() - before;
            cycles += count;
        }
    }

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

    /**
     * Put of a fresh key until its global result, get, release.
     *
     * @param allocation of the cores.
     */
    @Benchmark
    @OperationsPerInvocation(CYCLES)
    public void putGetRelease(final Allocation allocation)
    {
        putGetRelease(cycle, NEAR, CYCLES, allocation);
    }

    /**
     * Put of 32 fresh keys until their global results, get, release.
     *
     * @param allocation of the cores.
     */
    @Benchmark
    @OperationsPerInvocation(CYCLES_OF_32)
    public void putGetReleaseOf32(final Allocation allocation)
    {
        putGetRelease(cycleOf32, NEAR, CYCLES_OF_32, allocation);
    }

    /**
     * Put of a fresh key, get through another owner, which becomes a replica, release.
     *
     * @param allocation of the cores.
     */
    @Benchmark
    @OperationsPerInvocation(CYCLES)
    public void putRemoteGetRelease(final Allocation allocation)
    {
        putGetRelease(cycle, FAR, CYCLES, allocation);
    }

    /**
     * Put of 32 fresh keys, get through another owner, which becomes a replica, release.
     *
     * @param allocation of the cores.
     */
    @Benchmark
    @OperationsPerInvocation(CYCLES_OF_32)
    public void putRemoteGetReleaseOf32(final Allocation allocation)
    {
        putGetRelease(cycleOf32, FAR, CYCLES_OF_32, allocation);
    }

    /**
     * Get of a key that is here, release.
     *
     * @param allocation of the cores.
     */
    @Benchmark
    @OperationsPerInvocation(CYCLES_OF_GETS)
    public void getRelease(final Allocation allocation)
    {
        getRelease(cycle, CYCLES_OF_GETS, allocation);
    }

    /**
     * Get of 32 keys that are here, release.
     *
     * @param allocation of the cores.
     */
    @Benchmark
    @OperationsPerInvocation(CYCLES)
    public void getReleaseOf32(final Allocation allocation)
    {
        getRelease(cycleOf32, CYCLES, allocation);
    }

    private static void putGetRelease(
        final CoreCycle cycle, final int reader, final int count, final Allocation allocation)
    {
        allocation.begin();
        for (int i = 0; i < count; i++)
        {
            cycle.put(NEAR);
            cycle.get(reader);
        }
        allocation.end(count);
    }

    private static void getRelease(final CoreCycle cycle, final int count, final Allocation allocation)
    {
        allocation.begin();
        for (int i = 0; i < count; i++)
        {
            cycle.get(NEAR);
        }
        allocation.end(count);
    }
}
