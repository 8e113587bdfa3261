package io.fluxon.tools;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fluxon.engine.config.IdleStrategyName;
import io.fluxon.tools.bench.transfer.TransferEndRun;
import io.fluxon.tools.cluster.ClusterException;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * {@code fluxon bench-transfer-end}: one end of a measured path, driven by the process that started it. Not for people.
 */
@Command(
    name = "bench-transfer-end", hidden = true, description = "One end of a measured path, driven by its parent.")
final class BenchTransferEndCommand implements Callable<Integer>
{
    @Option(names = "--directory", required = true)
    private Path directory;

    @Option(names = "--address", required = true)
    private String address;

    @Option(names = "--source", defaultValue = "" + TransferEndRun.READER)
    private int source;

    @Option(names = "--sources", required = true)
    private int sources;

    @Option(names = "--pages", required = true)
    private int pages;

    @Option(names = "--page-bytes", required = true)
    private int pageBytes;

    @Option(names = "--idle", required = true)
    private IdleStrategyName idle;

    @Option(names = "--peer")
    private List<String> peers = new ArrayList<>();

    @Override
    public Integer call() throws IOException
    {
        final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, UTF_8);
        System.setOut(System.err);
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8)))
        {
            new TransferEndRun(directory, address, source, sources, pages, pageBytes, idle, peers).run(in, out);
            return 0;
        }
        catch (final ClusterException ex)
        {
            System.err.println(ex.getMessage());
            return 1;
        }
    }
}
