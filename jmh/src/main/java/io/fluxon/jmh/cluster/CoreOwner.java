package io.fluxon.jmh.cluster;

import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.engine.index.KeyIndex;
import io.fluxon.engine.index.Xx128KeyDigest;
import io.fluxon.engine.memory.CapacityPlan;
import io.fluxon.engine.memory.ClaimQueue;
import io.fluxon.engine.memory.SlotPool;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.owner.OwnerAgent;
import io.fluxon.engine.owner.OwnerContext;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.owner.OwnerCounters;
import io.fluxon.engine.owner.OwnerSettings;
import io.fluxon.ipc.channel.ControlChannel;
import org.agrona.collections.Int2ObjectHashMap;

/**
 * An owner core in memory. Its values are never read, so its segment costs nothing until a worker writes to it.
 */
public final class CoreOwner implements AutoCloseable
{
    private static final long HEADER_BYTES = 4096;
    private static final long ARENA_BYTES = 16L << 20;
    private static final long GRANT_BYTES = 64L << 20;

    private final Int2ObjectHashMap<ControlChannel> answers = new Int2ObjectHashMap<>();
    private final MemoryInbox workers = new MemoryInbox();
    private final OwnerCounters counters = new OwnerCounters(Counters.newManager());
    private final SparseMemory segment;
    private final SparseMemory records;
    private final KeyIndex localIndex;
    private final KeyIndex committedIndex;
    private final OwnerAgent agent;

    /**
     * An owner that is not registered yet.
     *
     * @param clock         of the run.
     * @param master        of the run.
     * @param ownerId       of the owner.
     * @param role          of the owner.
     * @param capacityBytes room for values, rounded up to a grant of 64 MiB.
     */
    public CoreOwner(
        final StepClock clock,
        final CoreMaster master,
        final int ownerId,
        final OwnerRole role,
        final long capacityBytes)
    {
        final CapacityPlan plan = new CapacityPlan()
            .capacityBytes(Math.ceilDiv(capacityBytes, GRANT_BYTES) * GRANT_BYTES)
            .grantQuantumBytes(GRANT_BYTES)
            .conclude();
        segment = new SparseMemory(HEADER_BYTES + ARENA_BYTES + plan.capacityBytes());
        records = new SparseMemory(SlotTable.requiredLength(plan.grantCount(), GRANT_BYTES));
        final SlotTable table = new SlotTable(records.segment(), plan.grantCount(), GRANT_BYTES);
        final SlotPool pool = new SlotPool(table, plan, HEADER_BYTES + ARENA_BYTES);
        localIndex = new KeyIndex("local", table.capacity(), table.localChain());
        committedIndex = new KeyIndex("committed", table.capacity(), table.committedChain());

        final MemoryLink fromMaster = new MemoryLink(1);
        agent = new OwnerAgent(new OwnerContext()
            .ownerId(ownerId)
            .generation(1)
            .role(role)
            .name("owner-" + ownerId)
            .hostName("host")
            .responseChannel(master.listen(fromMaster))
            .segmentPath("segment-" + ownerId)
            .segmentLength(segment.segment().byteSize())
            .mapOffset(HEADER_BYTES)
            .arenaOffset(HEADER_BYTES)
            .arenaLength(ARENA_BYTES)
            .nanoClock(clock)
            .errorHandler(CoreOwner::fail)
            .workerSource(workers)
            .sessionChannels(answers::get)
            .masterSource(fromMaster)
            .masterChannel(master.inbox().newLink())
            .transferQueue(new InstantTransfers())
            .checksumQueue(new InstantChecksums())
            .processWatch(new ImmortalProcesses())
            .slotPool(pool)
            .claimQueue(new ClaimQueue(pool))
            .localIndex(localIndex)
            .committedIndex(committedIndex)
            .keyDigest(new Xx128KeyDigest(ownerId))
            .counters(counters)
            .settings(new OwnerSettings())
            .conclude());
    }

    /**
     * What the owner hears from its workers.
     *
     * @return the inbox.
     */
    MemoryInbox workers()
    {
        return workers;
    }

    /**
     * Makes a worker known.
     *
     * @param streamId that it will name.
     * @param channel  to the worker.
     */
    void listen(final int streamId, final ControlChannel channel)
    {
        answers.put(streamId, channel);
    }

    long segmentAddress()
    {
        return segment.address();
    }

    /**
     * One duty cycle.
     *
     * @return work count.
     */
    public int doWork()
    {
        return agent.doWork();
    }

    /**
     * Value of a counter.
     *
     * @param counter which.
     * @return its value.
     */
    public long get(final OwnerCounter counter)
    {
        return counters.get(counter);
    }

    @Override
    public void close()
    {
        agent.onClose();
        localIndex.close();
        committedIndex.close();
        records.close();
        segment.close();
    }

    private static void fail(final Throwable error)
    {
        throw new IllegalStateException("the owner core reports an error", error);
    }
}
