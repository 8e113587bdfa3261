package io.fluxon.tools;

import io.fluxon.cuda.CopyPlace;
import io.fluxon.cuda.driver.CudaLibrary;
import io.fluxon.ipc.aeron.IdleStrategies;
import io.fluxon.tools.bench.path.PathBench;
import io.fluxon.tools.bench.path.PathBenchSettings;
import io.fluxon.tools.cluster.ClusterException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/**
 * {@code fluxon bench-path}: what the whole path of a worker takes above its copies.
 */
@Command(
    name = "bench-path",
    description =
        "Backs up and restores pages between a GPU and the segment of a real owner, with a real master behind it, " +
        "each time beside the bare copy of the same pages. All memory is touched and registered before.%n" +
        "Exit code: 0 measured, 1 failed, 2 wrong usage.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class BenchPathCommand implements Callable<Integer>
{
    private static final int PROCESSORS_TO_SPIN = 8;
    private static final int MAX_PAGES = 1024;
    private static final int MAX_LAYERS = 256;
    private static final int MAX_FRAGMENT_BYTES = 1 << 20;
    private static final int MAX_RUNS = 10_000;
    private static final int MAX_WARM_UPS = 100_000;
    private static final long MIN_SEGMENT_BYTES = 128L << 20;
    private static final long MAX_SEGMENT_BYTES = 1L << 40;

    @Option(names = "--host",
        description = "Keeps the pools in host memory and copies with the processor, to see that this runs.")
    private boolean isHost;

    @Option(names = "--pages", paramLabel = "N", defaultValue = "64",
        description = "Pages of a batch. Default: ${DEFAULT-VALUE}.")
    private int pages;

    @Option(names = "--layers", paramLabel = "N", defaultValue = "36",
        description = "Layers of K and of V. Default: ${DEFAULT-VALUE}, those of Qwen3-8B.")
    private int layers;

    @Option(names = "--fragment-bytes", paramLabel = "BYTES", defaultValue = "64KiB", converter = ByteSize.class,
        description = "Bytes of a page in one layer of K or V, a multiple of 8. Default: ${DEFAULT-VALUE}, 64 tokens " +
            "of Qwen3-8B on two ranks.")
    private long fragmentBytes;

    @Option(names = "--runs", paramLabel = "N", defaultValue = "40",
        description = "Runs of each way, or as many backups as the segment has room for. Default: ${DEFAULT-VALUE}.")
    private int runs;

    @Option(names = "--warm-ups", paramLabel = "N", defaultValue = "1500",
        description = "Runs of each way with small pages before, and as many that are counted. " +
            "Default: ${DEFAULT-VALUE}.")
    private int warmUps;

    @Option(names = "--segment-bytes", paramLabel = "BYTES", defaultValue = "16GiB", converter = ByteSize.class,
        description = "Memory of the owner, taken in /dev/shm. Default: ${DEFAULT-VALUE}.")
    private long segmentBytes;

    @Option(names = "--idle", paramLabel = "NAME",
        description = "What threads do that wait: busy_spin, yield or backoff. Default: busy_spin where there are 8 " +
            "processors, else backoff.")
    private String idle;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
    {
        validate();
        if (!isHost && null != CudaLibrary.problem())
        {
            System.err.println("there is no GPU to measure (--host measures without): " + CudaLibrary.problem());
            return 1;
        }
        try
        {
            System.out.print(PathBench.run(new PathBenchSettings(
                isHost ? CopyPlace.HOST : CopyPlace.DEVICE, pages, layers, (int) fragmentBytes, runs, warmUps,
                segmentBytes, idle()), System.err).text());
            return 0;
        }
        catch (final ClusterException ex)
        {
            System.err.println("failed: " + ex.getMessage());
            return 1;
        }
    }

    private void validate()
    {
        OptionRange.check(spec, "--pages", pages, 1, MAX_PAGES);
        OptionRange.check(spec, "--layers", layers, 1, MAX_LAYERS);
        OptionRange.check(spec, "--fragment-bytes", fragmentBytes, Long.BYTES, MAX_FRAGMENT_BYTES);
        OptionRange.check(spec, "--runs", runs, 1, MAX_RUNS);
        OptionRange.check(spec, "--warm-ups", warmUps, 1, MAX_WARM_UPS);
        OptionRange.check(spec, "--segment-bytes", segmentBytes, MIN_SEGMENT_BYTES, MAX_SEGMENT_BYTES);
        if (0 != fragmentBytes % Long.BYTES)
        {
            throw new ParameterException(
                spec.commandLine(), "--fragment-bytes must be a multiple of " + Long.BYTES + ", is " + fragmentBytes);
        }
        try
        {
            IdleStrategies.byName(idle());
        }
        catch (final IllegalArgumentException ex)
        {
            throw new ParameterException(spec.commandLine(), "--idle: " + ex.getMessage());
        }
    }

    private String idle()
    {
        return null != idle ? idle : Runtime.getRuntime().availableProcessors() >= PROCESSORS_TO_SPIN ?
            IdleStrategies.BUSY_SPIN : IdleStrategies.BACKOFF;
    }
}
