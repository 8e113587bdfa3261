package io.fluxon.tools.bench.window;

import io.aeron.Aeron;
import io.fluxon.engine.config.OwnerConfig;
import io.fluxon.engine.host.OwnerProcess;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.aeron.IdleStrategies;
import io.fluxon.ipc.aeron.MediaDrivers;
import io.fluxon.ipc.client.OwnerDescriptor;
import io.fluxon.tools.cluster.ProcessCounters;
import org.agrona.CloseHelper;

import java.util.ArrayList;
import java.util.List;

/**
 * An owner as it runs in production, in this JVM, and its workers, driven by the thread that calls.
 */
final class WindowOwner implements AutoCloseable
{
    private static final int FIRST_STREAM_ID = 5_001;
    private static final long DRIVER_TIMEOUT_MS = 60_000;

    private final List<AutoCloseable> resources = new ArrayList<>();
    private final List<BenchWorker> workers = new ArrayList<>();
    private final int windowUs;
    private Aeron aeron;
    private ProcessCounters counters;

    WindowOwner(final OwnerConfig config, final int workerCount, final int maxKeys)
    {
        windowUs = config.timeouts().startWindowUs();
        try
        {
            start(config, workerCount, maxKeys);
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    /** Its window in microseconds, 0 = none. */
    int windowUs()
    {
        return windowUs;
    }

    List<BenchWorker> workers()
    {
        return workers;
    }

    long count(final OwnerCounter counter)
    {
        return counters.get(counter.typeId());
    }

    /** Is it registered, with so many others, and are its workers attached? */
    boolean isReady(final int peers)
    {
        return 1 == count(OwnerCounter.MASTER_AVAILABLE) && peers == count(OwnerCounter.PEERS) &&
            workers.stream().allMatch(BenchWorker::isReady);
    }

    /** Has it nothing left to do for its workers? */
    boolean isQuiet()
    {
        return 0 == count(OwnerCounter.FLIGHTS) && 0 == count(OwnerCounter.READ_PLANS) &&
            0 == count(OwnerCounter.HOLDINGS);
    }

    /** One duty cycle of the workers; work count. */
    int poll()
    {
        int work = aeron.conductorAgentInvoker().invoke();
        for (int i = 0, size = workers.size(); i < size; i++)
        {
            work += workers.get(i).poll();
        }
        return work;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(resources.reversed());
        resources.clear();
    }

    private void start(final OwnerConfig config, final int workerCount, final int maxKeys)
    {
        final OwnerProcess process = own(OwnerProcess.launch(config));
        counters = own(ProcessCounters.map(process.counters().path()));
        final OwnerDescriptor descriptor = OwnerDescriptor.read(process.directory());
        aeron = own(Aeron.connect(MediaDrivers.clientContext(
            descriptor.aeronDirectory(), IdleStrategies.BACKOFF, DRIVER_TIMEOUT_MS).useConductorAgentInvoker(true)));
        for (int i = 0; i < workerCount; i++)
        {
            workers.add(own(new BenchWorker(aeron, descriptor, FIRST_STREAM_ID + i, maxKeys)));
        }
    }

    private <T extends AutoCloseable> T own(final T resource)
    {
        resources.add(resource);
        return resource;
    }
}
