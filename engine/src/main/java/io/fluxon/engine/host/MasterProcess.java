package io.fluxon.engine.host;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.aeron.exceptions.AeronException;
import io.fluxon.engine.config.MasterConfig;
import io.fluxon.engine.master.MasterAgent;
import io.fluxon.engine.master.MasterContext;
import io.fluxon.engine.master.MasterCounters;
import io.fluxon.engine.memory.HugeMemory;
import io.fluxon.ipc.aeron.AeronMessageSource;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.counters.ControlToggle;
import io.fluxon.ipc.counters.CountersFile;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * The master: routes, embedded media driver, channels, and one thread for the core. {@link #launch} returns when owners
 * can register. {@link #close()} removes everything that was created, but the file of its start stamp.
 */
public final class MasterProcess implements HostedProcess
{
    /** Name of the descriptor in the master's directory. */
    public static final String DESCRIPTOR = "master.json";

    private static final int PAGE_STOCK_IDLE_MS = 1;

    private final MasterConfig config;
    private final UnaryOperator<Agent> around;
    private final ProcessHost host = new ProcessHost();
    private Path directory;
    private long epoch;
    private String endpoint;
    private CountersFile counters;
    private AeronHost aeron;
    private MasterAgent agent;

    private MasterProcess(final MasterConfig config, final UnaryOperator<Agent> around)
    {
        this.config = config;
        this.around = around;
    }

    /**
     * Starts a master in this JVM.
     *
     * @param config of the master.
     * @return the master, ready.
     * @throws HostException when something is in the way; nothing is left behind.
     */
    public static MasterProcess launch(final MasterConfig config)
    {
        return launch(config, UnaryOperator.identity());
    }

    /**
     * Starts a master in this JVM, whose duty cycles can be watched.
     *
     * @param config of the master.
     * @param around makes the agent that runs in place of the master's, and calls it.
     * @return the master, ready.
     * @throws HostException when something is in the way; nothing is left behind.
     */
    public static MasterProcess launch(final MasterConfig config, final UnaryOperator<Agent> around)
    {
        final MasterProcess process = new MasterProcess(config, around);
        try
        {
            process.start();
            return process;
        }
        catch (final RuntimeException | Error ex)
        {
            process.close();
            throw ex;
        }
    }

    /**
     * Runs a master until SIGTERM, SIGINT or a failure.
     *
     * @param config of the master.
     * @param out    for the line that says it is ready.
     * @param err    for the last line when something went wrong.
     * @return exit code of the process.
     */
    public static int run(final MasterConfig config, final PrintStream out, final PrintStream err)
    {
        return ProcessRunner.run("master " + config.instanceKey(), () -> launch(config), out, err);
    }

    /**
     * Start stamp of this master.
     *
     * @return epoch.
     */
    public long epoch()
    {
        return epoch;
    }

    /**
     * Where owners reach it.
     *
     * @return host:port, with the port that the system has chosen when the configuration says 0.
     */
    public String endpoint()
    {
        return endpoint;
    }

    /**
     * Its counters and errors.
     *
     * @return the file, valid until this is closed.
     */
    public CountersFile counters()
    {
        return counters;
    }

    @Override
    public String readyLine()
    {
        return "ready master " + config.instanceKey() + " epoch=" + epoch + " endpoint=" + endpoint +
            " directory=" + directory + " pid=" + ProcessHandle.current().pid();
    }

    @Override
    public Path directory()
    {
        return directory;
    }

    @Override
    public Throwable awaitFailure(final long timeoutMs) throws InterruptedException
    {
        return host.awaitFailure(timeoutMs);
    }

    @Override
    public void close()
    {
        host.close();
    }

    private void start()
    {
        directory = host.createDirectory(config.directory());
        final InstanceLock lock = host.own(InstanceLock.acquire(
            InstanceLock.pathOf(directory), SystemEpochClock.INSTANCE.time()));
        epoch = lock.stamp();
        counters = host.openCounters(config.instanceKey(), directory, config.countersDir());
        aeron = AeronHost.launch(host, directory, config.aeron(), config.idle().driver(), false);
        final AeronMessageSource source = aeron.listen(
            config.listenEndpoint(), Streams.MASTER_REQUEST_STREAM_ID, (connectionId) ->
            agent.onDisconnected(connectionId));
        endpoint = Streams.endpoint(source.resolvedChannel());
        final MasterCounters masterCounters = new MasterCounters(counters.counters());
        final PageStock pages = new PageStock(HugeMemory.INSTANCE);
        agent = new MasterAgent(new MasterContext()
            .epoch(epoch)
            .nanoClock(SystemNanoClock.INSTANCE)
            .source(source)
            .ownerChannels(this::openOwnerChannel)
            .counters(masterCounters)
            .pages(pages)
            .heartbeatIntervalNs(TimeUnit.MILLISECONDS.toNanos(config.heartbeatIntervalMs()))
            .livenessTimeoutNs(TimeUnit.MILLISECONDS.toNanos(config.livenessTimeoutMs()))
            .inflightTtlNs(TimeUnit.MILLISECONDS.toNanos(config.inflightTtlMs()))
            .maxOwners(config.maxOwners())
            .maxRoutes(config.maxKeys())
            .maxReplicas(config.maxReplicas())
            .sliceKeys(config.sliceKeys())
            .replicaTaskTtlNs(TimeUnit.MILLISECONDS.toNanos(config.replicas().taskTimeoutMs()))
            .replicaRampNs(TimeUnit.MILLISECONDS.toNanos(config.replicas().rampMs()))
            .fetchedCopies(config.replicas().fetchedCopies()));
        host.start(pages, new SleepingMillisIdleStrategy(PAGE_STOCK_IDLE_MS));
        host.start(
            around.apply(
                new AuditedMaster(agent, masterCounters, ControlToggle.allocate(counters.counters()))),
            config.idle().core().create());
        host.own(DescriptorFile.write(directory.resolve(DESCRIPTOR), descriptor()));
    }

    private ControlChannel openOwnerChannel(final String channel)
    {
        if (!Streams.isUdpChannel(channel))
        {
            return null;
        }
        try
        {
            return aeron.openUdpChannel(channel, Streams.OWNER_RESPONSE_STREAM_ID);
        }
        catch (final AeronException | IllegalArgumentException ex)
        {
            host.onError(ex);
            return null;
        }
    }

    private ObjectNode descriptor()
    {
        return DescriptorFile.newContent()
            .put("instance_key", config.instanceKey())
            .put("cluster_name", config.clusterName())
            .put("epoch", epoch)
            .put("endpoint", endpoint)
            .put("aeron_directory", aeron.directory())
            .put("counters_path", counters.path().toString())
            .put("pid", ProcessHandle.current().pid());
    }
}
