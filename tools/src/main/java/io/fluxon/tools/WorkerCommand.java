package io.fluxon.tools;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fluxon.cuda.CopyPlace;
import io.fluxon.tools.replay.PlantedFault;
import io.fluxon.tools.replay.WorkerLoop;
import io.fluxon.tools.replay.WorkerSettings;
import io.fluxon.tools.trace.TraceException;
import io.fluxon.tools.trace.TraceReader;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/**
 * {@code fluxon worker}: one simulated inference worker, driven by the process that started it. Not for people.
 */
@Command(name = "worker", hidden = true, description = "One simulated worker, driven by its parent process.")
final class WorkerCommand implements Callable<Integer>
{
    @Option(names = "--owner", required = true)
    private Path owner;

    @Option(names = "--trace", required = true)
    private Path trace;

    @Option(names = "--requests", required = true)
    private int requests;

    @Option(names = "--page-bytes", required = true)
    private int pageBytes;

    @Option(names = "--group-blocks", required = true)
    private int groupBlocks;

    @Option(names = "--key-prefix", required = true)
    private String keyPrefix;

    @Option(names = "--name", required = true)
    private String name;

    @Option(names = "--fault", required = true)
    private PlantedFault fault;

    @Option(names = "--driver-timeout-ms", required = true)
    private int driverTimeoutMs;

    @Option(names = "--place", required = true)
    private CopyPlace place;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final PrintStream events = new PrintStream(new FileOutputStream(FileDescriptor.out), false, UTF_8);
        System.setOut(System.err);
        final WorkerSettings settings =
            new WorkerSettings(owner, trace, requests, pageBytes, groupBlocks, keyPrefix, name, fault,
                driverTimeoutMs, place);
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8)))
        {
            new WorkerLoop(settings, TraceReader.read(trace, requests), in, events).run();
            return 0;
        }
        catch (final TraceException ex)
        {
            System.err.println(ex.getMessage());
            return 1;
        }
    }
}
