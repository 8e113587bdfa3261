package io.fluxon.tools.bench.window;

import io.fluxon.engine.config.MasterConfig;
import io.fluxon.engine.config.OwnerConfig;
import io.fluxon.engine.host.HostException;
import io.fluxon.engine.host.MasterProcess;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.aeron.IdleStrategies;
import io.fluxon.ipc.segment.SegmentException;
import io.fluxon.tools.cluster.Cleanup;
import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.cluster.WorkDirectory;
import org.agrona.BitUtil;
import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A master and three owners with their media drivers in this JVM: one that values are put at, one that reads them with
 * the window of the default configuration, one that reads them without. In a burst the workers of a reading owner ask
 * for keys that are new to it at the same time, all on the thread that calls. Bursts go to the two in turn, so that
 * what disturbs this machine disturbs both alike.
 */
public final class WindowBench implements AutoCloseable
{
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final int GRANT_BYTES = 64 << 20;
    private static final int READERS = 2;
    private static final String MASTER_YAML = """
        instance_key: master
        cluster_name: bench
        share_mem_path: %s
        listen_endpoint: 127.0.0.1:0
        limits:
          max_keys: %d
        """;
    private static final String OWNER_YAML = """
        instance_key: owner-%1$d
        owner_id: %1$d
        fluxonkv_spec:
          cluster_name: bench
          share_mem_path: %2$s
        contribute_to_cluster_pool_size:
          dram: %3$d
        grant_quantum_bytes: %4$d
        preallocate: false
        master:
          endpoint: %5$s
        """;

    private final List<AutoCloseable> resources = new ArrayList<>();
    private final List<WindowOwner> owners = new ArrayList<>();
    private final IdleStrategy idleStrategy = IdleStrategies.byName(IdleStrategies.BACKOFF);
    private final WindowBenchSettings settings;
    private final PrintStream progress;
    private WindowOwner source;
    private WindowOwner with;
    private WindowOwner without;
    private long nextKey;

    private WindowBench(final WindowBenchSettings settings, final PrintStream progress)
    {
        this.settings = settings;
        this.progress = progress;
    }

    /**
     * Measures.
     *
     * @param settings what to measure.
     * @param progress for a line for each round.
     * @return what was measured.
     * @throws ClusterException when a value is not found, or something goes wrong; nothing is left behind.
     */
    public static WindowReport run(final WindowBenchSettings settings, final PrintStream progress)
    {
        try (Cleanup cleanup = new Cleanup(); WindowBench bench = new WindowBench(settings, progress))
        {
            bench.start(cleanup.add(WorkDirectory.create()).path());
            return bench.measure();
        }
        catch (final HostException | SegmentException ex)
        {
            throw new ClusterException(ex.getMessage());
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(resources.reversed());
    }

    private void start(final Path share)
    {
        final long values = settings.valuesOfReader();
        final MasterProcess master = own(MasterProcess.launch(MasterConfig.parse(
            "benchmark", MASTER_YAML.formatted(share, READERS * values), List.of())));
        final String endpoint = master.endpoint();
        source = own(owner(1, share, READERS * values, endpoint, 1, List.of()));
        with = own(owner(2, share, values, endpoint, settings.workers(), List.of()));
        without = own(owner(3, share, values, endpoint, settings.workers(), List.of("timeouts.start_window_us=0")));
        owners.addAll(List.of(source, with, without));
        await(() -> owners.stream().allMatch((owner) -> owner.isReady(READERS)), "the cluster is not ready");
    }

    private <T extends AutoCloseable> T own(final T resource)
    {
        resources.add(resource);
        return resource;
    }

    private WindowOwner owner(
        final int id,
        final Path share,
        final long values,
        final String masterEndpoint,
        final int workers,
        final List<String> overrides)
    {
        final long bytes = BitUtil.align(values * BenchWorker.VALUE_BYTES, GRANT_BYTES);
        return new WindowOwner(
            OwnerConfig.parse(
                "benchmark", OWNER_YAML.formatted(id, share, bytes, GRANT_BYTES, masterEndpoint), overrides),
            workers, settings.keys());
    }

    private WindowReport measure()
    {
        final List<WindowReport.Pair> pairs = new ArrayList<>();
        for (final KeyOrder order : settings.orders())
        {
            final WindowReport.Pair pair = new WindowReport.Pair(
                new WindowRow(order, with.windowUs(), settings.rounds()),
                new WindowRow(order, without.windowUs(), settings.rounds()));
            pairs.add(pair);
            bursts(pair, WindowBenchSettings.WARM_UP_BURSTS);
            pair.rows().forEach(WindowRow::reset);
            for (int round = 0; round < settings.rounds(); round++)
            {
                bursts(pair, settings.bursts());
                pair.with().endRound(round);
                pair.without().endRound(round);
                progress.println(WindowReport.round(round, pair));
            }
        }
        return new WindowReport(settings, pairs);
    }

    private void bursts(final WindowReport.Pair pair, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final boolean isWithFirst = 0 == (i & 1);
            burst(isWithFirst ? with : without, isWithFirst ? pair.with() : pair.without());
            burst(isWithFirst ? without : with, isWithFirst ? pair.without() : pair.with());
        }
    }

    private void burst(final WindowOwner reader, final WindowRow row)
    {
        final long firstKey = nextKey;
        nextKey += settings.keys();
        put(firstKey);
        final long before = reader.count(OwnerCounter.BATCH_GET_STARTS);
        start(reader, row, firstKey);
        transfer(reader, row.order(), firstKey);
        row.asked(settings.keys(), reader.count(OwnerCounter.BATCH_GET_STARTS) - before);
    }

    private void put(final long firstKey)
    {
        final BenchWorker writer = source.workers().getFirst();
        KeyOrder.SAME.fill(writer.keys(), firstKey, settings.keys(), 0, 1);
        writer.startPut();
        await(writer::isPutStarted, "a put is not started");
        writer.commitPut(firstKey);
        await(writer::isPutDone, "a put is not published");
    }

    private void start(final WindowOwner reader, final WindowRow row, final long firstKey)
    {
        final List<BenchWorker> open = new ArrayList<>(reader.workers());
        for (int i = 0, size = open.size(); i < size; i++)
        {
            row.order().fill(open.get(i).keys(), firstKey, settings.keys(), i, size);
        }
        open.forEach(BenchWorker::startRead);

        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!open.isEmpty())
        {
            final int work = reader.poll();
            final long nowNs = System.nanoTime();
            for (int i = open.size() - 1; i >= 0; i--)
            {
                if (open.get(i).isReadStarted())
                {
                    row.answered(nowNs - open.remove(i).startedNs());
                }
            }
            check(nowNs, deadlineNs, "a read is not answered");
            idleStrategy.idle(work);
        }
    }

    private void transfer(final WindowOwner reader, final KeyOrder order, final long firstKey)
    {
        final List<BenchWorker> workers = reader.workers();
        workers.forEach(BenchWorker::startTransfer);
        await(() -> workers.stream().allMatch(BenchWorker::isReadable), "values have not come");
        for (int i = 0, size = workers.size(); i < size; i++)
        {
            final BenchWorker worker = workers.get(i);
            for (int k = 0, count = order.keysOfEach(settings.keys(), size); k < count; k++)
            {
                if (order.number(firstKey, settings.keys(), i, size, k) != worker.number(k))
                {
                    throw new ClusterException("a value is another one's");
                }
            }
            worker.release();
        }
        await(reader::isQuiet, "an owner does not come to rest");
    }

    private void await(final BooleanSupplier condition, final String failure)
    {
        final long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        while (!condition.getAsBoolean())
        {
            int work = 0;
            for (final WindowOwner owner : owners)
            {
                work += owner.poll();
            }
            check(System.nanoTime(), deadlineNs, failure);
            idleStrategy.idle(work);
        }
    }

    private static void check(final long nowNs, final long deadlineNs, final String failure)
    {
        if (nowNs - deadlineNs > 0)
        {
            throw new ClusterException(failure + " within " + TimeUnit.NANOSECONDS.toSeconds(TIMEOUT_NS) + " s");
        }
    }
}
