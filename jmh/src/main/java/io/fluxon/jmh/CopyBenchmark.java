package io.fluxon.jmh;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.cuda.HostCopier;
import io.fluxon.ipc.plan.PlanBlob;
import io.fluxon.jmh.cluster.SparseMemory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/**
 * Pages of a model of 36 layers with 64 KiB of K and of V each, 4,718,592 bytes, between the layers' pools and values
 * of a segment, with the host's copier. The reference, and the limit of the machine, is one plain copy of as many
 * bytes; the JVM makes it with other instructions than copies of a fragment, for which there is a reference too.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class CopyBenchmark
{
    private static final int LAYERS = 36;
    private static final int PAGES = 16;
    private static final long FRAGMENT_BYTES = 64 * 1024;
    private static final long PAGE_BYTES = 2 * LAYERS * FRAGMENT_BYTES;
    private static final long ARENA_BYTES = 4096;

    /** Pages of one call. */
    @Param({"1", "8"})
    public int pages;

    private final SparseMemory memory = new SparseMemory(ARENA_BYTES + 2 * PAGES * PAGE_BYTES);
    private final long[] kLayers = new long[LAYERS];
    private final long[] vLayers = new long[LAYERS];
    private HostCopier copier;
    private MemorySegment values;
    private MemorySegment pools;
    private long[][] pageIndices;
    private long[] planAddresses;
    private long[][] sources;
    private long[] lengths;
    private int turn;

    /** Lays out pools, values and plans. */
    @Setup
    public void setup()
    {
        final MemorySegment segment = memory.segment();
        values = segment.asSlice(ARENA_BYTES, PAGES * PAGE_BYTES);
        pools = segment.asSlice(ARENA_BYTES + PAGES * PAGE_BYTES, PAGES * PAGE_BYTES);
        values.fill((byte)1);
        pools.fill((byte)2);
        copier = new HostCopier(memory.address(), ARENA_BYTES);
        for (int i = 0; i < LAYERS; i++)
        {
            kLayers[i] = pools.address() + 2 * i * PAGES * FRAGMENT_BYTES;
            vLayers[i] = pools.address() + (2 * i + 1) * PAGES * FRAGMENT_BYTES;
        }

        final int turns = PAGES / pages;
        pageIndices = new long[turns][pages];
        sources = new long[turns][pages];
        planAddresses = new long[turns];
        lengths = new long[pages];
        final PlanBlob plan = new PlanBlob();
        for (int i = 0; i < turns; i++)
        {
            planAddresses[i] = memory.address() + i * PlanBlob.length(pages);
            plan.init(planAddresses[i], pages);
            for (int j = 0; j < pages; j++)
            {
                final int page = i * pages + j;
                plan.valuePtr(j, values.address() + page * PAGE_BYTES);
                pageIndices[i][j] = PAGES - 1 - page;
                sources[i][j] = pools.address() + page * PAGE_BYTES;
                lengths[j] = PAGE_BYTES;
            }
        }
    }

    /** Gives the memory back. */
    @TearDown
    public void tearDown()
    {
        memory.close();
    }

    /** Pages of all layers into values: what a put writes. */
    @Benchmark
    public void backup()
    {
        final int i = nextTurn();
        copier.copyMha(CopyDirection.BACKUP, planAddresses[i], pageIndices[i], kLayers, vLayers,
            FRAGMENT_BYTES, FRAGMENT_BYTES);
    }

    /** Values into pages of all layers: what a get reads. */
    @Benchmark
    public void restore()
    {
        final int i = nextTurn();
        copier.copyMha(CopyDirection.RESTORE, planAddresses[i], pageIndices[i], kLayers, vLayers,
            FRAGMENT_BYTES, FRAGMENT_BYTES);
    }

    /** Whole buffers into values. */
    @Benchmark
    public void raw()
    {
        final int i = nextTurn();
        copier.copyRaw(CopyDirection.BACKUP, planAddresses[i], sources[i], lengths);
    }

    /** The reference for pages of all layers: as many plain copies of as few bytes. */
    @Benchmark
    public void fragmentReference()
    {
        final long offset = nextTurn() * pages * PAGE_BYTES;
        for (long i = 0; i < pages * PAGE_BYTES; i += FRAGMENT_BYTES)
        {
            MemorySegment.copy(pools, offset + i, values, offset + i, FRAGMENT_BYTES);
        }
    }

    /** The reference. */
    @Benchmark
    public void copyReference()
    {
        final long offset = nextTurn() * pages * PAGE_BYTES;
        MemorySegment.copy(pools, offset, values, offset, pages * PAGE_BYTES);
    }

    private int nextTurn()
    {
        turn = turn + 1 < planAddresses.length ? turn + 1 : 0;
        return turn;
    }
}
