package io.fluxon.tools;

import io.fluxon.engine.master.FetchedCopies;
import io.fluxon.tools.cluster.HostNetwork;
import io.fluxon.tools.demo.ChaosTarget;
import io.fluxon.tools.demo.Demo;
import io.fluxon.tools.demo.DemoSettings;
import io.fluxon.tools.demo.PressureSettings;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * {@code fluxon demo}: the main job on an embedded cluster of real processes.
 */
@Command(
    name = "demo",
    description =
        "Runs the main job on this machine: starts a master, owners and simulated inference workers as processes, " +
        "replays a workload, compares every page byte by byte, settles the accounts, and stops everything.%n" +
        "Exit code: 0 the run passed, 1 it failed, 2 wrong usage.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class DemoCommand implements Callable<Integer>
{
    private static final String GPU = "gpu";
    private static final String REMOTE_CACHE = "remote_cache";
    private static final String BOTH = "both";
    private static final String OFF = "off";
    private static final String KEPT = "kept";
    private static final List<String> FETCHED = List.of(KEPT, "given_up");
    private static final List<String> DEMOTIONS = List.of("on", OFF, BOTH);
    private static final int OF_OWNERS = -1;
    private static final double PER_CENT = 100;
    private static final double MOST_PER_CENT = 99;
    private static final int MAX_OWNERS = 16;
    private static final int MAX_WORKERS_PER_OWNER = 16;
    private static final int MAX_DELAY_MS = 10_000;
    private static final int MAX_SECONDS = 3_600;
    private static final int PRESSURE_PAGE_BYTES = 256 << 10;
    private static final long MIN_QUANTUM_BYTES = 4L << 20;
    private static final long MAX_QUANTUM_BYTES = 512L << 20;
    private static final long MAX_MEMORY_BYTES = 1L << 40;
    private static final List<String> PRESSURE_OPTIONS =
        List.of(
        "--seconds", "--fill-seconds", "--gpu-bytes", "--cache-bytes", "--quantum-bytes", "--demotion",
        "--fetched-copies");

    @Mixin
    private WorkloadOptions workload;

    @Option(names = "--owners", paramLabel = "ROLE=N", split = ",", defaultValue = "gpu=2,remote_cache=1",
        description = "Owners of each role. Default: ${DEFAULT-VALUE}.")
    private Map<String, Integer> owners = new LinkedHashMap<>();

    @Option(names = "--workers-per-owner", paramLabel = "N", defaultValue = "2",
        description = "Workers of each gpu owner. Default: ${DEFAULT-VALUE}.")
    private int workersPerOwner;

    @Option(names = "--chaos", paramLabel = "TARGET", converter = ChaosTargetConverter.class,
        description = "worker, owner, master: kills it (SIGKILL) in the middle of the run, and starts it again. " +
            "stop-worker, stop-owner, stop-master: stops it (SIGSTOP) for longer than every liveness timeout. " +
            "cut-owner, cut-master: takes the link of its host down for so long; with --hosts.")
    private ChaosTarget chaos = ChaosTarget.NONE;

    @Option(names = "--delay-master-ms", paramLabel = "N",
        description = "Compares local puts and gets with and without this delay of every master message.")
    private Integer delayMasterMs;

    @Option(names = "--hosts", paramLabel = "N", arity = "0..1", fallbackValue = "-1",
        description = "Gives the master and every owner, its workers beside it, a network namespace of its own; " +
            "values travel over UCX. With N: as many gpu owners, in place of --owners. Needs root.")
    private Integer hosts;

    @Option(names = "--loss", paramLabel = "P", defaultValue = "0",
        description = "Part of the datagrams between hosts that are lost, below 1 such as 0.05, or in per cent, " +
            "from 1 to 99; with --hosts.")
    private double loss;

    @Option(names = "--pressure",
        description = "Keeps the store full: a working set of 1.5 times its memory, every session on one gpu owner, " +
            "puts and gets as fast as they go, pages of 256 KiB where nothing else is said.")
    private boolean isPressure;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "60",
        description = "How long --pressure goes on when the store is full. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--fill-seconds", paramLabel = "N", defaultValue = "300",
        description = "Longest time until the store is full with --pressure. Default: ${DEFAULT-VALUE}.")
    private int fillSeconds;

    @Option(names = "--gpu-bytes", paramLabel = "BYTES", defaultValue = "2GiB", converter = ByteSize.class,
        description = "Memory of each gpu owner with --pressure. Default: ${DEFAULT-VALUE}.")
    private long gpuBytes;

    @Option(names = "--cache-bytes", paramLabel = "BYTES", defaultValue = "4GiB", converter = ByteSize.class,
        description = "Memory of each remote_cache owner with --pressure. Default: ${DEFAULT-VALUE}.")
    private long cacheBytes;

    @Option(names = "--quantum-bytes", paramLabel = "BYTES", defaultValue = "64MiB", converter = ByteSize.class,
        description = "Length of a grant with --pressure. Default: ${DEFAULT-VALUE}.")
    private long quantumBytes;

    @Option(names = "--demotion", paramLabel = "on|off|both", defaultValue = "both",
        description = "Whether what gpu owners evict is copied to remote_cache owners first with --pressure; both: " +
            "a run with it, then the same without. Default: ${DEFAULT-VALUE}.")
    private String demotion;

    @Option(names = "--fetched-copies", paramLabel = "kept|given_up", defaultValue = "given_up",
        description = "What becomes of the copies of remote_cache owners that gpu owners have brought to themselves " +
            "with --pressure. Default: ${DEFAULT-VALUE}.")
    private String fetchedCopies;

    @Option(names = "--self-check",
        description = "Shows that runs with planted faults fail, in short runs.")
    private boolean isSelfCheck;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
    {
        workload.validate();
        validate();
        if (isPressure)
        {
            return Demo.fill(pressure(), BOTH.equals(demotion), workload.json);
        }
        final String missing = null == hosts ? null : HostNetwork.missing(loss > 0);
        if (null != missing)
        {
            System.err.println("--hosts: " + missing);
            return Demo.FAILED;
        }
        final Demo demo = new Demo(new DemoSettings(
            workload.trace,
            workload.requestsOrAll(),
            workload.seed,
            workload.pageBytes(),
            workload.groupBlocks,
            workload.isSequential,
            owners.getOrDefault(GPU, 0),
            owners.getOrDefault(REMOTE_CACHE, 0),
            workersPerOwner,
            chaos,
            null == delayMasterMs ? 0 : delayMasterMs,
            null != hosts,
            loss), workload.json);
        return isSelfCheck ? demo.selfCheck() : demo.run();
    }

    private void validate()
    {
        validateHosts();
        for (final String role : owners.keySet())
        {
            if (!GPU.equals(role) && !REMOTE_CACHE.equals(role))
            {
                throw workload.error("--owners: unknown role '" + role + "', known are gpu and remote_cache");
            }
        }
        workload.range("--owners: gpu", owners.getOrDefault(GPU, 0), 1, MAX_OWNERS);
        workload.range("--owners: remote_cache", owners.getOrDefault(REMOTE_CACHE, 0), 0, MAX_OWNERS);
        workload.range("--workers-per-owner", workersPerOwner, 1, MAX_WORKERS_PER_OWNER);
        if (null != delayMasterMs)
        {
            workload.range("--delay-master-ms", delayMasterMs, 1, MAX_DELAY_MS);
        }

        validatePressure();
        final int kinds = (ChaosTarget.NONE == chaos ? 0 : 1) + (null == delayMasterMs ? 0 : 1) +
            (isSelfCheck ? 1 : 0) + (isPressure ? 1 : 0);
        if (kinds > 1)
        {
            throw workload.error("--chaos, --delay-master-ms, --pressure and --self-check exclude each other");
        }
        if (ChaosTarget.NONE != chaos && workload.isSequential)
        {
            throw workload.error("--chaos and --sequential exclude each other: survivors could not go on");
        }
        if (chaos.isWorker() && owners.get(GPU) * workersPerOwner < 2 || chaos.isOwner() && owners.get(GPU) < 2)
        {
            throw workload.error("--chaos needs a survivor: at least two workers, or two gpu owners");
        }
    }

    private PressureSettings pressure()
    {
        final boolean isPageGiven = spec.commandLine().getParseResult().hasMatchedOption("--page-bytes");
        return new PressureSettings(
            workload.seed,
            isPageGiven ? workload.pageBytes() : PRESSURE_PAGE_BYTES,
            workload.groupBlocks,
            owners.getOrDefault(GPU, 0),
            owners.getOrDefault(REMOTE_CACHE, 0),
            workersPerOwner,
            gpuBytes,
            cacheBytes,
            quantumBytes,
            fillSeconds,
            seconds,
            KEPT.equals(fetchedCopies) ? FetchedCopies.KEPT : FetchedCopies.GIVEN_UP,
            !OFF.equals(demotion));
    }

    private void validatePressure()
    {
        if (!isPressure)
        {
            for (final String option : PRESSURE_OPTIONS)
            {
                if (spec.commandLine().getParseResult().hasMatchedOption(option))
                {
                    throw workload.error(option + " needs --pressure");
                }
            }
            return;
        }
        if (null != workload.trace || null != workload.requests || workload.isSequential || null != hosts)
        {
            throw workload.error("--pressure excludes --trace, --requests, --sequential and --hosts");
        }
        if (!DEMOTIONS.contains(demotion))
        {
            throw workload.error("--demotion must be one of on, off and both, is '" + demotion + "'");
        }
        if (!FETCHED.contains(fetchedCopies))
        {
            throw workload.error("--fetched-copies must be kept or given_up, is '" + fetchedCopies + "'");
        }
        workload.range("--seconds", seconds, 1, MAX_SECONDS);
        workload.range("--fill-seconds", fillSeconds, 1, MAX_SECONDS);
        workload.range("--quantum-bytes", quantumBytes, MIN_QUANTUM_BYTES, MAX_QUANTUM_BYTES);
        workload.range("--page-bytes", pressure().pageBytes(), 1, quantumBytes);
        checkMemory("--gpu-bytes", gpuBytes);
        checkMemory("--cache-bytes", cacheBytes);
    }

    private void checkMemory(final String option, final long bytes)
    {
        workload.range(option, bytes, quantumBytes, MAX_MEMORY_BYTES);
        if (0 != bytes % quantumBytes)
        {
            throw workload.error(option + " must be a multiple of --quantum-bytes, " + quantumBytes + ", is " + bytes);
        }
    }

    private void validateHosts()
    {
        if (null != hosts && OF_OWNERS != hosts)
        {
            workload.range("--hosts", hosts, 1, MAX_OWNERS);
            owners = new LinkedHashMap<>(Map.of(GPU, hosts));
        }
        if (!(loss >= 0 && loss <= MOST_PER_CENT))
        {
            throw workload.error("--loss must be from 0 to below 1, or from 1 to 99 per cent, is " + loss);
        }
        loss = loss < 1 ? loss : loss / PER_CENT;
        if (null == hosts && loss > 0)
        {
            throw workload.error("--loss needs --hosts");
        }
        if (null == hosts && chaos.isCut())
        {
            throw workload.error("--chaos " + ChaosTargetConverter.nameOf(chaos) + " needs --hosts");
        }
        if (null != hosts && (null != delayMasterMs || isSelfCheck))
        {
            throw workload.error("--hosts excludes --delay-master-ms and --self-check");
        }
    }
}
