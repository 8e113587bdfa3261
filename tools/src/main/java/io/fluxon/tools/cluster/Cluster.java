package io.fluxon.tools.cluster;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.engine.host.MasterProcess;
import io.fluxon.engine.owner.OwnerCounter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A master and owners as real processes on this machine. Whatever happens, {@link #close()} leaves none of them.
 */
public final class Cluster implements AutoCloseable
{
    private static final int MASTER_HEAP_MEGABYTES = 256;
    private static final int OWNER_HEAP_MEGABYTES = 256;
    private static final long START_TIMEOUT_NS = SECONDS.toNanos(90);
    private static final long STOP_TIMEOUT_NS = SECONDS.toNanos(10);
    private static final long POLL_MS = 20;
    private static final int MASTER_HOST = 0;
    private static final String ANY_PORT = ":0";
    private static final Pattern ENDPOINT = Pattern.compile("\"endpoint\"\\s*:\\s*\"([^\"]+)\"");

    private final ClusterPlan plan;
    private final HostNetwork network;
    private final List<Host> hosts;
    private final Path logDirectory;
    private final Path configDirectory;
    private final Path share;
    private final Path masterDirectory;
    private final Path masterConfig;
    private final List<OwnerNode> owners = new ArrayList<>();
    private final List<ManagedProcess> started = new ArrayList<>();
    private ManagedProcess master;
    private boolean isMasterMeantToRun = true;
    private boolean isClosed;

    private Cluster(
        final ClusterPlan plan, final Path directory, final HostNetwork network, final List<Host> hosts)
        throws IOException
    {
        this.plan = plan;
        this.network = network;
        this.hosts = hosts;
        logDirectory = Files.createDirectories(directory.resolve("log"));
        configDirectory = Files.createDirectories(directory.resolve("config"));
        share = Files.createDirectories(directory.resolve("share"));
        final Path base = share.resolve(ConfigText.CLUSTER_NAME);
        masterDirectory = base.resolve(ConfigText.MASTER_KEY);
        masterConfig = configDirectory.resolve("master.yaml");
        for (int i = 0; i < plan.gpuOwners() + plan.cacheOwners(); i++)
        {
            final boolean isGpu = i < plan.gpuOwners();
            final String key = isGpu ? "gpu-" + i : "cache-" + (i - plan.gpuOwners());
            owners.add(new OwnerNode(key, isGpu, base.resolve(key), configDirectory.resolve(key + ".yaml")));
        }
        writeConfigs(masterHost().address() + ANY_PORT);
    }

    private void writeConfigs(final String endpoint) throws IOException
    {
        Files.writeString(masterConfig, ConfigText.master(share, endpoint, plan));
        for (int i = 0; i < owners.size(); i++)
        {
            final OwnerNode owner = owners.get(i);
            Files.writeString(
                owner.config,
                ConfigText.owner(share, endpoint, plan, owner.instanceKey, i + 1, owner.isGpu, ownerHost(i)));
        }
    }

    /**
     * Writes the configuration of a cluster; starts nothing.
     *
     * @param plan      of the cluster.
     * @param directory for everything of it.
     * @return the cluster.
     * @throws ClusterException if the directory cannot be written.
     */
    public static Cluster create(final ClusterPlan plan, final Path directory)
    {
        return create(plan, directory, (HostNetwork) null);
    }

    /**
     * Writes the configuration of a cluster of several hosts; starts nothing.
     *
     * @param plan      of the cluster.
     * @param directory for everything of it.
     * @param network   whose first host is the master's, the others the owners', in order; null = all on this machine.
     * @return the cluster.
     * @throws ClusterException if the directory cannot be written.
     */
    public static Cluster create(final ClusterPlan plan, final Path directory, final HostNetwork network)
    {
        final List<Host> hosts = new ArrayList<>();
        for (int i = 0; i <= plan.gpuOwners() + plan.cacheOwners(); i++)
        {
            hosts.add(null == network ? Host.LOCAL : network.host(i));
        }
        return create(plan, directory, network, hosts);
    }

    /**
     * Writes the configuration of a cluster of hosts whose links are left as they are; starts nothing.
     *
     * @param plan      of the cluster.
     * @param directory for everything of it.
     * @param hosts     the master's, then the owners', in order; one may be there for several.
     * @return the cluster.
     * @throws ClusterException if the directory cannot be written.
     */
    public static Cluster create(final ClusterPlan plan, final Path directory, final List<Host> hosts)
    {
        return create(plan, directory, null, hosts);
    }

    private static Cluster create(
        final ClusterPlan plan, final Path directory, final HostNetwork network, final List<Host> hosts)
    {
        try
        {
            return new Cluster(plan, Files.createDirectories(directory), network, List.copyOf(hosts));
        }
        catch (final IOException ex)
        {
            throw new ClusterException("cannot prepare a cluster in " + directory + ": " + ex.getMessage());
        }
    }

    /**
     * Starts all processes and waits until all owners are ready and know each other.
     *
     * @throws ClusterException if one ends, or is not in time.
     */
    public void start()
    {
        final long deadlineNs = System.nanoTime() + START_TIMEOUT_NS;
        startMaster(deadlineNs);
        for (final OwnerNode owner : owners)
        {
            startOwner(owner);
        }

        while (!isReady())
        {
            awaitMore(deadlineNs);
        }
    }

    /** The system chooses the master's port; owners, and the master if it is started again, are told of it. */
    private void startMaster(final long deadlineNs)
    {
        master = startProcess(masterHost(), ConfigText.MASTER_KEY, MASTER_HEAP_MEGABYTES, "master", masterConfig);
        final Path descriptor = masterDirectory.resolve(MasterProcess.DESCRIPTOR);
        while (!Files.exists(descriptor))
        {
            awaitMore(deadlineNs);
        }
        try
        {
            writeConfigs(endpoint(Files.readString(descriptor)));
        }
        catch (final IOException ex)
        {
            throw new ClusterException("cannot configure the cluster: " + ex.getMessage());
        }
    }

    static String endpoint(final String descriptor)
    {
        final Matcher matcher = ENDPOINT.matcher(descriptor);
        if (!matcher.find())
        {
            throw new ClusterException("the master's descriptor names no endpoint: " + descriptor);
        }
        return matcher.group(1);
    }

    private void awaitMore(final long deadlineNs)
    {
        checkAlive();
        if (System.nanoTime() - deadlineNs >= 0)
        {
            throw new ClusterException("the cluster was not ready within " +
                NANOSECONDS.toSeconds(START_TIMEOUT_NS) + " s\n" + logTails());
        }
        pause();
    }

    private void startOwner(final OwnerNode owner)
    {
        owner.process = startProcess(
            ownerHost(owners.indexOf(owner)), owner.instanceKey, OWNER_HEAP_MEGABYTES, "owner", owner.config);
    }

    private synchronized ManagedProcess startProcess(
        final Host host, final String name, final int heapMegabytes, final String command, final Path config)
    {
        if (isClosed)
        {
            throw new ClusterException("the cluster is closed");
        }
        final List<String> arguments = List.of(command, "--config=" + config, "--end-with-input");
        final ManagedProcess process = ManagedProcess.start(
            name, host.run(JavaCommand.of(heapMegabytes, arguments)), logDirectory.resolve(name + ".log"), false);
        started.add(process);
        return process;
    }

    private boolean isReady()
    {
        for (int i = 0; i < owners.size(); i++)
        {
            if (!isOwnerReady(i))
            {
                return false;
            }
        }
        return Files.exists(masterCountersFile());
    }

    /**
     * Does an owner take workers, know the master and all its peers?
     *
     * @param index of the owner.
     * @return true if it does.
     */
    public boolean isOwnerReady(final int index)
    {
        final OwnerNode owner = owners.get(index);
        if (!owner.isDescribed() || !Files.exists(owner.countersFile()))
        {
            return false;
        }
        try (ProcessCounters counters = ProcessCounters.map(owner.countersFile()))
        {
            return counters.view().pid() == owner.process.pid() &&
                1 == counters.get(OwnerCounter.MASTER_AVAILABLE.typeId()) &&
                owners.size() - 1 == counters.get(OwnerCounter.PEERS.typeId());
        }
        catch (final IllegalStateException ex)
        {
            return false;
        }
    }

    /**
     * Checks that no process has ended on its own.
     *
     * @throws ClusterException if one has.
     */
    public void checkAlive()
    {
        if (isMasterMeantToRun)
        {
            checkAlive(master);
        }
        for (final OwnerNode owner : owners)
        {
            checkAlive(owner.process);
        }
    }

    private static void checkAlive(final ManagedProcess process)
    {
        if (null != process && !process.isAlive())
        {
            throw new ClusterException(
                process.name() + " ended with code " + process.exitCode() + "\n" + process.logTail());
        }
    }

    /**
     * Kills an owner (SIGKILL) and starts it again under its name.
     *
     * @param index of the owner.
     */
    public void killAndRestartOwner(final int index)
    {
        final OwnerNode owner = owners.get(index);
        owner.process.kill();
        startOwner(owner);
    }

    /** Kills the master (SIGKILL). */
    public void killMaster()
    {
        isMasterMeantToRun = false;
        master.kill();
    }

    /** Starts the master again, where the owners look for it. */
    public void restartMaster()
    {
        master = startProcess(masterHost(), ConfigText.MASTER_KEY, MASTER_HEAP_MEGABYTES, "master", masterConfig);
        isMasterMeantToRun = true;
    }

    /**
     * Has the master that was started last written its counters?
     *
     * @return true if it has.
     */
    public boolean isMasterReady()
    {
        if (!Files.exists(masterCountersFile()))
        {
            return false;
        }
        try (ProcessCounters counters = ProcessCounters.map(masterCountersFile()))
        {
            return counters.view().pid() == master.pid();
        }
        catch (final IllegalStateException ex)
        {
            return false;
        }
    }

    /**
     * The master's process.
     *
     * @return the process.
     */
    public ManagedProcess master()
    {
        return master;
    }

    /**
     * An owner's process.
     *
     * @param index of the owner.
     * @return the process.
     */
    public ManagedProcess owner(final int index)
    {
        return owners.get(index).process;
    }

    /**
     * Number of owners, those for workers first.
     *
     * @return number of owners.
     */
    public int ownerCount()
    {
        return owners.size();
    }

    /**
     * Number of owners that serve workers.
     *
     * @return number of owners.
     */
    public int gpuOwners()
    {
        return plan.gpuOwners();
    }

    /**
     * Silence after which a worker counts as hung at its owner, and an owner as lost at the master.
     *
     * @return milliseconds.
     */
    public int livenessMs()
    {
        return plan.livenessMs();
    }

    /**
     * Directory that a worker of an owner is pointed to.
     *
     * @param index of the owner.
     * @return the directory.
     */
    public Path ownerDirectory(final int index)
    {
        return owners.get(index).directory;
    }

    /**
     * Takes the link of an owner's host down, or up again. Its workers, beside it, still reach it.
     *
     * @param index of the owner of a cluster of several hosts.
     * @param isUp  false for down.
     */
    public void linkOwner(final int index, final boolean isUp)
    {
        network.link(index + 1, isUp);
    }

    /**
     * Takes the link of the master's host down, or up again.
     *
     * @param isUp false for down.
     */
    public void linkMaster(final boolean isUp)
    {
        network.link(MASTER_HOST, isUp);
    }

    /**
     * Where an owner runs, and its workers beside it.
     *
     * @param index of the owner.
     * @return the host.
     */
    public Host ownerHost(final int index)
    {
        return hosts.get(index + 1);
    }

    private Host masterHost()
    {
        return hosts.get(MASTER_HOST);
    }

    /**
     * Counters files of all owners.
     *
     * @return the files, those of owners for workers first.
     */
    public List<Path> ownerCountersFiles()
    {
        return owners.stream().map(OwnerNode::countersFile).toList();
    }

    /**
     * Counters file of the master.
     *
     * @return the file.
     */
    public Path masterCountersFile()
    {
        return masterDirectory.resolve(ConfigText.MASTER_KEY + ".cnc");
    }

    /**
     * Where processes write their logs.
     *
     * @return the directory.
     */
    public Path logDirectory()
    {
        return logDirectory;
    }

    private String logTails()
    {
        final StringBuilder tails = new StringBuilder();
        for (final ManagedProcess process : started)
        {
            tails.append(process.name()).append(":\n").append(process.logTail());
        }
        return tails.toString();
    }

    private static void pause()
    {
        try
        {
            Thread.sleep(POLL_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted");
        }
    }

    /** Ends all processes: owners before the master, with SIGTERM, and SIGKILL for those that take too long. */
    @Override
    public synchronized void close()
    {
        isClosed = true;
        started.reversed().forEach(ManagedProcess::terminate);
        final long deadlineNs = System.nanoTime() + STOP_TIMEOUT_NS;
        for (final ManagedProcess process : started.reversed())
        {
            if (!process.awaitEnd(NANOSECONDS.toMillis(deadlineNs - System.nanoTime())))
            {
                process.kill();
            }
        }
        started.clear();
    }
}
