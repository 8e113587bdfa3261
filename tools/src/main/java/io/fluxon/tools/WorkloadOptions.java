package io.fluxon.tools;

import io.fluxon.tools.cluster.ClusterPlan;
import io.fluxon.tools.trace.TraceReader;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Options of the commands that replay a workload.
 */
final class WorkloadOptions
{
    @Option(names = "--trace", paramLabel = "FILE",
        description = "Trace to replay, one JSON object a line with timestamp, input_length, output_length and " +
            "hash_ids. Default: a generated workload of multi-turn sessions.")
    Path trace;

    @Option(names = "--requests", paramLabel = "N",
        description = "Requests to replay. Default: all of the trace.")
    Integer requests;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "42",
        description = "Seed of the generated workload. Default: ${DEFAULT-VALUE}.")
    long seed;

    @Option(names = "--page-bytes", paramLabel = "BYTES", defaultValue = "8KiB", converter = ByteSize.class,
        description = "Length of every page: a number of bytes, KiB or MiB. Default: ${DEFAULT-VALUE}.")
    long pageBytes;

    @Option(names = "--group-blocks", paramLabel = "N", defaultValue = "1",
        description = "Pages of one atomic group. Default: ${DEFAULT-VALUE}.")
    int groupBlocks;

    @Option(names = "--sequential",
        description = "The next request starts when the last one's commit is global.")
    boolean isSequential;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the report as JSON, also if the run fails.")
    Path json;

    @Spec(Target.MIXEE)
    CommandSpec command;

    void validate()
    {
        range("--page-bytes", pageBytes, 1, ClusterPlan.MAX_PAGE_BYTES);
        range("--group-blocks", groupBlocks, 1, TraceReader.MAX_BLOCKS_OF_REQUEST);
        if (null != requests)
        {
            range("--requests", requests, 1, Integer.MAX_VALUE);
        }
        if (null != trace && !Files.isReadable(trace))
        {
            throw error("--trace: " + trace + (Files.exists(trace) ? " cannot be read" : ": no such file"));
        }
        if (null != json && !isWritable(json))
        {
            throw error("--json: " + json + " cannot be written");
        }
    }

    /** Length of every page, after it was validated. */
    int pageBytes()
    {
        return (int) pageBytes;
    }

    int requestsOrAll()
    {
        return null == requests ? 0 : requests;
    }

    void range(final String option, final long value, final long least, final long most)
    {
        OptionRange.check(command, option, value, least, most);
    }

    ParameterException error(final String message)
    {
        return new ParameterException(command.commandLine(), message);
    }

    private static boolean isWritable(final Path file)
    {
        final Path parent = file.toAbsolutePath().getParent();
        return Files.exists(file) ? Files.isRegularFile(file) && Files.isWritable(file) :
            null != parent && Files.isDirectory(parent) && Files.isWritable(parent);
    }
}
