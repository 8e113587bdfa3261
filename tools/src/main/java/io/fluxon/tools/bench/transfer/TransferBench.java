package io.fluxon.tools.bench.transfer;

import io.fluxon.tools.cluster.Cleanup;
import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.cluster.Host;
import io.fluxon.tools.cluster.HostNetwork;
import io.fluxon.tools.cluster.JavaCommand;
import io.fluxon.tools.cluster.WorkDirectory;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Fetches pages from one or more source processes into a reader process, with the classes of an owner, and in turn with
 * it lets UCX measure the same path itself. Each round measures everything once, in an order that moves on, so that a
 * machine that others use disturbs all alike.
 */
public final class TransferBench
{
    private static final int HEAP_MEGABYTES = 128;
    private static final int WARM_UP_FETCHES = 5;
    private static final int WINDOW = 8;
    private static final long START_TIMEOUT_MS = 60_000;
    private static final long FETCH_TIMEOUT_MS = 90_000;

    private final TransferBenchSettings settings;
    private final Cleanup cleanup;
    private final PrintStream progress;
    private final TransferPath path;
    private final Path directory;
    private final Path log;
    private final UcxPerftest perftest;
    private final Child reader;
    private final OwnerGets owners;

    private TransferBench(
        final TransferBenchSettings settings,
        final TransferPath path,
        final WorkDirectory workDirectory,
        final Cleanup cleanup,
        final PrintStream progress)
    {
        this.settings = settings;
        this.path = path;
        this.directory = workDirectory.path();
        this.cleanup = cleanup;
        this.progress = progress;
        log = directory.resolve("processes.log");
        perftest = cleanup.add(new UcxPerftest(path, log));
        reader = startEnds();
        owners = OwnerGets.start(settings, path, workDirectory, cleanup);
    }

    /**
     * Measures.
     *
     * @param settings what to measure.
     * @param progress for a line for each round.
     * @return what was measured.
     * @throws ClusterException when that is impossible here; nothing is left behind.
     */
    public static TransferReport run(final TransferBenchSettings settings, final PrintStream progress)
    {
        final String missing = UcxPerftest.missing();
        if (null != missing)
        {
            throw new ClusterException(missing);
        }
        try (Cleanup cleanup = new Cleanup())
        {
            try
            {
                final WorkDirectory directory = cleanup.add(WorkDirectory.create());
                final TransferPath path = pathOf(settings, cleanup);
                return new TransferBench(settings, path, directory, cleanup, progress).measure();
            }
            catch (final ClusterException ex)
            {
                cleanup.awaitShutdown();
                throw ex;
            }
        }
    }

    private static TransferPath pathOf(final TransferBenchSettings settings, final Cleanup cleanup)
    {
        final String missing = settings.isLoopback() ? "as asked for" : HostNetwork.missing(false);
        if (null != missing)
        {
            return TransferPath.loopback(missing);
        }
        final HostNetwork network = cleanup.add(new HostNetwork());
        network.openPair("source", "reader");
        return TransferPath.of(network);
    }

    private Child startEnds()
    {
        final List<Child> sources = new ArrayList<>();
        for (int i = 0; i < settings.peers(); i++)
        {
            sources.add(startEnd("source " + i, path.source(), List.of("--source", Integer.toString(i))));
        }
        final List<String> peers = new ArrayList<>();
        for (final Child source : sources)
        {
            peers.addAll(List.of("--peer", awaitReady(source)));
        }
        final Child end = startEnd("reader", path.reader(), peers);
        awaitReady(end);
        return end;
    }

    private Child startEnd(final String name, final Host host, final List<String> options)
    {
        final List<String> arguments = new ArrayList<>(List.of("bench-transfer-end",
            "--directory", directory.toString(),
            "--address", host.address(),
            "--sources", Integer.toString(settings.peers()),
            "--pages", Integer.toString(settings.pages()),
            "--page-bytes", Integer.toString(settings.pageBytes()),
            "--idle", settings.idle().name()));
        arguments.addAll(options);
        return cleanup.add(Child.start(name, host.runOverTcp(JavaCommand.of(HEAP_MEGABYTES, arguments)), log));
    }

    private static String awaitReady(final Child end)
    {
        return end.await((line) -> line.startsWith(TransferEndRun.READY), START_TIMEOUT_MS)
            .substring(TransferEndRun.READY.length());
    }

    private TransferReport measure()
    {
        final int rounds = settings.rounds();
        final TransferRow get = new TransferRow("ucx_perftest ucp_get", "ucp_get", TransferRow.NO_CHECKSUM, rounds);
        final TransferRow plain = new TransferRow("fetch", "fetch", TransferRow.PLAIN, rounds);
        final TransferRow checked = new TransferRow("fetch", "fetch", TransferRow.CHECKED, rounds);
        final TransferRow gets = new TransferRow(
            "ucx_perftest ucp_get, " + WINDOW + " at once", "ucp_get_" + WINDOW, TransferRow.NO_CHECKSUM, rounds);
        final TransferRow messages = new TransferRow(
            "ucx_perftest ucp_am_bw", "ucp_am_bw", TransferRow.NO_CHECKSUM, rounds);
        final TransferRow whole = new TransferRow("get by a worker", "get", TransferRow.CHECKED, rounds);
        final List<TransferRow> rows = List.of(get, gets, messages, plain, checked, whole);
        for (int i = 0; i < WARM_UP_FETCHES; i++)
        {
            fetch(checked, 0);
        }
        for (int i = 0; i < OwnerGets.WARM_UP_GETS; i++)
        {
            owners.get(whole, 0);
        }
        for (int round = 0; round < rounds; round++)
        {
            for (int i = 0; i < rows.size(); i++)
            {
                final TransferRow row = rows.get((round + i) % rows.size());
                if (row == whole)
                {
                    owners.get(row, round);
                }
                else if (row.isFetch())
                {
                    fetch(row, round);
                }
                else
                {
                    row.bytesPerSecond()[round] = perftest.measure(row == messages ? "ucp_am_bw" : "ucp_get",
                        settings.pages(), settings.pageBytes(), row == gets ? WINDOW : 0);
                }
            }
            progress.println(TransferReport.round(round, rows));
        }
        return new TransferReport(settings, path.text(), get, rows);
    }

    private void fetch(final TransferRow row, final int round)
    {
        final boolean isChecked = TransferRow.CHECKED.equals(row.checksum());
        reader.send(isChecked ? TransferEndRun.CHECKSUM_ON : TransferEndRun.CHECKSUM_OFF);
        final String[] figures = reader.await((line) -> line.startsWith(TransferEndRun.FETCHED), FETCH_TIMEOUT_MS)
            .substring(TransferEndRun.FETCHED.length()).split(" ");
        row.bytesPerSecond()[round] =
            settings.fetchBytes() * (double) TimeUnit.SECONDS.toNanos(1) / Long.parseLong(figures[0]);
        row.submissions()[round] = Long.parseLong(figures[1]);
        row.checksumBytes()[round] = Long.parseLong(figures[2]);
    }
}
