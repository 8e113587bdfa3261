package io.fluxon.tools.policy;

import io.fluxon.tools.trace.Trace;
import io.fluxon.tools.trace.TraceException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * {@code fluxon bench-policy}: prefix-hit ratios of replacement policies on the same requests.
 */
@Command(
    name = "bench-policy",
    description =
        "Runs traces through replacement policies and prints the prefix-hit ratio of each: leading blocks present / " +
        "blocks requested, every requested block that missed is stored. One cache, blocks of equal size. tinylfu " +
        "and caffeine count keys by their hashes: the mean of five runs with different hashes.%n" +
        "Exit code: 0 done, 1 a trace cannot be read or a file not written, 2 wrong usage.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class PolicyCommand implements Callable<Integer>
{
    /** Most blocks of a cache. */
    static final int MAX_CAPACITY_BLOCKS = 100_000_000;

    private static final long MAX_SPREAD_SECONDS = 1_000_000;

    @Option(names = "--trace", paramLabel = "FILE", required = true,
        description = "A trace, one JSON object a line with timestamp, input_length, output_length and hash_ids; or " +
            "a folder of sessions, one JSON object a file with requests[] of t and hash_ids, which are merged. May " +
            "be given several times.")
    private List<Path> traces;

    @Option(names = "--capacities", paramLabel = "N", required = true, split = ",",
        converter = Capacity.Converter.class,
        description = "Blocks that the cache holds: 1000, 1k, or a share of the trace's unique blocks, 20%%.")
    private List<Capacity> capacities;

    @Option(names = "--policies", paramLabel = "NAME", split = ",",
        defaultValue = "lru,slru,arc,tinylfu,caffeine,fluxon,bound",
        description = "Policies to run, of ${COMPLETION-CANDIDATES}. Default: all.")
    private List<ComparedPolicy> policies;

    @Option(names = "--part", paramLabel = "PART", defaultValue = "all",
        description = "all, or the first or second half: of a file's requests, or every other session of a folder. " +
            "Default: ${DEFAULT-VALUE}.")
    private TracePart part;

    @Option(names = "--spread-seconds", paramLabel = "S", defaultValue = "28800",
        description = "Sessions of a folder start at random within this time. Default: ${DEFAULT-VALUE}.")
    private long spreadSeconds;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Seed of these starts. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the results as JSON.")
    private Path json;

    @Option(names = "--plot", paramLabel = "FILE", description = "Draws the results as SVG.")
    private Path plot;

    @Spec
    private CommandSpec spec;

    PolicyCommand()
    {
    }

    @Override
    public Integer call()
    {
        if (spreadSeconds < 0 || spreadSeconds > MAX_SPREAD_SECONDS)
        {
            throw new ParameterException(spec.commandLine(), "--spread-seconds must be from 0 to " +
                MAX_SPREAD_SECONDS + ", is " + spreadSeconds);
        }

        final PolicyReport report = new PolicyReport(policies);
        try
        {
            for (final Path trace : traces)
            {
                run(trace, report);
            }
        }
        catch (final TraceException ex)
        {
            spec.commandLine().getErr().println(ex.getMessage());
            return 1;
        }

        final PrintWriter out = spec.commandLine().getOut();
        out.print(report.text());
        out.flush();
        return written("--json", json, report::writeJson) &&
            written("--plot", plot, file -> Files.writeString(file, PolicyPlot.svg(report.results()))) ? 0 : 1;
    }

    private void run(final Path path, final PolicyReport report)
    {
        final Trace trace = part.read(path, spreadSeconds, seed);
        final String name = path.toAbsolutePath().normalize().getFileName().toString();
        for (final Capacity capacity : capacities)
        {
            final int blocks = capacity.blocksOf(trace);
            for (final ComparedPolicy policy : policies)
            {
                report.add(new PolicyResult(name, blocks, policy.label(), policy.hitRatio(trace, blocks)));
            }
        }
    }

    private boolean written(final String option, final Path file, final Writer writer)
    {
        if (null == file)
        {
            return true;
        }
        try
        {
            if (null != file.toAbsolutePath().getParent())
            {
                Files.createDirectories(file.toAbsolutePath().getParent());
            }
            writer.write(file);
            return true;
        }
        catch (final IOException ex)
        {
            spec.commandLine().getErr().println(option + ": " + file + " cannot be written: " + ex.getMessage());
            return false;
        }
    }

    @FunctionalInterface
    private interface Writer
    {
        void write(Path file) throws IOException;
    }
}
