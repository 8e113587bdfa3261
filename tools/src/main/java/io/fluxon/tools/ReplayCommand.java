package io.fluxon.tools;

import io.fluxon.ipc.counters.CountersFile;
import io.fluxon.tools.demo.ClusterReplay;
import io.fluxon.tools.page.PageKeys;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * {@code fluxon replay}: replays a workload on a cluster that is running.
 */
@Command(
    name = "replay",
    description =
        "Replays a workload with simulated inference workers on owners that are running on this machine. Worker j is " +
        "attached to owner j mod owners, request i goes to worker i mod workers. Nothing else may use the owners " +
        "meanwhile, or the accounts do not balance.%n" +
        "Exit code: 0 the run passed, 1 it failed, 2 wrong usage.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class ReplayCommand implements Callable<Integer>
{
    private static final int MAX_WORKERS = 256;

    @Mixin
    private WorkloadOptions workload;

    @Option(names = "--owner", paramLabel = "DIR", required = true,
        description = "Directory of a running gpu owner (it holds owner.json); once for each.")
    private List<Path> owners = new ArrayList<>();

    @Option(names = "--cache-owner", paramLabel = "DIR",
        description = "Directory of a running remote_cache owner, for the accounts; once for each.")
    private List<Path> cacheOwners = new ArrayList<>();

    @Option(names = "--master", paramLabel = "DIR",
        description = "Directory of the running master, for the accounts; without it fewer checks are made.")
    private Path master;

    @Option(names = "--workers", paramLabel = "N",
        description = "Workers, of all owners together. Default: two for each owner.")
    private Integer workers;

    @Option(names = "--key-prefix", paramLabel = "TEXT", defaultValue = PageKeys.DEFAULT_PREFIX,
        description = "First part of every key; pages of another prefix are other pages. Default: ${DEFAULT-VALUE}.")
    private String keyPrefix;

    @Override
    public Integer call()
    {
        workload.validate();
        final int workerCount = null == workers ? 2 * owners.size() : workers;
        workload.range("--workers", workerCount, 1, MAX_WORKERS);
        if (!PageKeys.isPrefix(keyPrefix))
        {
            throw workload.error("--key-prefix is 1 to " + PageKeys.MAX_PREFIX_LENGTH +
                " letters, digits, dots, dashes or underscores, is: " + keyPrefix);
        }

        final List<Path> ownerFiles = new ArrayList<>();
        owners.forEach(owner -> ownerFiles.add(countersFile("--owner", owner)));
        cacheOwners.forEach(owner -> ownerFiles.add(countersFile("--cache-owner", owner)));
        return new ClusterReplay(
            workload.trace, workload.requestsOrAll(), workload.seed, workload.pageBytes(), workload.groupBlocks,
            workload.isSequential, keyPrefix, workerCount, List.copyOf(owners), ownerFiles,
            null == master ? null : countersFile("--master", master), workload.json).run();
    }

    private Path countersFile(final String option, final Path directory)
    {
        try (Stream<Path> entries = Files.list(directory))
        {
            return entries
                .filter(entry -> entry.getFileName().toString().endsWith(CountersFile.SUFFIX))
                .findFirst()
                .orElseThrow(() -> workload.error(option + ": " + directory + " holds no counters file (*" +
                    CountersFile.SUFFIX + "): no process runs there"));
        }
        catch (final IOException ex)
        {
            throw workload.error(option + ": " + directory + " is not a directory that can be read");
        }
    }
}
