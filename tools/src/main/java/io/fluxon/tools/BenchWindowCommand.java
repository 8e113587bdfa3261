package io.fluxon.tools;

import io.fluxon.tools.bench.window.KeyOrder;
import io.fluxon.tools.bench.window.WindowBench;
import io.fluxon.tools.bench.window.WindowBenchSettings;
import io.fluxon.tools.bench.window.WindowReport;
import io.fluxon.tools.cluster.ClusterException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * {@code fluxon bench-window}: measures what leaders of concurrent reads save by sharing a message, and what it costs.
 */
@Command(
    name = "bench-window",
    description =
        "Measures reads of several workers of one owner that miss at the same time, with the window in which their " +
        "leaders share one message to the master (timeouts.start_window_us) and without it, in turn. Everything runs " +
        "in this process: a master, the owner that has the values, and an owner with and one without the window.%n" +
        "Exit code: 0 measured, 1 failed, or a target missed with --check, 2 wrong usage.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class BenchWindowCommand implements Callable<Integer>
{
    private static final int MAX_ROUNDS = 1000;
    private static final int MAX_BURSTS = 1000;
    private static final int MAX_KEYS = 4096;
    private static final int MAX_WORKERS = 32;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "20",
        description = "Rounds of each order. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--bursts", paramLabel = "N", defaultValue = "20",
        description = "Bursts of one round with the window, and as many without. Default: ${DEFAULT-VALUE}.")
    private int bursts;

    @Option(names = "--keys", paramLabel = "N", defaultValue = "64",
        description = "Keys of a burst, a multiple of the workers; a value has 4 KiB, and all stay in memory. " +
            "Default: ${DEFAULT-VALUE}.")
    private int keys;

    @Option(names = "--workers", paramLabel = "N", defaultValue = "8",
        description = "Workers that ask at the same time. Default: ${DEFAULT-VALUE}.")
    private int workers;

    @Option(names = "--order", paramLabel = "NAME", split = ",", defaultValue = "same,turned,apart",
        description = "same: all workers ask for the same keys. turned: each begins with another part of them. " +
            "apart: each asks for a part of its own. Default: ${DEFAULT-VALUE}.")
    private List<KeyOrder> orders;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the figures to a file.")
    private Path json;

    @Mixin
    private TargetCheck check;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException
    {
        OptionRange.check(spec, "--rounds", rounds, 1, MAX_ROUNDS);
        OptionRange.check(spec, "--bursts", bursts, 1, MAX_BURSTS);
        OptionRange.check(spec, "--keys", keys, 1, MAX_KEYS);
        OptionRange.check(spec, "--workers", workers, 1, MAX_WORKERS);
        if (0 != keys % workers)
        {
            throw new ParameterException(
                spec.commandLine(), "--keys must be a multiple of --workers, " + workers + ", is " + keys);
        }
        try
        {
            final WindowReport report =
                WindowBench.run(new WindowBenchSettings(rounds, bursts, keys, workers, orders), System.err);
            System.out.print(report.text());
            if (null != json)
            {
                report.writeJson(json);
            }
            return check.exitCode(report.targets());
        }
        catch (final ClusterException ex)
        {
            System.err.println("failed: " + ex.getMessage());
            return 1;
        }
    }
}
