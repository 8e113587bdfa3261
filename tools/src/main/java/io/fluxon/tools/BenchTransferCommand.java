package io.fluxon.tools;

import io.fluxon.engine.config.IdleStrategyName;
import io.fluxon.tools.bench.transfer.TransferBench;
import io.fluxon.tools.bench.transfer.TransferBenchSettings;
import io.fluxon.tools.bench.transfer.TransferReport;
import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.cluster.ClusterPlan;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/**
 * {@code fluxon bench-transfer}: measures how fast pages of another host are fetched.
 */
@Command(
    name = "bench-transfer",
    description =
        "Measures the fetch of pages of another host over UCX: processes with the transfer and checksum threads of " +
        "owners, in turn with ucx_perftest over the same path, and the whole way of a get: a worker of one owner " +
        "reads pages that only owners of the other host have, with a master and owners as processes. As root the " +
        "path is a veth pair between two network namespaces, else loopback. Every page is compared after its fetch. " +
        "The pages of all gets stay in memory: each round needs twice those of one.%n" +
        "Exit code: 0 measured, 1 failed, or a target missed with --check, 2 wrong usage.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class BenchTransferCommand implements Callable<Integer>
{
    private static final int MAX_ROUNDS = 1000;
    private static final int MAX_PEERS = 16;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "10",
        description = "Each measures everything once. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--pages", paramLabel = "N", defaultValue = "64",
        description = "Pages of one fetch. Default: ${DEFAULT-VALUE}.")
    private int pages;

    @Option(names = "--page-bytes", paramLabel = "BYTES", converter = ByteSize.class, defaultValue = "4718592",
        description = "Length of every page: a number of bytes, KiB or MiB. Default: ${DEFAULT-VALUE}.")
    private long pageBytes;

    @Option(names = "--peers", paramLabel = "N", defaultValue = "1",
        description = "Owners that the pages come from. Default: ${DEFAULT-VALUE}.")
    private int peers;

    @Option(names = "--idle", paramLabel = "NAME", defaultValue = "backoff",
        description = "What the threads do when there is nothing to do: backoff, sleep, yield, busy_spin. " +
            "Default: ${DEFAULT-VALUE}.")
    private IdleStrategyName idle;

    @Option(names = "--loopback", description = "Over loopback, also as root.")
    private boolean isLoopback;

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
        OptionRange.check(spec, "--pages", pages, 1, TransferBenchSettings.MAX_PAGES);
        OptionRange.check(spec, "--page-bytes", pageBytes, 1, ClusterPlan.MAX_PAGE_BYTES);
        OptionRange.check(spec, "--peers", peers, 1, Math.min(pages, MAX_PEERS));
        try
        {
            final TransferReport report = TransferBench.run(
                new TransferBenchSettings(rounds, pages, (int) pageBytes, peers, idle, isLoopback), System.err);
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
