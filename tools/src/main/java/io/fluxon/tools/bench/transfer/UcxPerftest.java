package io.fluxon.tools.bench.transfer;

import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.cluster.Programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

/**
 * UCX's own measurement, over TCP, as between hosts without a faster way.
 */
final class UcxPerftest implements AutoCloseable
{
    private static final String PROGRAM = "ucx_perftest";
    /** Its lines are to come when it writes them, not when it ends. */
    private static final List<String> PREFIX = List.of("stdbuf", "-oL");
    private static final long START_TIMEOUT_MS = 20_000;
    private static final long RUN_TIMEOUT_MS = 120_000;
    private static final double MIB = 1 << 20;
    private static final Pattern FIGURES = Pattern.compile("\\s*\\d+(,[\\d.]+){7}");
    private static final int OVERALL_BANDWIDTH = 5;
    private static final int WARM_UP = 4;

    private final TransferPath path;
    private final Path log;
    private final List<Child> running = new CopyOnWriteArrayList<>();

    UcxPerftest(final TransferPath path, final Path log)
    {
        this.path = path;
        this.log = log;
    }

    /** What this machine lacks, null if it lacks nothing. */
    static String missing()
    {
        return Programs.isThere(PROGRAM) ? null : "needs " + PROGRAM + ": 'apt-get install ucx-utils' (Debian)";
    }

    /**
     * Measures once.
     *
     * @param test      by its name there.
     * @param count     of messages.
     * @param sizeBytes of each.
     * @param window    messages under way at once, 0 = as the test has it.
     * @return bytes in a second.
     */
    double measure(final String test, final int count, final int sizeBytes, final int window)
    {
        final String port = Integer.toString(freePort());
        final List<String> server = new ArrayList<>(PREFIX);
        server.addAll(List.of(PROGRAM, "-p", port));
        final List<String> client = new ArrayList<>(PREFIX);
        client.addAll(List.of(PROGRAM, path.source().address(), "-p", port, "-t", test, "-s",
            Integer.toString(sizeBytes), "-n", Integer.toString(count), "-w", Integer.toString(WARM_UP), "-f", "-v"));
        if (window > 0)
        {
            client.addAll(List.of("-O", Integer.toString(window)));
        }

        try
        {
            final Child source = start("source", path.source().runOverTcp(server));
            source.await((line) -> line.startsWith("Waiting for connection"), START_TIMEOUT_MS);
            final Child reader = start("reader", path.reader().runOverTcp(client));
            final String figures = reader.await((line) -> FIGURES.matcher(line).matches(), RUN_TIMEOUT_MS);
            return Double.parseDouble(figures.split(",")[OVERALL_BANDWIDTH]) * MIB;
        }
        finally
        {
            close();
        }
    }

    /** Ends what is running. */
    @Override
    public void close()
    {
        running.forEach(Child::kill);
        running.clear();
    }

    private Child start(final String end, final List<String> command)
    {
        final Child child = Child.start(PROGRAM + " of the " + end, command, log);
        running.add(child);
        return child;
    }

    private static int freePort()
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
        catch (final IOException ex)
        {
            throw new ClusterException("no free port: " + ex.getMessage());
        }
    }
}
