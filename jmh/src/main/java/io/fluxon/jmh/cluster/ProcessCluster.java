package io.fluxon.jmh.cluster;

import io.aeron.Aeron;
import io.fluxon.engine.config.MasterConfig;
import io.fluxon.engine.config.OwnerConfig;
import io.fluxon.engine.host.MasterProcess;
import io.fluxon.engine.host.OwnerProcess;
import io.fluxon.ipc.aeron.AeronControlChannel;
import io.fluxon.ipc.aeron.AeronMessageSource;
import io.fluxon.ipc.aeron.IdleStrategies;
import io.fluxon.ipc.aeron.MediaDrivers;
import io.fluxon.ipc.client.OwnerDescriptor;
import io.fluxon.ipc.client.ProcessIdentity;
import io.fluxon.ipc.client.core.WorkerClient;
import io.fluxon.ipc.client.core.WorkerClientContext;
import io.fluxon.ipc.segment.SegmentFile;
import io.fluxon.ipc.segment.SegmentMapping;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemNanoClock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A master and an owner as they run in production, with their media drivers and one thread for each agent, in this
 * JVM, and a worker client in the calling thread: Aeron IPC to the owner, UDP to the master. Everything lies in one
 * directory of a memory file system, which is gone after close and when the JVM ends.
 */
public final class ProcessCluster implements AutoCloseable
{
    private static final int STREAM_ID = 5_001;
    private static final long DRIVER_TIMEOUT_MS = 10_000;
    private static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final String MASTER_YAML = """
        instance_key: master
        cluster_name: bench
        share_mem_path: %s
        listen_endpoint: %s
        """;
    private static final String OWNER_YAML = """
        instance_key: owner
        owner_id: 1
        fluxonkv_spec:
          cluster_name: bench
          share_mem_path: %s
        contribute_to_cluster_pool_size:
          dram: %d
        grant_quantum_bytes: 64MiB
        master:
          endpoint: %s
        """;

    private final ArrayList<AutoCloseable> resources = new ArrayList<>();
    private final IdleStrategy idleStrategy = IdleStrategies.byName(IdleStrategies.BACKOFF);
    private final Thread remover;
    private final Path directory;
    private WorkerClient client;
    private SegmentMapping mapping;

    /**
     * Starts everything; returns when the client is ready.
     *
     * @param capacityBytes of the owner, a multiple of 64 MiB.
     */
    public ProcessCluster(final long capacityBytes)
    {
        directory = createDirectory();
        remover = new Thread(this::removeDirectory);
        Runtime.getRuntime().addShutdownHook(remover);
        try
        {
            start(capacityBytes);
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    /**
     * The client.
     *
     * @return client of the calling thread.
     */
    public WorkerClient client()
    {
        return client;
    }

    /** One duty cycle of the client; backs off when it had nothing to do. */
    public void poll()
    {
        idleStrategy.idle(client.poll());
        if (WorkerClient.State.CLOSED == client.state())
        {
            throw new IllegalStateException("the session has ended: " + client.errorMessage());
        }
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(resources.reversed());
        resources.clear();
        removeDirectory();
        Runtime.getRuntime().removeShutdownHook(remover);
    }

    private void start(final long capacityBytes)
    {
        final String endpoint = freeEndpoint();
        own(MasterProcess.launch(MasterConfig.parse(
            "benchmark", MASTER_YAML.formatted(directory, endpoint), List.of())));
        final OwnerProcess owner = own(OwnerProcess.launch(OwnerConfig.parse(
            "benchmark", OWNER_YAML.formatted(directory, capacityBytes, endpoint), List.of())));
        attach(OwnerDescriptor.read(owner.directory()));
    }

    private void attach(final OwnerDescriptor owner)
    {
        final Aeron aeron = own(Aeron.connect(MediaDrivers.clientContext(
            owner.aeronDirectory(), IdleStrategies.BACKOFF, DRIVER_TIMEOUT_MS)));
        own(() -> CloseHelper.close(mapping));
        client = own(new WorkerClient(new WorkerClientContext()
            .nanoClock(SystemNanoClock.INSTANCE)
            .requests(AeronControlChannel.open(aeron, OwnerDescriptor.CHANNEL, OwnerDescriptor.REQUEST_STREAM_ID))
            .responses(AeronMessageSource.open(aeron, OwnerDescriptor.CHANNEL, STREAM_ID, (connectionId) -> {}))
            .segmentMapper(this::map)
            .clientName("benchmark")
            .expectedGeneration(owner.generation())
            .processId(ProcessIdentity.processId())
            .processStartTime(ProcessIdentity.startTime())
            .responseStreamId(STREAM_ID)));
        final long deadlineNs = System.nanoTime() + CONNECT_TIMEOUT_NS;
        while (WorkerClient.State.READY != client.state())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new IllegalStateException("the owner did not answer the connect in time");
            }
            poll();
        }
    }

    private long map(final String path, final long generation, final long mapOffset, final long length)
    {
        mapping = SegmentFile.mapForWorker(Path.of(path), generation);
        return mapping.mappedAddress();
    }

    private <T extends AutoCloseable> T own(final T resource)
    {
        resources.add(resource);
        return resource;
    }

    private void removeDirectory()
    {
        IoUtil.delete(directory.toFile(), true);
    }

    private static Path createDirectory()
    {
        try
        {
            return Files.createTempDirectory(SparseMemory.directory(), "fluxon-bench-");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static String freeEndpoint()
    {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            return "127.0.0.1:" + socket.getLocalPort();
        }
        catch (final SocketException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
