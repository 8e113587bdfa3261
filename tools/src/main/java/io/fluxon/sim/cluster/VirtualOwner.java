package io.fluxon.sim.cluster;

import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.engine.index.KeyIndex;
import io.fluxon.engine.memory.CapacityPlan;
import io.fluxon.engine.memory.ClaimQueue;
import io.fluxon.engine.memory.SlotPool;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.owner.OwnerAgent;
import io.fluxon.engine.owner.OwnerContext;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.engine.owner.OwnerCounters;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One owner of a run: a generation of it.
 */
public final class VirtualOwner extends VirtualProcess
{
    private static final int HEADER_BYTES = 4096;

    /** Weather on the way from workers to this owner. */
    public final LinkFaults workerRequestFaults = new LinkFaults();
    /** Weather on the way from this owner to its workers. */
    public final LinkFaults workerAnswerFaults = new LinkFaults();
    /** Weather on the way from this owner to the master. */
    public final LinkFaults masterRequestFaults = new LinkFaults();
    /** Weather on the way from the master to this owner. */
    public final LinkFaults masterAnswerFaults = new LinkFaults();
    /** What passes from this owner to the master. */
    public final MessageTap toMaster = new MessageTap();
    /** What passes from the master to this owner. */
    public final MessageTap fromMaster = new MessageTap();
    /** What its transfer worker does. */
    public final WorkerFaults transferFaults = new WorkerFaults();
    /** What its checksum worker does. */
    public final WorkerFaults checksumFaults = new WorkerFaults();

    private final List<Throwable> errors = new ArrayList<>();
    private final Map<Integer, VirtualWorker> responses = new HashMap<>();
    private final VirtualCluster cluster;
    private final int ownerId;
    private final long generation;
    private final UnsafeBuffer segment;
    private final VirtualNetwork.Inbox workerInbox;
    private final VirtualNetwork.Inbox masterInbox;
    private final VirtualTransfers transfers;
    private final VirtualChecksums checksums;
    private final VirtualProcesses processes;
    private final KeyIndex localIndex;
    private final KeyIndex committedIndex;
    private final SlotTable table;
    private final SlotPool pool;
    private final OwnerCounters counters;
    private final OwnerAgent agent;

    VirtualOwner(final VirtualCluster cluster, final int ownerId, final long generation)
    {
        super(cluster, "owner-" + ownerId + "." + generation);
        this.cluster = cluster;
        this.ownerId = ownerId;
        this.generation = generation;
        final ClusterOptions options = cluster.options();
        final int grantsOffset = HEADER_BYTES + options.planArenaBytes;
        segment = cluster.memory(grantsOffset + (long)options.grantQuantumBytes * options.grantsPerOwner);
        cluster.memory().add(ownerId, generation, segment);
        workerInbox = cluster.network().inbox(this);
        masterInbox = cluster.network().inbox(this);
        transfers = new VirtualTransfers(cluster, this, transferFaults);
        processes = new VirtualProcesses(cluster, this);
        checksums = new VirtualChecksums(cluster, this, checksumFaults);
        final CapacityPlan plan = new CapacityPlan()
            .capacityBytes((long)options.grantQuantumBytes * options.grantsPerOwner)
            .grantQuantumBytes(options.grantQuantumBytes)
            .softTimeoutNs(options.reserveSoftTimeoutNs)
            .hardTimeoutNs(options.reserveHardTimeoutNs)
            .maxWaitingClaims(options.maxWaitingClaims);
        final long expectedSlots = 0 == options.expectedGrants ? 0 :
            options.grantQuantumBytes / CapacityPlan.slotSize(options.expectedValueLength) * options.expectedGrants;
        if (expectedSlots > 0)
        {
            plan.expect(options.expectedValueLength,
                expectedSlots * CapacityPlan.slotSize(options.expectedValueLength));
        }
        plan.conclude();
        table = slotTable(options);
        pool = new SlotPool(table, plan, grantsOffset);
        localIndex = new KeyIndex("local-" + ownerId, table.capacity(), table.localChain());
        committedIndex = new KeyIndex("committed-" + ownerId, table.capacity(), table.committedChain());
        counters = new OwnerCounters(cluster.countersManager());
        cluster.master().listen(responseChannel(), this);
        agent = new OwnerAgent(context(grantsOffset));
        agent.onStart();
    }

    private SlotTable slotTable(final ClusterOptions options)
    {
        final long length = SlotTable.requiredLength(options.grantsPerOwner, options.grantQuantumBytes);
        final UnsafeBuffer memory = cluster.memory(length);
        return new SlotTable(
            MemorySegment.ofAddress(memory.addressOffset()).reinterpret(length),
            options.grantsPerOwner,
            options.grantQuantumBytes);
    }

    private OwnerContext context(final int grantsOffset)
    {
        return new OwnerContext()
            .ownerId(ownerId)
            .generation(generation)
            .role(isRemoteCache() ? OwnerRole.REMOTE_CACHE : OwnerRole.GPU)
            .nodeId("node-" + ownerId)
            .name("owner-" + ownerId)
            .hostName("host")
            .responseChannel(responseChannel())
            .segmentPath("segment-" + ownerId + "-" + generation)
            .segmentLength(segment.capacity())
            .mapOffset(HEADER_BYTES)
            .arenaOffset(HEADER_BYTES)
            .arenaLength(cluster.options().planArenaBytes)
            .nanoClock(cluster.clock())
            .errorHandler(errors::add)
            .workerSource(workerInbox)
            .sessionChannels((streamId) -> responses.containsKey(streamId) ?
                responses.get(streamId).openFromOwner() : null)
            .masterSource(masterInbox)
            .masterChannel(cluster.network().connect(this, cluster.master().inbox(), masterRequestFaults, toMaster))
            .transferQueue(transfers)
            .checksumQueue(checksums)
            .processWatch(processes)
            .slotPool(pool)
            .claimQueue(new ClaimQueue(pool))
            .localIndex(localIndex)
            .committedIndex(committedIndex)
            .keyDigest(cluster.options().digest.get())
            .counters(counters)
            .settings(cluster.options().ownerSettings.get())
            .conclude();
    }

    private String responseChannel()
    {
        return "owner-" + ownerId + "-" + generation;
    }

    /**
     * Could it have read more of what its workers have sent?
     *
     * @return true when a message of a worker has arrived that it has not read.
     */
    public boolean hasUnread()
    {
        return workerInbox.hasUnread();
    }

    VirtualNetwork.Inbox workerInbox()
    {
        return workerInbox;
    }

    void listen(final int streamId, final VirtualWorker worker)
    {
        responses.put(streamId, worker);
    }

    VirtualNetwork.Link openFromMaster()
    {
        return cluster.network().connect(cluster.master(), masterInbox, masterAnswerFaults, fromMaster);
    }

    @Override
    int doWork()
    {
        return agent.doWork();
    }

    @Override
    long earliestNs()
    {
        return Math.min(
            Math.min(workerInbox.earliestNs(), masterInbox.earliestNs()),
            Math.min(transfers.earliestNs(), Math.min(checksums.earliestNs(), processes.earliestNs())));
    }

    void close()
    {
        if (!isDead())
        {
            agent.onClose();
        }
        localIndex.close();
        committedIndex.close();
    }

    /** Ends the owner's process at once; its segment stays mapped where it is mapped. */
    public void kill()
    {
        dead(true);
        workerInbox.close();
        masterInbox.close();
        cluster.memory().remove(ownerId, generation);
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

    /**
     * Number in the cluster.
     *
     * @return the owner id.
     */
    public int ownerId()
    {
        return ownerId;
    }

    /**
     * Is it memory for the others (contract REPL-1)?
     *
     * @return true for role remote_cache.
     */
    public boolean isRemoteCache()
    {
        return ownerId > cluster.options().owners - cluster.options().remoteOwners;
    }

    /**
     * Start stamp.
     *
     * @return the generation.
     */
    public long generation()
    {
        return generation;
    }

    /**
     * Its whole segment.
     *
     * @return the segment; offsets in messages are offsets in it.
     */
    public UnsafeBuffer segment()
    {
        return segment;
    }

    /**
     * Its slots.
     *
     * @return the table.
     */
    public SlotTable table()
    {
        return table;
    }

    /**
     * Its slots by state.
     *
     * @return the pool.
     */
    public SlotPool pool()
    {
        return pool;
    }

    /**
     * Slots that have a key and are not free.
     *
     * @param key to look for.
     * @return their ids, ascending.
     */
    public List<Integer> slotsOf(final String key)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(key.getBytes(StandardCharsets.UTF_8));
        final List<Integer> found = new ArrayList<>();
        for (int slotId = 0; slotId < table.capacity(); slotId++)
        {
            if (SlotState.FREE != table.state(slotId) && table.keyEquals(slotId, bytes, 0, bytes.capacity()))
            {
                found.add(slotId);
            }
        }
        return found;
    }

    /**
     * Its transfers.
     *
     * @return the queue.
     */
    public VirtualTransfers transfers()
    {
        return transfers;
    }

    /**
     * The life of its workers' processes.
     *
     * @return the watch.
     */
    public VirtualProcesses processes()
    {
        return processes;
    }

    /**
     * What the core reported to its error handler.
     *
     * @return the errors, in order.
     */
    public List<Throwable> errors()
    {
        return errors;
    }

    /**
     * The core.
     *
     * @return the agent.
     */
    public OwnerAgent agent()
    {
        return agent;
    }
}
