package io.fluxon.tools.bench.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fluxon.tools.cluster.ClusterException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Two network namespaces joined by a pair of virtual network cards. This machine's own network is not touched. The
 * names carry the process id, so that what a killed process left behind is found and removed by the next one.
 */
final class VethPair implements AutoCloseable
{
    private static final String PREFIX = "fluxon-bench-";
    private static final Pattern NAME = Pattern.compile(Pattern.quote(PREFIX) + "(\\d+)-(source|reader)");
    private static final Path NAMESPACES = Path.of("/run/netns");
    private static final String SOURCE_ADDRESS = "10.78.0.1";
    private static final String READER_ADDRESS = "10.78.0.2";
    private static final String CARD = "eth0";

    private final String source = PREFIX + ProcessHandle.current().pid() + "-source";
    private final String reader = PREFIX + ProcessHandle.current().pid() + "-reader";

    private VethPair()
    {
    }

    /** What this machine lacks, null if it lacks nothing. */
    static String missing()
    {
        if (!"root".equals(System.getProperty("user.name")))
        {
            return "network namespaces need root";
        }
        return Programs.isThere("ip") ? null : "network namespaces need ip: 'apt-get install iproute2' (Debian)";
    }

    /** Creates them; when that fails nothing is left. */
    static VethPair create()
    {
        removeAbandoned();
        final VethPair pair = new VethPair();
        try
        {
            run("ip", "netns", "add", pair.source);
            run("ip", "netns", "add", pair.reader);
            run("ip", "-n", pair.source, "link", "add", CARD, "type", "veth",
                "peer", "name", CARD, "netns", pair.reader);
            up(pair.source, SOURCE_ADDRESS);
            up(pair.reader, READER_ADDRESS);
            return pair;
        }
        catch (final ClusterException ex)
        {
            pair.close();
            throw ex;
        }
    }

    TransferPath path()
    {
        return new TransferPath(
            "veth pair between two network namespaces of this machine",
            new TransferPath.Host(SOURCE_ADDRESS, List.of("ip", "netns", "exec", source)),
            new TransferPath.Host(READER_ADDRESS, List.of("ip", "netns", "exec", reader)));
    }

    /** Removes both, the cards with them. Processes must have ended. Repeated calls do nothing. */
    @Override
    public void close()
    {
        remove(reader);
        remove(source);
    }

    private static void up(final String namespace, final String address)
    {
        run("ip", "-n", namespace, "address", "add", address + "/24", "dev", CARD);
        run("ip", "-n", namespace, "link", "set", "lo", "up");
        run("ip", "-n", namespace, "link", "set", CARD, "up");
    }

    private static void removeAbandoned()
    {
        if (!Files.isDirectory(NAMESPACES))
        {
            return;
        }
        try (Stream<Path> entries = Files.list(NAMESPACES))
        {
            for (final Path entry : entries.toList())
            {
                final Matcher matcher = NAME.matcher(entry.getFileName().toString());
                if (matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty())
                {
                    remove(matcher.group());
                }
            }
        }
        catch (final IOException ex)
        {
            throw new ClusterException("cannot read " + NAMESPACES + ": " + ex.getMessage());
        }
    }

    private static void remove(final String namespace)
    {
        if (Files.exists(NAMESPACES.resolve(namespace)))
        {
            run("ip", "netns", "delete", namespace);
        }
    }

    private static void run(final String... command)
    {
        try
        {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            final String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
            if (0 != process.waitFor())
            {
                throw new ClusterException("'" + String.join(" ", command) + "' failed: " + output);
            }
        }
        catch (final IOException ex)
        {
            throw new ClusterException("cannot run " + command[0] + ": " + ex.getMessage());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted");
        }
    }
}
