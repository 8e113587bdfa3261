package io.fluxon.tools.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Locale.ROOT;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Hosts on one machine: network namespaces with an address each, joined by a bridge in one more. This machine's own
 * network is not touched. Names carry the process id, so that what a killed process left behind is found and removed by
 * the next one.
 */
public final class HostNetwork implements AutoCloseable
{
    private static final String PREFIX = "fluxon-";
    private static final Pattern NAME = Pattern.compile(Pattern.quote(PREFIX) + "(\\d+)-.*");
    private static final Path NAMESPACES = Path.of("/run/netns");
    private static final String ADDRESS = "10.77.0.";
    private static final String BRIDGE = "bridge";
    private static final String LINK = "eth0";

    private final String base = PREFIX + ProcessHandle.current().pid() + "-";
    private final String hub = base + "hub";
    private final List<String> namespaces = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();

    private HostNetwork()
    {
    }

    /**
     * What this machine lacks.
     *
     * @return one line, or null if it lacks nothing.
     */
    public static String missing()
    {
        if (!"root".equals(System.getProperty("user.name")))
        {
            return "network namespaces need root";
        }
        for (final String tool : List.of("ip", "iptables"))
        {
            if (!isOnPath(tool))
            {
                return "needs " + tool + ": 'apt-get install iproute2 iptables' (Debian)";
            }
        }
        return null;
    }

    private static boolean isOnPath(final String tool)
    {
        for (final String directory : System.getenv().getOrDefault("PATH", "").split(":"))
        {
            if (Files.isExecutable(Path.of(directory, tool)))
            {
                return true;
            }
        }
        return false;
    }

    /**
     * Creates a network.
     *
     * @param names of its hosts.
     * @param loss  part of the datagrams that are lost on the way to each host, from 0 to below 1; streams lose none.
     * @return the network.
     * @throws ClusterException if it cannot be created; nothing is left of it.
     */
    public static HostNetwork create(final List<String> names, final double loss)
    {
        removeAbandoned();
        final HostNetwork network = new HostNetwork();
        try
        {
            network.addHub();
            for (int i = 0; i < names.size(); i++)
            {
                network.addHost(names.get(i), i + 1, loss);
            }
            return network;
        }
        catch (final ClusterException ex)
        {
            network.close();
            throw ex;
        }
    }

    /**
     * One of the hosts.
     *
     * @param index of its name.
     * @return the host.
     */
    public Host host(final int index)
    {
        return hosts.get(index);
    }

    /**
     * Takes the link of a host down, or up again.
     *
     * @param index of its name.
     * @param isUp  false for down.
     */
    public void link(final int index, final boolean isUp)
    {
        // at the bridge: the host itself keeps its address and routes, and does not notice
        run("ip", "-n", hub, "link", "set", port(index + 1), isUp ? "up" : "down");
    }

    private void addHub()
    {
        addNamespace(hub);
        run("ip", "-n", hub, "link", "add", BRIDGE, "type", "bridge");
        run("ip", "-n", hub, "link", "set", BRIDGE, "up");
    }

    private void addHost(final String name, final int number, final double loss)
    {
        final String namespace = base + name;
        addNamespace(namespace);
        run("ip", "-n", hub, "link", "add", port(number), "type", "veth", "peer", "name", LINK, "netns", namespace);
        run("ip", "-n", hub, "link", "set", port(number), "master", BRIDGE, "up");
        run("ip", "-n", namespace, "address", "add", ADDRESS + number + "/24", "dev", LINK);
        run("ip", "-n", namespace, "link", "set", "lo", "up");
        run("ip", "-n", namespace, "link", "set", LINK, "up");
        final Host host = new Host(namespace, ADDRESS + number);
        if (loss > 0)
        {
            run(host.run(List.of("iptables", "-A", "INPUT", "-i", LINK, "-p", "udp", "-m", "statistic",
                "--mode", "random", "--probability", String.format(ROOT, "%.6f", loss), "-j", "DROP")));
        }
        hosts.add(host);
    }

    private static String port(final int number)
    {
        return "port" + number;
    }

    private void addNamespace(final String name)
    {
        namespaces.add(name);
        run("ip", "netns", "add", name);
    }

    /** Removes the network; links go with their namespaces. Processes must have ended. Repeated calls do nothing. */
    @Override
    public synchronized void close()
    {
        for (final String namespace : namespaces.reversed())
        {
            remove(namespace);
        }
        namespaces.clear();
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
                final String name = entry.getFileName().toString();
                final Matcher matcher = NAME.matcher(name);
                if (matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty())
                {
                    remove(name);
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
        run(List.of(command));
    }

    private static void run(final List<String> command)
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
            throw new ClusterException("cannot run " + command.getFirst() + ": " + ex.getMessage());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted");
        }
    }
}
