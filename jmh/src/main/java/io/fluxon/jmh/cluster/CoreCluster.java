package io.fluxon.jmh.cluster;

import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.client.core.ClientOperation;
import io.fluxon.ipc.client.core.WorkerClient;
import io.fluxon.ipc.client.core.WorkerClientContext;

/**
 * A master, owners and clients, all cores of production, in the calling thread and without Aeron: what is measured here
 * is the cores alone. Each step is one duty cycle of everybody and moves the clock by {@value #STEP_NS} ns.
 */
public final class CoreCluster implements AutoCloseable
{
    private static final long STEP_NS = 1_000;
    private static final int FIRST_STREAM_ID = 2_000;
    private static final int MAX_STEPS = 1_000_000;

    private final StepClock clock = new StepClock();
    private final CoreMaster master;
    private final CoreOwner[] owners;
    private final WorkerClient[] workers;
    private final AllocationMeter meter = new AllocationMeter();
    private boolean isMetered;

    /**
     * A cluster whose owners are registered and know each other and whose workers are ready.
     *
     * @param ownerCount      number of owners.
     * @param workersPerOwner number of workers of each; worker i is attached to owner i mod ownerCount.
     * @param capacityBytes   of each owner.
     */
    public CoreCluster(final int ownerCount, final int workersPerOwner, final long capacityBytes)
    {
        this(ownerCount, 0, workersPerOwner, capacityBytes);
    }

    /**
     * A cluster whose owners are registered and know each other and whose workers are ready.
     *
     * @param ownerCount      number of owners.
     * @param remoteOwners    how many of them are of role remote_cache, the last ones.
     * @param workersPerOwner number of workers of each; worker i is attached to owner i mod ownerCount.
     * @param capacityBytes   of each owner.
     */
    public CoreCluster(
        final int ownerCount, final int remoteOwners, final int workersPerOwner, final long capacityBytes)
    {
        master = new CoreMaster(clock, (int)(ownerCount * capacityBytes / 4096));
        owners = new CoreOwner[ownerCount];
        for (int i = 0; i < ownerCount; i++)
        {
            owners[i] = new CoreOwner(
                clock, master, i + 1, i < ownerCount - remoteOwners ? OwnerRole.GPU : OwnerRole.REMOTE_CACHE,
                capacityBytes);
        }
        workers = new WorkerClient[ownerCount * workersPerOwner];
        for (int i = 0; i < workers.length; i++)
        {
            workers[i] = newWorker(owners[i % ownerCount], i);
        }
        settle();
    }

    /**
     * A client.
     *
     * @param index of the worker.
     * @return the client.
     */
    public WorkerClient worker(final int index)
    {
        return workers[index];
    }

    /**
     * An owner.
     *
     * @param index of the owner.
     * @return the owner.
     */
    public CoreOwner owner(final int index)
    {
        return owners[index];
    }

    /**
     * The master.
     *
     * @return the master.
     */
    public CoreMaster master()
    {
        return master;
    }

    /**
     * What was allocated in the steps made while it was on.
     *
     * @return the meter.
     */
    public AllocationMeter meter()
    {
        return meter;
    }

    /**
     * Turns the meter of allocations on or off.
     *
     * @param value true to measure each duty cycle of each core.
     */
    public void metered(final boolean value)
    {
        isMetered = value;
    }

    /** One duty cycle of everybody. */
    public void step()
    {
        if (isMetered)
        {
            stepMetered();
        }
        else
        {
            for (final WorkerClient worker : workers)
            {
                worker.poll();
            }
            for (final CoreOwner owner : owners)
            {
                owner.doWork();
            }
            master.doWork();
        }
        advance();
    }

    /** Moves the clock as a step does: for callers that run the cores one by one. */
    public void advance()
    {
        clock.advance(STEP_NS);
    }

    /**
     * Steps until an operation has its answer, which must be good.
     *
     * @param operation to wait for.
     */
    public void await(final ClientOperation operation)
    {
        awaitAnswer(operation);
        if (0 != operation.errorCode())
        {
            throw new IllegalStateException("error " + operation.errorCode() + ": " + operation.errorMessage());
        }
    }

    /**
     * Steps until an operation has its answer.
     *
     * @param operation to wait for.
     */
    public void awaitAnswer(final ClientOperation operation)
    {
        for (int i = 0; operation.isPending(); i++)
        {
            if (MAX_STEPS == i)
            {
                throw new IllegalStateException("no answer in " + MAX_STEPS + " steps");
            }
            step();
        }
    }

    @Override
    public void close()
    {
        for (final CoreOwner owner : owners)
        {
            owner.close();
        }
        master.close();
    }

    private WorkerClient newWorker(final CoreOwner owner, final int number)
    {
        final MemoryLink responses = new MemoryLink(1);
        owner.listen(FIRST_STREAM_ID + number, responses);
        return new WorkerClient(new WorkerClientContext()
            .nanoClock(clock)
            .requests(owner.workers().newLink())
            .responses(responses)
            .segmentMapper((path, generation, mapOffset, length) -> owner.segmentAddress() + mapOffset)
            .clientName("worker-" + number)
            .processId(number + 1)
            .processStartTime(1)
            .responseStreamId(FIRST_STREAM_ID + number));
    }

    private void settle()
    {
        for (int i = 0; !isSettled(); i++)
        {
            if (MAX_STEPS == i)
            {
                throw new IllegalStateException("owners and workers have not met in " + MAX_STEPS + " steps");
            }
            step();
        }
    }

    private boolean isSettled()
    {
        for (final WorkerClient worker : workers)
        {
            if (WorkerClient.State.READY != worker.state())
            {
                return false;
            }
        }
        for (final CoreOwner owner : owners)
        {
            if (0 == owner.get(OwnerCounter.MASTER_AVAILABLE) || owners.length - 1 != owner.get(OwnerCounter.PEERS))
            {
                return false;
            }
        }
        return true;
    }

    private void stepMetered()
    {
        long before = AllocationMeter.now();
        for (final WorkerClient worker : workers)
        {
            worker.poll();
        }
        before = meter.addClient(before);
        for (final CoreOwner owner : owners)
        {
            owner.doWork();
        }
        before = meter.addOwner(before);
        master.doWork();
        meter.addMaster(before);
    }
}
