package io.fluxon.tools.bench;

import io.fluxon.engine.config.MasterConfig;
import io.fluxon.engine.host.MasterProcess;
import io.fluxon.engine.master.MasterCounter;
import io.fluxon.tools.cluster.WorkDirectory;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.SystemNanoClock;

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
import java.util.concurrent.atomic.AtomicReference;

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
    private final List<BenchResult.CycleCount> cycles = new ArrayList<>();
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
     * @return what was measured.
     * @throws BenchException when something went wrong.
     */
    public static BenchResult run(final BenchSettings settings, final PrintStream progress)
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

        return new BenchResult(bench.rows, bench.cycles);
    }

    private void measureEcho(final WorkDirectory directory)
    {
        progress.println("echo ...");
        final String endpoint = freeEndpoint();
        try (EchoMaster echo = new EchoMaster(directory.path(), endpoint, settings.idle(), settings.mtuBytes());
            Load load = new Load(directory.path(), endpoint, settings))
        {
            measureAll(new Subject(load, null, MAX_ROUND_KEYS, 0, 0), addClients(load));
        }
    }

    private void measureMaster(final WorkDirectory directory, final long keys)
    {
        // a master takes two replicas for each of its keys
        final long maxKeys = keys + Math.min(keys, MAX_ROUND_KEYS) * settings.maxClients();
        final MasterConfig config = MasterConfig.parse("benchmark", MASTER_YAML.formatted(
            directory.path(), maxKeys, settings.idle(), settings.idle(), settings.mtuBytes()), List.of());
        final AtomicReference<CycleMeter> cycleMeter = new AtomicReference<>();
        try (MasterProcess master = MasterProcess.launch(config, (agent) -> metered(agent, cycleMeter));
            Load load = new Load(directory.path(), master.endpoint(), settings))
        {
            final MasterMeter meter = new MasterMeter(master.counters().counters(), cycleMeter.get());
            final List<BenchOwner> clients = addClients(load);
            final long rssBefore = ResidentMemory.bytes();
            fill(load, keys);
            load.await(() -> keys == meter.get(MasterCounter.ROUTES), "the master has not taken all keys");
            final double bytesPerKey =
                (meter.get(MasterCounter.ROUTE_BYTES) + meter.get(MasterCounter.INDEX_BYTES)) / (double) keys;
            final double rssPerKey = (ResidentMemory.bytes() - rssBefore) / (double) keys;
            final LongCycles filled = meter.longCycles();
            final int firstRow = rows.size();
            measureAll(new Subject(load, meter, keys, bytesPerKey, rssPerKey), clients);
            final LongCycles measured = measuredSince(firstRow);
            count(keys, "fill", filled);
            count(keys, "measured", measured);
            count(keys, "other", meter.longCycles().minus(filled).minus(measured));
        }
    }

    private static Agent metered(final Agent agent, final AtomicReference<CycleMeter> meter)
    {
        meter.set(new CycleMeter(agent, SystemNanoClock.INSTANCE, MasterMeter::cpuNsOfThisThread));
        return meter.get();
    }

    private LongCycles measuredSince(final int firstRow)
    {
        LongCycles sum = LongCycles.NONE;
        // the two operations of a pair have the same cycles
        for (int i = firstRow, size = rows.size(); i < size; i += 2)
        {
            sum = sum.plus(new LongCycles(rows.get(i).longCycles(), rows.get(i).longCpuCycles()));
        }

        return sum;
    }

    private void count(final long keys, final String phase, final LongCycles counted)
    {
        cycles.add(new BenchResult.CycleCount(keys, phase, counted.byClock(), counted.byCpu()));
    }

    private void measureAll(final Subject subject, final List<BenchOwner> clients)
    {
        for (final int batch : settings.batches())
        {
            for (final int count : settings.clients())
            {
                progress.printf("%s, batch %d, clients %d ...%n", subject.name(), batch, count);
                final List<BenchOwner> some = clients.subList(0, count);
                final Measured put = measure(subject, some, BenchOwner.Work.PUT, batch);
                add(subject, BenchOperation.RESERVE, batch, count, put);
                add(subject, BenchOperation.PUBLISH, batch, count, put);
                final Measured get = measure(subject, some, BenchOwner.Work.GET, batch);
                add(subject, BenchOperation.GET_START, batch, count, get);
                add(subject, BenchOperation.GET_DONE, batch, count, get);
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
        final Subject subject, final List<BenchOwner> clients, final BenchOwner.Work work, final int batch)
    {
        final Samples samples = subject.load.samples();
        final long wantedNs = (long) (settings.seconds() * NS_OF_S);
        final long warmNs = (long) (wantedNs * WARM_UP);
        long spentNs = 0;
        long measuredNs = 0;
        long cpuNs = 0;
        LongCycles longCycles = LongCycles.NONE;
        samples.reset();
        while (measuredNs < wantedNs)
        {
            final boolean isWarm = spentNs >= warmNs;
            forget(subject, clients);
            samples.count(isWarm);
            final long cpuBeforeNs = subject.cpuNs();
            final LongCycles longBefore = subject.longCycles();
            final long roundNs = round(
                subject, clients, work, batch, isWarm ? wantedNs - measuredNs : warmNs - spentNs);
            spentNs += roundNs;
            if (isWarm)
            {
                measuredNs += roundNs;
                cpuNs += subject.cpuNs() - cpuBeforeNs;
                longCycles = longCycles.plus(subject.longCycles().minus(longBefore));
            }
        }
        samples.count(false);
        forget(subject, clients);
        if (samples.failures() > 0)
        {
            throw new BenchException(samples.failures() + " failures; the first: " + samples.firstFailure());
        }

        return new Measured(
            samples.keys() * NS_OF_S / measuredNs,
            cpuNs / (double) samples.keys(),
            longCycles);
    }

    private static void forget(final Subject subject, final List<BenchOwner> clients)
    {
        if (!subject.isEcho())
        {
            clients.forEach(subject.load::join);
            subject.load.await(
                () -> 0 == subject.count(MasterCounter.TENURES_DRAINING) &&
                    subject.keys == subject.count(MasterCounter.REPLICAS),
                "the master has not forgotten in time");
        }
    }

    private long round(
        final Subject subject,
        final List<BenchOwner> clients,
        final BenchOwner.Work work,
        final int batch,
        final long limitNs)
    {
        final int count = clients.size();
        final long keys = subject.keys;
        final boolean isPut = BenchOwner.Work.PUT == work;
        final long quota = Math.min(keys, MAX_ROUND_KEYS) / (isPut ? count : 1);
        for (int i = 0; i < count; i++)
        {
            final KeyCursor walk = isPut ?
                KeyCursor.inOrder(nextFresh, quota) : KeyCursor.scattered(keys, i * keys / count);
            nextFresh += isPut ? quota : 0;
            clients.get(i).begin(work, walk, quota, batch, settings.window(batch));
        }

        final long beginNs = System.nanoTime();
        subject.load.await(
            () -> System.nanoTime() - beginNs > limitNs || areIdle(clients), "the master has not answered in time");
        clients.forEach(BenchOwner::stop);
        subject.load.await(() -> areIdle(clients), "the master has not answered in time");

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
        final Subject subject,
        final BenchOperation operation,
        final int batch,
        final int clients,
        final Measured measured)
    {
        final String place = operation.label() + "/" + batch + "/" + clients;
        if (subject.isEcho())
        {
            echoes.put(place, measured.keysPerSecond());
        }

        final Histogram times = subject.load.samples().of(operation);
        rows.add(new BenchRow(
            (subject.isEcho() ? "echo_" : "") + operation.label(),
            batch,
            clients,
            subject.isEcho() ? 0 : subject.keys,
            measured.keysPerSecond(),
            times.getValueAtPercentile(MEDIAN) / NS_OF_US,
            times.getValueAtPercentile(P99) / NS_OF_US,
            times.getValueAtPercentile(P999) / NS_OF_US,
            subject.bytesPerKey,
            subject.rssPerKey,
            measured.keysPerSecond() / echoes.get(place),
            measured.coreNsPerKey(),
            measured.longCycles().byClock(),
            measured.longCycles().byCpu()));
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

    private record Measured(double keysPerSecond, double coreNsPerKey, LongCycles longCycles)
    {
    }

    /** What is measured: a master with a number of keys, or the echo, which has no meter. */
    private record Subject(Load load, MasterMeter meter, long keys, double bytesPerKey, double rssPerKey)
    {
        boolean isEcho()
        {
            return null == meter;
        }

        String name()
        {
            return isEcho() ? "echo" : "%,d keys".formatted(keys);
        }

        long count(final MasterCounter counter)
        {
            return isEcho() ? 0 : meter.get(counter);
        }

        LongCycles longCycles()
        {
            return isEcho() ? LongCycles.NONE : meter.longCycles();
        }

        long cpuNs()
        {
            return MasterMeter.cpuNs(isEcho() ? EchoMaster.ROLE_NAME : MASTER_THREAD);
        }
    }
}
