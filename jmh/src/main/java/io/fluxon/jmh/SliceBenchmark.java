package io.fluxon.jmh;

import io.fluxon.jmh.cluster.SliceRun;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.runner.IterationType;

import java.util.concurrent.TimeUnit;

/**
 * Batches of 4,096 keys at one owner core (contract G10). The score is the time of the whole; what counts is how long
 * the owner's thread is busy at a time, which is printed at the end of each benchmark: processor time of single duty
 * cycles.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xbatch")
public class SliceBenchmark
{
    private static final int KEYS = 4096;
    private static final int PUTS = 20;

    private SliceRun run;

    /** Makes an owner with the batch. */
    @Setup
    public void setup()
    {
        run = new SliceRun(KEYS, (3 + 5) * PUTS);
    }

    /**
     * Forgets the duty cycles of the warm-up.
     *
     * @param iteration that has ended.
     */
    @TearDown(Level.Iteration)
    public void endIteration(final IterationParams iteration)
    {
        if (IterationType.WARMUP == iteration.getType())
        {
            run.clear();
        }
    }

    /** Prints the duty cycles and gives the memory back. */
    @TearDown
    public void tearDown()
    {
        run.print(System.out);
        run.close();
    }

    /** Get of the batch, a single key's get in the middle, release of both. */
    @Benchmark
    @Warmup(iterations = 3, time = 1)
    @Measurement(iterations = 5, time = 1)
    public void get()
    {
        run.get();
        if (!run.isSingleFirst())
        {
            throw new IllegalStateException("the single key was not answered before the batch");
        }
    }

    /** Puts of fresh batches until their global results. */
    @Benchmark
    @BenchmarkMode(Mode.SingleShotTime)
    @Warmup(iterations = 3, batchSize = PUTS)
    @Measurement(iterations = 5, batchSize = PUTS)
    public void put()
    {
        run.put();
    }
}
