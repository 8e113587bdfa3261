package io.fluxon.tools.bench;

import io.fluxon.ipc.aeron.IdleStrategies;

import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The simulated owners of one master and the Aeron they share, all on the thread that calls.
 */
final class Load implements AutoCloseable
{
    private static final long REGISTER_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(300);

    private final List<BenchOwner> owners = new ArrayList<>();
    private final Samples samples = new Samples();
    private final LoadHost host;
    private final IdleStrategy idleStrategy;
    private final String endpoint;

    Load(final Path directory, final String endpoint, final BenchSettings settings)
    {
        this.endpoint = endpoint;
        host = new LoadHost(directory, settings.mtuBytes());
        idleStrategy = IdleStrategies.byName(settings.idle());
    }

    /** A further owner, registered. */
    BenchOwner add(final int lanes)
    {
        final BenchOwner owner = new BenchOwner(host.aeron(), endpoint, owners.size() + 1, lanes, samples);
        owners.add(owner);
        join(owner);

        return owner;
    }

    /** Registers an owner under a new generation. */
    void join(final BenchOwner owner)
    {
        owner.join();
        await(owner::isRegistered, REGISTER_TIMEOUT_NS, "an owner was not registered in time");
    }

    Samples samples()
    {
        return samples;
    }

    /** Goes on until something is the case. */
    void await(final BooleanSupplier condition, final String failure)
    {
        await(condition, TIMEOUT_NS, failure);
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(owners);
        host.close();
    }

    private void await(final BooleanSupplier condition, final long timeoutNs, final String failure)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new BenchException(failure);
            }
            poll();
        }
    }

    /** One duty cycle of all owners. */
    private void poll()
    {
        int work = host.poll();
        final long nowNs = System.nanoTime();
        for (int i = 0, size = owners.size(); i < size; i++)
        {
            work += owners.get(i).poll(nowNs);
        }
        idleStrategy.idle(work);
    }
}
