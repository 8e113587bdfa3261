package io.fluxon.sim.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;

/**
 * Master, owners and workers in one thread under virtual time.
 */
public final class VirtualCluster implements AutoCloseable
{
    private static final long FIRST_IDLE_STEP_NS = 100_000;
    private static final long LAST_IDLE_STEP_NS = 20_000_000;
    private static final long BUSY_STEP_NS = 2_000;
    private static final int COUNTERS = 512;
    private static final int ALIGNMENT = 64;

    private final List<VirtualOwner> owners = new ArrayList<>();
    private final List<VirtualWorker> workers = new ArrayList<>();
    private final List<VirtualOwner> allOwners = new ArrayList<>();
    private final ClusterOptions options;
    private final ManualClock clock = new ManualClock(1_000_000_000L);
    private final Random random;
    private final VirtualNetwork network;
    private final VirtualMemory memory = new VirtualMemory();
    private final VirtualMaster master;
    private long nextGeneration = 1_000;
    private int nextStreamId = 100_000;
    private int nextWorker;
    private long idleStepNs = FIRST_IDLE_STEP_NS;

    /**
     * Makes the cluster and runs it until all owners are registered and all workers are ready.
     *
     * @param options its shape.
     */
    public VirtualCluster(final ClusterOptions options)
    {
        this.options = options;
        random = new Random(options.seed);
        network = new VirtualNetwork(clock, random, options.maxMessageLength);
        master = new VirtualMaster(this, 1);
        for (int i = 0; i < options.owners; i++)
        {
            owners.add(startOwner(i + 1));
        }
        for (int i = 0; i < options.workers; i++)
        {
            workers.add(startWorker(owners.get(i % options.owners)));
        }
        settle();
    }

    static CountersManager countersManager()
    {
        return new CountersManager(
            new UnsafeBuffer(BufferUtil.allocateDirectAligned(COUNTERS * CountersManager.METADATA_LENGTH, ALIGNMENT)),
            new UnsafeBuffer(BufferUtil.allocateDirectAligned(COUNTERS * CountersManager.COUNTER_LENGTH, ALIGNMENT)));
    }

    /**
     * Starts a generation of an owner.
     *
     * @param ownerId of the owner.
     * @return the owner, not yet registered.
     */
    public VirtualOwner startOwner(final int ownerId)
    {
        final VirtualOwner owner = new VirtualOwner(this, ownerId, nextGeneration++);
        allOwners.add(owner);
        return owner;
    }

    /**
     * Ends an owner, unless it has ended, and starts a new generation in its place.
     *
     * @param index of the owner.
     * @return the new one, not yet registered.
     */
    public VirtualOwner restartOwner(final int index)
    {
        final VirtualOwner old = owners.get(index);
        if (!old.isDead())
        {
            old.kill();
        }
        final VirtualOwner owner = startOwner(old.ownerId());
        owners.set(index, owner);
        return owner;
    }

    /**
     * Starts a worker.
     *
     * @param owner to attach to.
     * @return the worker, not yet connected.
     */
    public VirtualWorker startWorker(final VirtualOwner owner)
    {
        return new VirtualWorker(this, owner, nextWorker++);
    }

    /**
     * Adds a worker that was started to those that run.
     *
     * @param worker to add.
     */
    public void add(final VirtualWorker worker)
    {
        workers.add(worker);
    }

    /**
     * Ends a worker, unless it has ended, and starts another in its place.
     *
     * @param index of the worker.
     * @param owner to attach to.
     * @return the new one, not yet connected.
     */
    public VirtualWorker restartWorker(final int index, final VirtualOwner owner)
    {
        if (!workers.get(index).isDead())
        {
            workers.get(index).kill();
        }
        final VirtualWorker worker = startWorker(owner);
        workers.set(index, worker);
        return worker;
    }

    int nextStreamId()
    {
        return nextStreamId++;
    }

    /** Gives everybody one second to meet. */
    public void settle()
    {
        runFor(1_000_000_000L);
    }

    /**
     * Runs for a span of virtual time.
     *
     * @param spanNs of time.
     */
    public void runFor(final long spanNs)
    {
        runUntil(() -> false, spanNs);
    }

    /**
     * Runs until a condition holds.
     *
     * @param condition checked after each step.
     * @param timeoutNs bound in virtual time.
     * @return whether the condition held.
     */
    public boolean runUntil(final BooleanSupplier condition, final long timeoutNs)
    {
        final long deadlineNs = clock.nanoTime() + timeoutNs;
        while (clock.nanoTime() < deadlineNs)
        {
            if (condition.getAsBoolean())
            {
                return true;
            }
            step(deadlineNs);
        }
        return condition.getAsBoolean();
    }

    /** One duty cycle of everybody. */
    public void step()
    {
        step(Long.MAX_VALUE);
    }

    private void step(final long deadlineNs)
    {
        int work = master.doWork();
        for (final VirtualOwner owner : owners)
        {
            work += owner.doWork();
        }
        for (final VirtualWorker worker : workers)
        {
            work += worker.doWork();
        }
        clock.advance(Math.max(1, Math.min(deadlineNs - clock.nanoTime(), pauseNs(work))));
    }

    private long pauseNs(final int work)
    {
        if (work > 0)
        {
            idleStepNs = FIRST_IDLE_STEP_NS;
            return 1 + random.nextInt((int)BUSY_STEP_NS);
        }
        idleStepNs = Math.min(LAST_IDLE_STEP_NS, 2 * idleStepNs);
        long earliestNs = network.earliestArrivalNs();
        for (final VirtualOwner owner : owners)
        {
            final long ownerNs = owner.earliestNs();
            earliestNs = ownerNs > clock.nanoTime() ? Math.min(earliestNs, ownerNs) : earliestNs;
        }
        return Math.max(1, Math.min(idleStepNs, earliestNs - clock.nanoTime()));
    }

    /**
     * Shape of the cluster.
     *
     * @return the options.
     */
    public ClusterOptions options()
    {
        return options;
    }

    /**
     * Clock of the run.
     *
     * @return the clock.
     */
    public ManualClock clock()
    {
        return clock;
    }

    /**
     * Random source of the run.
     *
     * @return the source.
     */
    public Random random()
    {
        return random;
    }

    /**
     * Network of the run.
     *
     * @return the network.
     */
    public VirtualNetwork network()
    {
        return network;
    }

    /**
     * Segments of the run.
     *
     * @return the memory.
     */
    public VirtualMemory memory()
    {
        return memory;
    }

    /**
     * The master.
     *
     * @return the master.
     */
    public VirtualMaster master()
    {
        return master;
    }

    /**
     * An owner.
     *
     * @param index from 0.
     * @return the owner, the newest generation.
     */
    public VirtualOwner owner(final int index)
    {
        return owners.get(index);
    }

    /**
     * All owners.
     *
     * @return the newest generation of each.
     */
    public List<VirtualOwner> owners()
    {
        return owners;
    }

    /**
     * All generations of all owners.
     *
     * @return dead ones too, in the order of their start.
     */
    public List<VirtualOwner> allOwners()
    {
        return allOwners;
    }

    /**
     * A worker.
     *
     * @param index from 0.
     * @return the worker.
     */
    public VirtualWorker worker(final int index)
    {
        return workers.get(index);
    }

    /**
     * All workers.
     *
     * @return the workers, dead ones too.
     */
    public List<VirtualWorker> workers()
    {
        return workers;
    }

    @Override
    public void close()
    {
        master.close();
        allOwners.forEach(VirtualOwner::close);
    }
}
