package io.fluxon.tools;

import io.aeron.logbuffer.FrameDescriptor;
import io.fluxon.ipc.aeron.DriverSettings;
import io.fluxon.tools.bench.BenchException;
import io.fluxon.tools.bench.BenchReport;
import io.fluxon.tools.bench.BenchResult;
import io.fluxon.tools.bench.BenchSettings;
import io.fluxon.tools.bench.MasterBench;

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
 * {@code fluxon bench-master}: measures the master as a service.
 */
@Command(
    name = "bench-master",
    description =
        "Measures a master: simulated owners speak the real protocol to it over Aeron UDP. Both run in this process, " +
        "the master with its threads, media driver and counters as in one of its own. keys/s counts keys that went " +
        "through both operations of a pair: reserve and publish, get_start and get_done. \"of echo\" compares with " +
        "the same messages to an agent that only answers. Duty cycles of the master over 1 ms are counted twice: by " +
        "the clock, and by the processor time of its thread, which does not count " +
        "while others have the processor. core ns/key is the processor time of the master's thread, that of polling " +
        "while nothing is there included: what is not at its limit has a higher one than its keys cost. B/key are " +
        "the routes and their index; RSS/key is what this whole process has grown by while the keys were " +
        "published, for each key.%n" +
        "Exit code: 0 measured, 1 failed, or a target missed with --check, 2 wrong usage.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class BenchMasterCommand implements Callable<Integer>
{
    private static final long MAX_KEYS = 100_000_000;
    private static final double LEAST_SECONDS = 0.1;
    private static final double MOST_SECONDS = 3600;
    private static final int MAX_CLIENTS = 32;
    private static final int MAX_BATCH = 4096;
    private static final int MAX_WINDOW = 64;
    private static final List<Long> DEFAULT_KEYS = List.of(10_000L, 1_000_000L);
    private static final List<Long> ALL_KEYS = List.of(10_000L, 1_000_000L, 10_000_000L);

    @Option(names = "--keys", paramLabel = "N", split = ",",
        description = "Sizes of the master's table. Default: 10000,1000000.")
    private List<Long> keys;

    @Option(names = "--all", description = "Also with 10,000,000 keys; needs 5 GiB.")
    private boolean isAll;

    @Option(names = "--batch", paramLabel = "N", split = ",", defaultValue = "1,128",
        description = "Keys of one request. Default: ${DEFAULT-VALUE}.")
    private List<Integer> batches;

    @Option(names = "--clients", paramLabel = "N", split = ",", defaultValue = "1,4",
        description = "Owners that ask at the same time. Default: ${DEFAULT-VALUE}.")
    private List<Integer> clients;

    @Option(names = "--window", paramLabel = "N", defaultValue = "4",
        description = "Batches that each client has under way; single keys go one by one. Default: ${DEFAULT-VALUE}.")
    private int window;

    @Option(names = "--seconds", paramLabel = "S", defaultValue = "3",
        description = "Time for each pair of rows, after half as much to warm up. Default: ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(names = "--idle", paramLabel = "NAME", defaultValue = "backoff",
        description = "What the threads do when there is nothing to do: backoff, yield, busy (needs four " +
            "processors). Default: ${DEFAULT-VALUE}.")
    private Idle idle;

    @Option(names = "--mtu", paramLabel = "BYTES", defaultValue = "8192",
        description = "Longest datagram, a multiple of 32. Default: ${DEFAULT-VALUE}.")
    private int mtuBytes;

    @Option(names = "--json", paramLabel = "FILE", description = "Writes the rows to a file.")
    private Path json;

    @Mixin
    private TargetCheck check;

    @Spec
    private CommandSpec spec;

    /** Idling, by the names of this command. */
    private enum Idle
    {
        BACKOFF("backoff"),
        YIELD("yield"),
        BUSY("busy_spin");

        private final String strategy;

        Idle(final String strategy)
        {
            this.strategy = strategy;
        }
    }

    @Override
    public Integer call() throws IOException
    {
        final List<Long> sizes = null != keys ? keys : isAll ? ALL_KEYS : DEFAULT_KEYS;
        sizes.forEach((size) -> within("--keys", size, 1, MAX_KEYS));
        batches.forEach((batch) -> within("--batch", batch, 1, MAX_BATCH));
        clients.forEach((count) -> within("--clients", count, 1, MAX_CLIENTS));
        within("--window", window, 1, MAX_WINDOW);
        checkSeconds();
        checkMtu();
        final BenchSettings settings =
            new BenchSettings(sizes, batches, clients, window, seconds, idle.strategy, mtuBytes);
        try
        {
            final BenchResult result = MasterBench.run(settings, System.err);
            System.out.print(BenchReport.text(result, settings));
            if (null != json)
            {
                BenchReport.writeJson(result, json);
            }
            return check.exitCode(BenchReport.targets(result, settings));
        }
        catch (final BenchException ex)
        {
            System.err.println("failed: " + ex.getMessage());
            return 1;
        }
    }

    private void within(final String option, final long value, final long least, final long most)
    {
        if (value < least || value > most)
        {
            refuse(option, value, least + " to " + most);
        }
    }

    private void checkSeconds()
    {
        if (!(seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS))
        {
            refuse("--seconds", seconds, LEAST_SECONDS + " to " + MOST_SECONDS);
        }
    }

    private void checkMtu()
    {
        within("--mtu", mtuBytes, DriverSettings.MIN_MTU_LENGTH, DriverSettings.MAX_MTU_LENGTH);
        if (0 != mtuBytes % FrameDescriptor.FRAME_ALIGNMENT)
        {
            refuse("--mtu", mtuBytes, "a multiple of " + FrameDescriptor.FRAME_ALIGNMENT);
        }
    }

    private void refuse(final String option, final Object value, final String allowed)
    {
        throw new ParameterException(
            spec.commandLine(), option + " is " + value + ", allowed is " + allowed);
    }
}
