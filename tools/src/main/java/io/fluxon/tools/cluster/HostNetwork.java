package io.fluxon.tools.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Locale.ROOT;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.engine.transfer.ucx.UcxLibrary;

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
    private static final int MAX_HOSTS = 254;
    private static final String BRIDGE = "bridge";
    private static final String LINK = "eth0";
    private static final long COMMAND_TIMEOUT_S = 20;
    private static final int REMOVE_ATTEMPTS = 3;

    private final String base = PREFIX + ProcessHandle.current().pid() + "-";
    private final String hub = base + "hub";
    private final List<String> namespaces = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();
    private boolean isLossy;
    private boolean isClosed;

    /**
     * What this machine lacks.
     *
     * @param isLossy true if datagrams are to be lost.
     * @return one line, or null if it lacks nothing.
     */
    public static String missing(final boolean isLossy)
    {
        if (!isRoot())
        {
            return "network namespaces need root";
        }
        for (final String tool : isLossy ? List.of("ip", "iptables") : List.of("ip"))
        {
            if (!Programs.isThere(tool))
            {
                return "needs " + tool + ": 'apt-get install iproute2 iptables' (Debian)";
            }
        }
        return UcxLibrary.load();
    }

    private static boolean isRoot()
    {
        try
        {
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        }
        catch (final IOException | UnsupportedOperationException ex)
        {
            return false;
        }
    }

    /**
     * Creates the hosts. Once, and not when this is closed; whatever comes of it, {@link #close()} removes them.
     *
     * @param names of the hosts.
     * @param loss  part of the datagrams that are lost on the way to each host, from 0 to below 1; streams lose none.
     * @throws ClusterException if they cannot be created.
     */
    public synchronized void open(final List<String> names, final double loss)
    {
        begin(names.size());
        isLossy = loss > 0;
        addNamespace(hub);
        run("ip", "-n", hub, "link", "add", BRIDGE, "type", "bridge");
        run("ip", "-n", hub, "link", "set", BRIDGE, "up");
        for (int i = 0; i < names.size(); i++)
        {
            addHost(names.get(i), i + 1, loss);
        }
    }

    /**
     * Creates two hosts whose network cards are joined directly, without a bridge. Once, and not when this is closed;
     * whatever comes of it, {@link #close()} removes them.
     *
     * @param first  name of one.
     * @param second name of the other.
     * @throws ClusterException if they cannot be created.
     */
    public synchronized void openPair(final String first, final String second)
    {
        begin(2);
        addNamespace(base + first);
        addNamespace(base + second);
        run("ip", "-n", base + first, "link", "add", LINK, "type", "veth",
            "peer", "name", LINK, "netns", base + second);
        hosts.add(up(base + first, 1));
        hosts.add(up(base + second, 2));
    }

    private void begin(final int hostCount)
    {
        if (isClosed || !namespaces.isEmpty() || hostCount > MAX_HOSTS)
        {
            throw new ClusterException("a network has at most " + MAX_HOSTS + " hosts, and is opened once");
        }
        removeAbandoned();
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
     * Takes the link of a host down, or up again; not of a pair.
     *
     * @param index of its name.
     * @param isUp  false for down.
     */
    public void link(final int index, final boolean isUp)
    {
        // at the bridge: the host itself keeps its address and routes, and does not notice
        run("ip", "-n", hub, "link", "set", port(index + 1), isUp ? "up" : "down");
    }

    /**
     * Lets a host hear no datagram of the others, who still hear its own; or lets it hear them again.
     *
     * @param index  of its name.
     * @param isDeaf true to hear none.
     */
    public void deafen(final int index, final boolean isDeaf)
    {
        run(hosts.get(index).run(
            List.of("iptables", isDeaf ? "-A" : "-D", "INPUT", "-i", LINK, "-p", "udp", "-j", "DROP")));
    }

    /**
     * Limits what a host can send.
     *
     * @param index               of its name.
     * @param megabitsOfEachSecond that it can.
     */
    public void rate(final int index, final int megabitsOfEachSecond)
    {
        run(hosts.get(index).run(List.of("tc", "qdisc", "replace", "dev", LINK, "root", "tbf",
            "rate", megabitsOfEachSecond + "mbit", "burst", "64kb", "latency", "400ms")));
    }

    /**
     * Datagrams that were lost on purpose so far.
     *
     * @return number of datagrams at all hosts.
     */
    public long lostDatagrams()
    {
        long lost = 0;
        for (final Host host : isLossy ? hosts : List.<Host>of())
        {
            lost += Long.parseLong(
                run(host.run(List.of("iptables", "-L", "INPUT", "1", "-v", "-x", "-n"))).strip().split("\\s+", 2)[0]);
        }
        return lost;
    }

    private void addHost(final String name, final int number, final double loss)
    {
        final String namespace = base + name;
        addNamespace(namespace);
        run("ip", "-n", hub, "link", "add", port(number), "type", "veth", "peer", "name", LINK, "netns", namespace);
        run("ip", "-n", hub, "link", "set", port(number), "master", BRIDGE, "up");
        final Host host = up(namespace, number);
        if (loss > 0)
        {
            run(host.run(List.of("iptables", "-A", "INPUT", "-i", LINK, "-p", "udp", "-m", "statistic",
                "--mode", "random", "--probability", String.format(ROOT, "%.6f", loss), "-j", "DROP")));
        }
        hosts.add(host);
    }

    private static Host up(final String namespace, final int number)
    {
        run("ip", "-n", namespace, "address", "add", ADDRESS + number + "/24", "dev", LINK);
        run("ip", "-n", namespace, "link", "set", "lo", "up");
        run("ip", "-n", namespace, "link", "set", LINK, "up");
        return new Host(namespace, ADDRESS + number, true);
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
        isClosed = true;
        final List<String> remaining = new ArrayList<>();
        for (final String namespace : namespaces.reversed())
        {
            if (!remove(namespace))
            {
                remaining.add(namespace);
            }
        }
        namespaces.clear();
        if (!remaining.isEmpty())
        {
            throw new ClusterException("cannot remove the network namespaces " + String.join(", ", remaining));
        }
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

    /** More than once, since the signal that ends this process may end the command as well. */
    private static boolean remove(final String namespace)
    {
        for (int i = 0; i < REMOVE_ATTEMPTS && Files.exists(NAMESPACES.resolve(namespace)); i++)
        {
            try
            {
                run("ip", "netns", "delete", namespace);
            }
            catch (final ClusterException ex)
            {
                System.err.println(ex.getMessage());
            }
        }
        return !Files.exists(NAMESPACES.resolve(namespace));
    }

    private static void run(final String... command)
    {
        run(List.of(command));
    }

    private static String run(final List<String> command)
    {
        final String line = "'" + String.join(" ", command) + "'";
        Process process = null;
        try
        {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            if (!process.waitFor(COMMAND_TIMEOUT_S, SECONDS))
            {
                throw new ClusterException(line + " has not ended within " + COMMAND_TIMEOUT_S + " s");
            }
            final String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
            if (0 != process.exitValue())
            {
                throw new ClusterException(line + " failed: " + output);
            }
            return output;
        }
        catch (final IOException ex)
        {
            throw new ClusterException("cannot run " + line + ": " + ex.getMessage());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted");
        }
        finally
        {
            if (null != process)
            {
                process.destroyForcibly();
            }
        }
    }
}
