package io.fluxon.tools;

import io.fluxon.tools.bench.eviction.EvictionBench;
import io.fluxon.tools.bench.eviction.EvictionBenchSettings;
import io.fluxon.tools.bench.eviction.EvictionReport;
import io.fluxon.tools.cluster.ClusterException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/**
 * {@code fluxon bench-eviction}: measures what puts lose when every one of them needs a victim.
 */
@Command(
    name = "bench-eviction",
    description =
        "Measures puts into a pool that is full, whose hot window overflows with each of them, and the same puts " +
        "into one that has free pages for all of them, in turn. Master and owners run as processes, and all memory " +
        "is touched before. " +
        "Before the rounds both pools take three times as many pages as in them.%n" +
        "Exit code: 0 measured, 1 failed, or a target missed with --check, 2 wrong usage.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class BenchEvictionCommand implements Callable<Integer>
{
    private static final int MAX_ROUNDS = 1000;
    private static final int MAX_PAGES = 1 << 20;
    private static final int MAX_BATCH = 1024;
    private static final int MAX_PAGE_BYTES = 64 << 20;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "20",
        description = "Rounds on each pool. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--pages", paramLabel = "N", defaultValue = "2048",
        description = "Pages of a round, a multiple of the batch. Default: ${DEFAULT-VALUE}.")
    private int pages;

    @Option(names = "--batch", paramLabel = "N", defaultValue = "16",
        description = "Pages of a put; at most 8 puts are under way. Default: ${DEFAULT-VALUE}.")
    private int batch;

    @Option(names = "--page-bytes", paramLabel = "BYTES", defaultValue = "8KiB", converter = ByteSize.class,
        description = "Length of a page. Default: ${DEFAULT-VALUE}.")
    private long pageBytes;

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
        OptionRange.check(spec, "--pages", pages, 1, MAX_PAGES);
        OptionRange.check(spec, "--batch", batch, 1, MAX_BATCH);
        OptionRange.check(spec, "--page-bytes", pageBytes, 1, MAX_PAGE_BYTES);
        if (0 != pages % batch)
        {
            throw new ParameterException(
                spec.commandLine(), "--pages must be a multiple of --batch, " + batch + ", is " + pages);
        }
        try
        {
            final EvictionReport report =
                EvictionBench.run(new EvictionBenchSettings(rounds, pages, batch, (int) pageBytes), System.err);
            System.out.print(report.text());
            if (null != json)
            {
                report.writeJson(json);
            }
            if (!report.isValid())
            {
                System.err.println("failed: the full pool was not full, or the empty one not empty");
                return 1;
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
