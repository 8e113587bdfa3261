package io.fluxon.tools.bench;

import io.fluxon.engine.config.MasterConfig;
import io.fluxon.engine.host.MasterProcess;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.tools.cluster.WorkDirectory;

import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The whole measurement: first the echo, then a master for each size of the table.
 * <p>
 * A row is measured in rounds. In a round the clients publish new keys, no more than the table began with, or each of
 * them reads keys, each once. Between rounds they come back under a new generation, so that the master forgets what
 * they brought: every publish makes a route, every get-done a replica, at every size of the table.
 */
public final class MasterBench
{
    private static final String MASTER_THREAD = "master";
    private static final long MAX_ROUND_KEYS = 2_000_000;
    private static final int FILL_BATCH = 128;
    private static final int FILL_LANES = 8;
    private static final double WARM_UP = 0.5;
    private static final double NS_OF_US = 1000.0;
    private static final double NS_OF_S = 1e9;
    private static final double MEDIAN = 50;
    private static final double P99 = 99;
    private static final double P999 = 99.9;
    private static final String MASTER_YAML = """
        instance_key: master
        cluster_name: bench
        share_mem_path: %s
        listen_endpoint: 127.0.0.1:0
        limits:
          max_keys: %d
        idle_strategy:
          master: %s
          driver: %s
        aeron:
          udp_mtu_bytes: %d
        """;

    private final List<BenchRow> rows = new ArrayList<>();
    private final Map<String, Double> echoes = new HashMap<>();
    private final BenchSettings settings;
    private final PrintStream progress;
    private long nextFresh;

    private MasterBench(final BenchSettings settings, final PrintStream progress)
    {
        this.settings = settings;
        this.progress = progress;
    }

    /**
     * Measures everything.
     *
     * @param settings of the measurement.
     * @param progress gets a line for each part.
     * @return the rows.
     * @throws BenchException when something went wrong.
     */
    public static List<BenchRow> run(final BenchSettings settings, final PrintStream progress)
    {
        final MasterBench bench = new MasterBench(settings, progress);
        try (WorkDirectory directory = WorkDirectory.create())
        {
            bench.measureEcho(directory);
            for (final long keys : settings.keys())
            {
                bench.measureMaster(directory, keys);
            }
        }

        return bench.rows;
    }

    private void measureEcho(final WorkDirectory directory)
    {
        progress.println("echo ...");
        final String endpoint = freeEndpoint();
        try (EchoMaster echo = new EchoMaster(directory.path(), endpoint, settings.idle(), settings.mtuBytes());
            Load load = new Load(directory.path(), endpoint, settings))
        {
            final List<BenchOwner> clients = addClients(load);
            for (final int batch : settings.batches())
            {
                for (final int count : settings.clients())
                {
                    final Measured measured = measure(
                        load, clients.subList(0, count), BenchOwner.Work.ECHO, batch, MAX_ROUND_KEYS, null);
                    echoes.put(batch + "/" + count, measured.keysPerSecond());
                    add(load, BenchOperation.ECHO, batch, count, 0, 0, measured);
                }
            }
        }
    }

    private void measureMaster(final WorkDirectory directory, final long keys)
    {
        // a master takes two replicas for each of its keys
        final long maxKeys = keys + Math.min(keys, MAX_ROUND_KEYS) * settings.maxClients();
        final MasterConfig config = MasterConfig.parse("benchmark", MASTER_YAML.formatted(
            directory.path(), maxKeys, settings.idle(), settings.idle(), settings.mtuBytes()), List.of());
        try (MasterProcess master = MasterProcess.launch(config);
            Load load = new Load(directory.path(), master.endpoint(), settings))
        {
            final MasterMeter meter = new MasterMeter(master.counters().counters());
            final List<BenchOwner> clients = addClients(load);
            fill(load, keys);
            load.await(() -> keys == meter.get(MasterCounter.ROUTES), "the master has not taken all keys");
            final double bytesPerKey =
                (meter.get(MasterCounter.ROUTE_BYTES) + meter.get(MasterCounter.INDEX_BYTES)) / (double) keys;
            for (final int batch : settings.batches())
            {
                for (final int count : settings.clients())
                {
                    progress.printf("%,d keys, batch %d, clients %d ...%n", keys, batch, count);
                    final List<BenchOwner> some = clients.subList(0, count);
                    final Measured put = measure(load, some, BenchOwner.Work.PUT, batch, keys, meter);
                    add(load, BenchOperation.RESERVE, batch, count, keys, bytesPerKey, put);
                    add(load, BenchOperation.PUBLISH, batch, count, keys, bytesPerKey, put);
                    final Measured get = measure(load, some, BenchOwner.Work.GET, batch, keys, meter);
                    add(load, BenchOperation.GET_START, batch, count, keys, bytesPerKey, get);
                    add(load, BenchOperation.GET_DONE, batch, count, keys, bytesPerKey, get);
                }
            }
        }
    }

    private List<BenchOwner> addClients(final Load load)
    {
        final List<BenchOwner> clients = new ArrayList<>();
        for (int i = 0, count = settings.maxClients(); i < count; i++)
        {
            clients.add(load.add(settings.window()));
        }

        return clients;
    }

    private void fill(final Load load, final long keys)
    {
        progress.printf("%,d keys ...%n", keys);
        final BenchOwner source = load.add(FILL_LANES);
        source.begin(BenchOwner.Work.PUT, KeyCursor.inOrder(0, keys), keys, FILL_BATCH, FILL_LANES);
        load.await(source::isIdle, "the master has not answered all publishes");
        nextFresh = keys;
    }

    private Measured measure(
        final Load load,
        final List<BenchOwner> clients,
        final BenchOwner.Work work,
        final int batch,
        final long keys,
        final MasterMeter meter)
    {
        final String thread = null == meter ? EchoMaster.ROLE_NAME : MASTER_THREAD;
        final long wantedNs = (long) (settings.seconds() * NS_OF_S);
        final long warmNs = (long) (wantedNs * WARM_UP);
        long spentNs = 0;
        long measuredNs = 0;
        long cpuNs = 0;
        load.samples().reset();
        while (measuredNs < wantedNs)
        {
            final boolean isWarm = spentNs >= warmNs;
            forget(load, clients, keys, meter);
            if (!isWarm && null != meter)
            {
                meter.resetCycles();
            }
            load.samples().count(isWarm);
            final long cpuBeforeNs = MasterMeter.cpuNs(thread);
            final long roundNs = round(
                load, clients, work, batch, keys, isWarm ? wantedNs - measuredNs : warmNs - spentNs);
            spentNs += roundNs;
            if (isWarm)
            {
                measuredNs += roundNs;
                cpuNs += MasterMeter.cpuNs(thread) - cpuBeforeNs;
            }
        }
        load.samples().count(false);
        forget(load, clients, keys, meter);
        if (load.samples().failures() > 0)
        {
            throw new BenchException(load.samples().failures() + " failures; the first: " +
                load.samples().firstFailure());
        }

        return new Measured(
            load.samples().keys() * NS_OF_S / measuredNs,
            cpuNs / (double) load.samples().keys(),
            null == meter ? 0 : meter.get(MasterCounter.CYCLE_LONGEST_NS),
            null == meter ? 0 : meter.get(MasterCounter.CYCLES_LONG));
    }

    private static void forget(
        final Load load, final List<BenchOwner> clients, final long keys, final MasterMeter meter)
    {
        if (null == meter)
        {
            return;
        }

        for (final BenchOwner client : clients)
        {
            client.join();
            load.await(client::isRegistered, "an owner was not registered in time");
        }
        load.await(
            () -> 0 == meter.get(MasterCounter.TENURES_DRAINING) && keys == meter.get(MasterCounter.REPLICAS),
            "the master has not forgotten in time");
    }

    private long round(
        final Load load,
        final List<BenchOwner> clients,
        final BenchOwner.Work work,
        final int batch,
        final long keys,
        final long limitNs)
    {
        final int count = clients.size();
        final long quota = Math.min(keys, MAX_ROUND_KEYS) / (BenchOwner.Work.PUT == work ? count : 1);
        for (int i = 0; i < count; i++)
        {
            final KeyCursor walk = BenchOwner.Work.PUT == work ?
                KeyCursor.inOrder(nextFresh, quota) : KeyCursor.scattered(keys, i * keys / count);
            nextFresh += BenchOwner.Work.PUT == work ? quota : 0;
            clients.get(i).begin(work, walk, quota, batch, settings.window(batch));
        }

        final long beginNs = System.nanoTime();
        load.await(
            () -> System.nanoTime() - beginNs > limitNs || areIdle(clients), "the master has not answered in time");
        clients.forEach(BenchOwner::stop);
        load.await(() -> areIdle(clients), "the master has not answered in time");

        return System.nanoTime() - beginNs;
    }

    private static boolean areIdle(final List<BenchOwner> clients)
    {
        for (int i = 0, size = clients.size(); i < size; i++)
        {
            if (!clients.get(i).isIdle())
            {
                return false;
            }
        }

        return true;
    }

    private void add(
        final Load load,
        final BenchOperation operation,
        final int batch,
        final int clients,
        final long keys,
        final double bytesPerKey,
        final Measured measured)
    {
        final Histogram times = load.samples().of(operation);
        rows.add(new BenchRow(
            operation.label(),
            batch,
            clients,
            keys,
            measured.keysPerSecond(),
            times.getValueAtPercentile(MEDIAN) / NS_OF_US,
            times.getValueAtPercentile(P99) / NS_OF_US,
            times.getValueAtPercentile(P999) / NS_OF_US,
            bytesPerKey,
            measured.keysPerSecond() / echoes.get(batch + "/" + clients),
            measured.coreNsPerKey(),
            measured.longestCycleNs() / NS_OF_US,
            measured.longCycles()));
    }

    private static String freeEndpoint()
    {
        try (DatagramSocket socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
        {
            return "127.0.0.1:" + socket.getLocalPort();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private record Measured(double keysPerSecond, double coreNsPerKey, long longestCycleNs, long longCycles)
    {
    }
}
