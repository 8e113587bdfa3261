package io.fluxon.engine.host;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.engine.config.OwnerConfig;
import io.fluxon.engine.config.RoleName;
import io.fluxon.engine.owner.OwnerAgent;
import io.fluxon.engine.owner.OwnerContext;
import io.fluxon.engine.owner.OwnerCounters;
import io.fluxon.engine.owner.OwnerSettings;
import io.fluxon.engine.owner.ReplicaSettings;
import io.fluxon.ipc.aeron.AeronMessageSource;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageSource;
import io.fluxon.ipc.client.OwnerDescriptor;
import io.fluxon.ipc.counters.ControlToggle;
import io.fluxon.ipc.counters.CountersFile;
import io.fluxon.ipc.segment.SegmentFile;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;

import java.io.PrintStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * An owner: segment, tables, embedded media driver, channels, and one thread for each agent. {@link #launch} returns
 * when workers can attach; the master may come later (contract LIFE-3). {@link #close()} removes everything that was
 * created, but the file of its generation.
 */
public final class OwnerProcess implements HostedProcess
{
    private static final int MAX_DELAYED_BYTES = 64 << 20;

    private final OwnerConfig config;
    private final ProcessHost host = new ProcessHost();
    private final LateMaster lateMaster;
    private Path directory;
    private long generation;
    private long leftGeneration;
    private CountersFile counters;
    private OwnerMemory memory;
    private AeronHost aeron;
    private OwnerTransport transport;
    private String masterWarning;
    private OwnerAgent agent;

    private OwnerProcess(final OwnerConfig config)
    {
        this.config = config;
        lateMaster = new LateMaster(config.listenEndpoint(), config.masterEndpoint(), LocalAddresses::addressOf);
    }

    /**
     * Starts an owner in this JVM.
     *
     * @param config of the owner.
     * @return the owner, ready.
     * @throws HostException                           when something is in the way; nothing is left behind.
     * @throws io.fluxon.ipc.segment.SegmentException  when the segment cannot be created; likewise.
     */
    public static OwnerProcess launch(final OwnerConfig config)
    {
        final OwnerProcess process = new OwnerProcess(config);
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
     * Runs an owner until SIGTERM, SIGINT or a failure.
     *
     * @param config of the owner.
     * @param out    for the line that says it is ready.
     * @param err    for the last line when something went wrong.
     * @return exit code of the process.
     */
    public static int run(final OwnerConfig config, final PrintStream out, final PrintStream err)
    {
        return ProcessRunner.run("owner " + config.instanceKey(), () -> launch(config), out, err);
    }

    /**
     * Start stamp of this owner.
     *
     * @return generation.
     */
    public long generation()
    {
        return generation;
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
        return "ready owner " + config.instanceKey() + " owner_id=" + config.ownerId() + " generation=" + generation +
            " capacity=" + config.dramBytes() + " directory=" + directory + " pid=" + ProcessHandle.current().pid() +
            (transport.address().isEmpty() ? "" : " transport=" + transport.address()) +
            (0 == leftGeneration ? "" : " removed_generation=" + leftGeneration);
    }

    @Override
    public String warning()
    {
        return Stream.of(masterWarning, transport.warning())
            .filter(Objects::nonNull).reduce((first, second) -> first + "; " + second).orElse(null);
    }

    @Override
    public Path directory()
    {
        return directory;
    }

    @Override
    public Throwable awaitFailure(final long timeoutMs) throws InterruptedException
    {
        final HostException unreachable = lateMaster.look();
        if (null != unreachable)
        {
            // workers of this machine are served all the same (contract LIFE-3)
            host.onError(unreachable);
        }
        return host.awaitFailure(timeoutMs);
    }

    @Override
    public void close()
    {
        host.close();
    }

    private void start()
    {
        LocalAddresses.checkReachable(config.listenEndpoint(), config.masterEndpoint());
        masterWarning = LocalAddresses.warning("master.endpoint", config.masterEndpoint());
        directory = host.createDirectory(config.directory());
        leftGeneration = SegmentFile.newestGeneration(directory, config.instanceKey());
        generation = host.own(InstanceLock.acquire(
            InstanceLock.pathOf(directory), Math.max(leftGeneration + 1, SystemEpochClock.INSTANCE.time()))).stamp();
        memory = OwnerMemory.create(host, config, directory, generation);
        counters = host.openCounters(config.instanceKey(), directory, config.countersDir());
        aeron = AeronHost.launch(
            host, directory, config.aeron(), config.idle().driver(), !config.isPreallocated());

        final OwnerContext context = new OwnerContext()
            .ownerId(config.ownerId())
            .generation(generation)
            .role(RoleName.GPU == config.role() ? OwnerRole.GPU : OwnerRole.REMOTE_CACHE)
            .name(config.instanceKey())
            .hostName(hostName())
            .nanoClock(SystemNanoClock.INSTANCE)
            .errorHandler(host::onError)
            .settings(settings())
            .controlToggle(ControlToggle.allocate(counters.counters()))
            .counters(new OwnerCounters(counters.counters()));
        memory.giveTo(context);
        connect(context);
        transport = OwnerTransport.create(host, config, memory, generation);
        context.transferAddress(transport.address());
        final OwnerAgents agents =
            OwnerAgents.create(memory, transport.transport(), context, counters.counters(), context.counters());
        agent = new OwnerAgent(context.conclude());

        memory.segment().markReady();
        agents.start(host, config);
        host.start(agent, config.idle().core().create());
        host.own(DescriptorFile.write(directory.resolve(OwnerDescriptor.FILE_NAME), descriptor()));
    }

    private void connect(final OwnerContext context)
    {
        final AeronMessageSource workers = aeron.openSource(
            OwnerDescriptor.CHANNEL, OwnerDescriptor.REQUEST_STREAM_ID, (connectionId) ->
            agent.onWorkerDisconnected(connectionId));
        final AeronMessageSource fromMaster = aeron.listen(
            config.listenEndpoint(), Streams.OWNER_RESPONSE_STREAM_ID, (connectionId) ->
            agent.onMasterDisconnected(connectionId));
        final ControlChannel toMaster = new ReopeningChannel(
            () -> aeron.openUdpChannel(
                Streams.udpChannel(config.masterEndpoint()), Streams.MASTER_REQUEST_STREAM_ID),
            SystemNanoClock.INSTANCE);

        MessageSource masterSource = fromMaster;
        ControlChannel masterChannel = toMaster;
        if (config.delayMasterMs() > 0)
        {
            final DelayedLink link = new DelayedLink(
                toMaster, fromMaster, TimeUnit.MILLISECONDS.toNanos(config.delayMasterMs()), MAX_DELAYED_BYTES,
                SystemNanoClock.INSTANCE);
            masterSource = link.source();
            masterChannel = link.channel();
        }
        context
            .workerSource(workers)
            .sessionChannels((streamId) -> aeron.openChannel(OwnerDescriptor.CHANNEL, streamId))
            .responseChannel(fromMaster.resolvedChannel())
            .masterSource(masterSource)
            .masterChannel(masterChannel);
    }

    private OwnerSettings settings()
    {
        return new OwnerSettings()
            .sessionTimeoutNs(TimeUnit.MILLISECONDS.toNanos(config.timeouts().sessionMs()))
            .keepAliveNs(TimeUnit.MILLISECONDS.toNanos(config.timeouts().keepAliveMs()))
            .handleTtlNs(TimeUnit.MILLISECONDS.toNanos(config.timeouts().handleTtlMs()))
            .getTimeoutNs(TimeUnit.MILLISECONDS.toNanos(config.timeouts().getMs()))
            .startWindowNs(TimeUnit.MICROSECONDS.toNanos(config.timeouts().startWindowUs()))
            .claimSoftTimeoutNs(TimeUnit.MILLISECONDS.toNanos(config.reserve().softTimeoutMs()))
            .hotCapacityRatio(config.hotCapacityRatio())
            .hotWindowPolicy(config.eviction().policy())
            .pressureIntervalNs(TimeUnit.MILLISECONDS.toNanos(config.eviction().pressureIntervalMs()))
            .pressureLimitBytes(config.eviction().pressureLimitBytes())
            .pressureHeadroomBytes(config.eviction().pressureHeadroomBytes())
            .replicas(new ReplicaSettings()
                .demotionBoundNs(TimeUnit.MILLISECONDS.toNanos(config.eviction().demotionBoundMs()))
                .demotionLimitBytes(config.eviction().demotionLimitBytes())
                .taskMaxInflight(config.replicaTaskMaxInflight()))
            .planSliceKeys(config.planSliceKeys())
            .maxSessions(config.limits().maxSessions())
            .maxOutstandingPerSession(config.limits().maxOutstandingPerSession())
            .maxKeysPerBatch(config.limits().maxKeysPerBatch())
            .publishLimit(config.publishLimit());
    }

    private ObjectNode descriptor()
    {
        return DescriptorFile.newContent()
            .put("instance_key", config.instanceKey())
            .put("cluster_name", config.clusterName())
            .put("owner_id", config.ownerId())
            .put("generation", generation)
            .put("aeron_directory", aeron.directory())
            .put("segment_path", memory.segment().path().toString())
            .put("counters_path", counters.path().toString())
            .put("pid", ProcessHandle.current().pid());
    }

    private static String hostName()
    {
        try
        {
            return InetAddress.getLocalHost().getHostName();
        }
        catch (final UnknownHostException ex)
        {
            return "localhost";
        }
    }
}
