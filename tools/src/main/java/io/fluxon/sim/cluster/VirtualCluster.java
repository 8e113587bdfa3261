package io.fluxon.sim.cluster;

import io.fluxon.engine.memory.SlotTable;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;

/**
 * Master, owners and workers in one thread under virtual time.
 */
public final class VirtualCluster implements AutoCloseable
{
    private static final int COUNTERS = 512;
    private static final int ALIGNMENT = 64;

    private final List<VirtualOwner> owners = new ArrayList<>();
    private final List<VirtualWorker> workers = new ArrayList<>();
    private final List<VirtualOwner> allOwners = new ArrayList<>();
    private final ClusterOptions options;
    private final Arena arena = Arena.ofConfined();
    private final ManualClock clock = new ManualClock(1_000_000_000L);
    private final Choices choices;
    private final Choices.Stream schedule;
    private final FaultTally faults = new FaultTally();
    private final RunDigest digest = new RunDigest();
    private final DelayedWork hardware = new DelayedWork(clock);
    private final List<VirtualProcess> due = new ArrayList<>();
    private final VirtualNetwork network;
    private final VirtualMemory memory = new VirtualMemory();
    private final VirtualMaster master;
    private long nextGeneration = 1_000;
    private int nextStreamId = 100_000;
    private int nextWorker;
    private Consumer<String> listener;
    private Consumer<VirtualProcess> stepObserver = (process) -> {};
    private long steps;

    /**
     * Makes the cluster and runs it until all owners are registered and all workers are ready.
     *
     * @param options its shape.
     */
    public VirtualCluster(final ClusterOptions options)
    {
        this(options, (cluster) -> {});
    }

    /**
     * Makes the cluster; runs it until all owners are registered and all workers are ready, if the options say so.
     *
     * @param options its shape.
     * @param watcher gets it before any process has started.
     */
    public VirtualCluster(final ClusterOptions options, final Consumer<VirtualCluster> watcher)
    {
        this.options = options;
        choices = null == options.choices ? Choices.ofSeed(options.seed) : options.choices;
        schedule = choices.stream("schedule");
        network = new VirtualNetwork(this, options.maxMessageLength);
        try
        {
            watcher.accept(this);
            master = new VirtualMaster(this, 1);
            start();
        }
        catch (final RuntimeException | Error ex)
        {
            arena.close();
            throw ex;
        }
    }

    private void start()
    {
        for (int i = 0; i < options.owners; i++)
        {
            owners.add(startOwner(i + 1));
        }
        for (int i = 0; i < options.workers; i++)
        {
            workers.add(startWorker(owners.get(i % options.owners)));
        }
        if (options.settles)
        {
            settle();
        }
    }

    CountersManager countersManager()
    {
        return new CountersManager(
            memory(COUNTERS * CountersManager.METADATA_LENGTH), memory(COUNTERS * CountersManager.COUNTER_LENGTH));
    }

    /** Zeroed memory outside the heap that lives as long as the cluster. */
    UnsafeBuffer memory(final long length)
    {
        return new UnsafeBuffer(arena.allocate(length, ALIGNMENT).address(), (int)length);
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
        return new VirtualWorker(this, owner, nextWorker++, null);
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

    /**
     * Lets the process of a worker that has closed its client connect anew, by another client.
     *
     * @param index of the worker.
     * @param owner to attach to.
     * @return the new one, not yet connected.
     */
    public VirtualWorker succeedWorker(final int index, final VirtualOwner owner)
    {
        final VirtualWorker worker = new VirtualWorker(this, owner, nextWorker++, workers.get(index));
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

    /**
     * One duty cycle of the process that is due next. Of several that are due at one time the seed chooses.
     *
     * @return the process that worked, null when only hardware did.
     */
    public VirtualProcess step()
    {
        return step(Long.MAX_VALUE);
    }

    /**
     * One duty cycle of the process that is due next, unless that is too late. Hardware goes on by itself before.
     *
     * @param deadlineNs latest time of the duty cycle; the clock stands there when nobody was due before.
     * @return the process that worked, null when only hardware did or nobody was due.
     */
    public VirtualProcess step(final long deadlineNs)
    {
        final VirtualProcess process = next();
        final long nextNs = null == process ? Long.MAX_VALUE : process.nextNs();
        if (hardware.earliestNs() <= Math.min(nextNs, deadlineNs))
        {
            clock.advance(Math.max(0, hardware.earliestNs() - clock.nanoTime()));
            hardware.run(1);
            return null;
        }
        if (nextNs > deadlineNs || Long.MAX_VALUE == nextNs)
        {
            clock.advance(Long.MAX_VALUE == deadlineNs ? 0 : Math.max(0, deadlineNs - clock.nanoTime()));
            return null;
        }
        clock.advance(Math.max(0, nextNs - clock.nanoTime()));
        steps++;
        process.run(clock.nanoTime());
        stepObserver.accept(process);
        return process;
    }

    private VirtualProcess next()
    {
        long earliestNs = earliest(master, Long.MAX_VALUE);
        for (int i = 0; i < owners.size(); i++)
        {
            earliestNs = earliest(owners.get(i), earliestNs);
        }
        for (int i = 0; i < workers.size(); i++)
        {
            earliestNs = earliest(workers.get(i), earliestNs);
        }
        return due.isEmpty() ? null : due.get(1 == due.size() ? 0 : schedule.below(due.size()));
    }

    private long earliest(final VirtualProcess process, final long earliestNs)
    {
        final long nextNs = process.nextNs();
        if (process == master || nextNs < earliestNs)
        {
            due.clear();
        }
        if (nextNs <= earliestNs)
        {
            due.add(process);
        }
        return Math.min(nextNs, earliestNs);
    }

    /**
     * Has somebody told of every duty cycle from now on, beside those who were before.
     *
     * @param observer is given the process that has worked.
     */
    public void observe(final Consumer<VirtualProcess> observer)
    {
        stepObserver = stepObserver.andThen(observer);
    }

    /**
     * Duty cycles of all processes so far.
     *
     * @return their number.
     */
    public long steps()
    {
        return steps;
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
     * Has somebody hear what is worth a line in the story of the run.
     *
     * @param newListener takes one line at a time.
     */
    public void listen(final Consumer<String> newListener)
    {
        listener = newListener;
    }

    /**
     * Says what is worth a line in the story of the run.
     *
     * @param line made only when somebody listens.
     */
    public void note(final Supplier<String> line)
    {
        if (null != listener)
        {
            listener.accept(line.get());
        }
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
     * Choices of the run.
     *
     * @return the choices.
     */
    public Choices choices()
    {
        return choices;
    }

    /**
     * Digest of all that happened, and of what the slots of all owners are at the end.
     *
     * @return the number.
     */
    public long finalDigest()
    {
        for (final VirtualOwner owner : allOwners)
        {
            final SlotTable table = owner.table();
            for (int slotId = 0; slotId < table.capacity(); slotId++)
            {
                digest.add(table.state(slotId).ordinal());
                digest.add(table.useCounter(slotId));
                digest.add(table.checksum(slotId));
            }
        }
        return digest.value();
    }

    /** What goes on whatever processes do: transfers between segments, copies of GPUs. */
    DelayedWork hardware()
    {
        return hardware;
    }

    /**
     * What was done to the cluster.
     *
     * @return the tally.
     */
    public FaultTally faults()
    {
        return faults;
    }

    /**
     * Digest of all that happened.
     *
     * @return the digest.
     */
    public RunDigest digest()
    {
        return digest;
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
        arena.close();
    }
}
