package io.fluxon.tools.bench.transfer;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.ClientContext;
import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.PutFuture;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.tools.cluster.Cleanup;
import io.fluxon.tools.cluster.Cluster;
import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.cluster.ClusterPlan;
import io.fluxon.tools.cluster.Host;
import io.fluxon.tools.cluster.ProcessCounters;
import io.fluxon.tools.cluster.WorkDirectory;
import io.fluxon.tools.page.PageContent;
import io.fluxon.tools.page.PageKeys;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The whole way of a get: a master and owners as processes of their own, the pages at the owners of one host, and a
 * worker of the owner of the other host that reads them. Every get is of pages that no other read before, so that none
 * of them is where it is asked for. Belongs to one thread.
 */
final class OwnerGets implements AutoCloseable
{
    /** Gets before the first round. */
    static final int WARM_UP_GETS = 3;

    private static final long TIMEOUT_SECONDS = 60;

    private final TransferBenchSettings settings;
    private final List<FluxonClient> sources = new ArrayList<>();
    private final FluxonClient reader;
    private final ProcessCounters counters;
    private final PageKeys pageKeys = new PageKeys(PageKeys.DEFAULT_PREFIX);
    private final KeyBatch keys;
    private final long[] hashes;
    private long nextBlock;

    private OwnerGets(final TransferBenchSettings settings, final Cluster cluster)
    {
        this.settings = settings;
        keys = new KeyBatch(settings.pages(), settings.pages() * pageKeys.length());
        hashes = new long[settings.pages()];
        for (int i = 0; i < settings.peers(); i++)
        {
            sources.add(connect(cluster, i));
        }
        reader = connect(cluster, settings.peers());
        counters = ProcessCounters.map(cluster.ownerCountersFiles().get(settings.peers()));
    }

    static OwnerGets start(
        final TransferBenchSettings settings,
        final TransferPath path,
        final WorkDirectory directory,
        final Cleanup cleanup)
    {
        final ClusterPlan plan = planOf(settings);
        plan.checkRoom(directory, "use fewer rounds (--rounds), pages (--pages) or peers (--peers)");
        final List<Host> hosts = new ArrayList<>(Collections.nCopies(1 + settings.peers(), path.source()));
        hosts.add(path.reader());
        final Cluster cluster = cleanup.add(Cluster.create(plan, directory.path().resolve("owners"), hosts));
        try
        {
            cluster.start();
            return cleanup.add(new OwnerGets(settings, cluster));
        }
        catch (final FluxonException ex)
        {
            throw new ClusterException(ex.getMessage());
        }
    }

    /** Room for the pages of all gets: none is evicted, and every page of memory is touched before the first get. */
    private static ClusterPlan planOf(final TransferBenchSettings settings)
    {
        final long pages = (long) (settings.rounds() + WARM_UP_GETS) * settings.pages();
        final ClusterPlan one = ClusterPlan.of(1, 0, settings.pageBytes(), pages, pages, 0);
        return ClusterPlan.ofMemory(
            settings.peers() + 1, 0, settings.pageBytes(), one.capacityBytes(), 0, one.quantumBytes(), true);
    }

    private static FluxonClient connect(final Cluster cluster, final int owner)
    {
        return FluxonClient.connect(
            new ClientContext().ownerDirectory(cluster.ownerDirectory(owner).toString()));
    }

    /** Puts pages where they are not asked for, asks for them, and notes how it went. */
    void get(final TransferRow row, final int round)
    {
        try
        {
            for (int i = 0; i < sources.size(); i++)
            {
                put(sources.get(i), i);
            }
            keys.clear();
            for (int i = 0; i < settings.pages(); i++)
            {
                add(i);
            }
            final long submissions = counters.get(OwnerCounter.SUBMISSIONS.typeId());
            final long bytes = counters.get(OwnerCounter.TRANSFER_BYTES.typeId());
            row.bytesPerSecond()[round] = settings.fetchBytes() * (double) SECONDS.toNanos(1) / get();
            row.submissions()[round] = counters.get(OwnerCounter.SUBMISSIONS.typeId()) - submissions;
            row.checksumBytes()[round] = counters.get(OwnerCounter.TRANSFER_BYTES.typeId()) - bytes;
            nextBlock += settings.pages();
        }
        catch (final FluxonException ex)
        {
            throw new ClusterException(ex.getMessage());
        }
    }

    private void put(final FluxonClient source, final int number)
    {
        keys.clear();
        for (int i = number; i < settings.pages(); i += settings.peers())
        {
            add(i);
        }
        final PutPlan plan = source.localFastPutStart(keys, settings.pageBytes(), null);
        for (int i = number; i < settings.pages(); i += settings.peers())
        {
            PageContent.fill(hashes[i], page(plan.valueAddress(i / settings.peers())), 0, settings.pageBytes());
        }
        final PutFuture put = source.localFastPutCommit(plan);
        if (!put.await(TIMEOUT_SECONDS, SECONDS))
        {
            throw new ClusterException("a put has no result within " + TIMEOUT_SECONDS + " s");
        }
        for (final int result : put.results())
        {
            if (ErrorCode.OK != result)
            {
                throw new ClusterException("a page was refused: " + ErrorCode.name(-result));
            }
        }
    }

    private long get()
    {
        final long beginNs = System.nanoTime();
        final GetHandle handle = reader.getStart(keys, false, null);
        if (settings.pages() != handle.transferableLen() || settings.pages() != handle.remoteHits())
        {
            throw new ClusterException("of " + settings.pages() + " pages " + handle.transferableLen() +
                " were found, " + handle.remoteHits() + " of them at other owners");
        }
        final GetHandle plan = reader.getTransfer(handle);
        final long durationNs = System.nanoTime() - beginNs;

        for (int i = 0; i < settings.pages(); i++)
        {
            final long wrongAt =
                PageContent.firstDifference(hashes[i], page(plan.valueAddress(i)), 0, settings.pageBytes());
            if (wrongAt >= 0)
            {
                throw new ClusterException("page " + i + " of a get is wrong from byte " + wrongAt + " on");
            }
        }
        reader.releaseViews(plan);
        return durationNs;
    }

    private void add(final int page)
    {
        final PageKeys key = pageKeys.block(nextBlock + page);
        keys.add(key.buffer(), 0, key.length());
        hashes[page] = key.contentHash();
    }

    private MemorySegment page(final long address)
    {
        return MemorySegment.ofAddress(address).reinterpret(settings.pageBytes());
    }

    @Override
    public void close()
    {
        counters.close();
        sources.forEach(OwnerGets::close);
        close(reader);
    }

    private static void close(final FluxonClient client)
    {
        try
        {
            client.close();
        }
        catch (final FluxonException ex)
        {
            System.err.println("a worker ended without its owner: " + ex.getMessage());
        }
    }
}
