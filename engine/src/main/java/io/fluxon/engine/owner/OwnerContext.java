package io.fluxon.engine.owner;

import io.fluxon.codecs.control.OwnerRole;
import io.fluxon.engine.boundary.ChecksumQueue;
import io.fluxon.engine.boundary.ProcessWatch;
import io.fluxon.engine.boundary.SessionChannels;
import io.fluxon.engine.boundary.TransferQueue;
import io.fluxon.engine.index.KeyDigest;
import io.fluxon.engine.index.KeyIndex;
import io.fluxon.engine.memory.ClaimQueue;
import io.fluxon.engine.memory.SlotPool;
import io.fluxon.engine.window.NativeWindowMemory;
import io.fluxon.engine.window.WindowMemory;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageSource;
import io.fluxon.ipc.counters.ControlToggle;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;

import java.util.Objects;

/**
 * Everything that an {@link OwnerAgent} works with: its identity, the boundary, its memory and its settings. Set, then
 * {@link #conclude()} once. What the context is given stays the giver's to close, except the channels that the agent
 * opens or sends by.
 */
public final class OwnerContext
{
    private int ownerId;
    private long generation;
    private OwnerRole role = OwnerRole.GPU;
    private String nodeId = "";
    private String name = "";
    private String hostName = "";
    private String responseChannel = "";
    private String segmentPath = "";
    private String transferAddress = "";
    private long segmentLength;
    private long mapOffset;
    private long arenaOffset;
    private long arenaLength;

    private NanoClock nanoClock;
    private ErrorHandler errorHandler;
    private MessageSource workerSource;
    private SessionChannels sessionChannels;
    private MessageSource masterSource;
    private ControlChannel masterChannel;
    private TransferQueue transferQueue;
    private ChecksumQueue checksumQueue;
    private ProcessWatch processWatch;
    private SlotPool slotPool;
    private ClaimQueue claimQueue;
    private KeyIndex localIndex;
    private KeyIndex committedIndex;
    private KeyDigest keyDigest;
    private WindowMemory windowMemory = new NativeWindowMemory();
    private OwnerCounters counters;
    private ControlToggle controlToggle;
    private OwnerSettings settings = new OwnerSettings();

    /**
     * Validates once that everything is given.
     *
     * @return this.
     */
    public OwnerContext conclude()
    {
        Objects.requireNonNull(nanoClock, "nanoClock");
        Objects.requireNonNull(errorHandler, "errorHandler");
        Objects.requireNonNull(workerSource, "workerSource");
        Objects.requireNonNull(sessionChannels, "sessionChannels");
        Objects.requireNonNull(masterSource, "masterSource");
        Objects.requireNonNull(masterChannel, "masterChannel");
        Objects.requireNonNull(transferQueue, "transferQueue");
        Objects.requireNonNull(checksumQueue, "checksumQueue");
        Objects.requireNonNull(processWatch, "processWatch");
        Objects.requireNonNull(slotPool, "slotPool");
        Objects.requireNonNull(claimQueue, "claimQueue");
        Objects.requireNonNull(localIndex, "localIndex");
        Objects.requireNonNull(committedIndex, "committedIndex");
        Objects.requireNonNull(keyDigest, "keyDigest");
        Objects.requireNonNull(windowMemory, "windowMemory");
        Objects.requireNonNull(counters, "counters");
        if (generation <= 0)
        {
            throw new IllegalArgumentException("generation must be positive: " + generation);
        }
        settings.conclude();

        return this;
    }

    /**
     * Sets: id of this owner, unique in the cluster.
     *
     * @param ownerId as said.
     * @return this.
     */
    public OwnerContext ownerId(final int ownerId)
    {
        this.ownerId = ownerId;
        return this;
    }

    /**
     * Gets: id of this owner, unique in the cluster.
     *
     * @return as said.
     */
    public int ownerId()
    {
        return ownerId;
    }

    /**
     * Sets: start stamp of this owner, greater than at any start before.
     *
     * @param generation as said.
     * @return this.
     */
    public OwnerContext generation(final long generation)
    {
        this.generation = generation;
        return this;
    }

    /**
     * Gets: start stamp of this owner, greater than at any start before.
     *
     * @return as said.
     */
    public long generation()
    {
        return generation;
    }

    /**
     * Sets: role that the master is told.
     *
     * @param role as said.
     * @return this.
     */
    public OwnerContext role(final OwnerRole role)
    {
        this.role = role;
        return this;
    }

    /**
     * Gets: role that the master is told.
     *
     * @return as said.
     */
    public OwnerRole role()
    {
        return role;
    }

    /**
     * Sets: NUMA node, as workers are told.
     *
     * @param nodeId as said.
     * @return this.
     */
    public OwnerContext nodeId(final String nodeId)
    {
        this.nodeId = nodeId;
        return this;
    }

    /**
     * Gets: NUMA node, as workers are told.
     *
     * @return as said.
     */
    public String nodeId()
    {
        return nodeId;
    }

    /**
     * Sets: instance name, as the master is told.
     *
     * @param name as said.
     * @return this.
     */
    public OwnerContext name(final String name)
    {
        this.name = name;
        return this;
    }

    /**
     * Gets: instance name, as the master is told.
     *
     * @return as said.
     */
    public String name()
    {
        return name;
    }

    /**
     * Sets: host, as the master is told: owners of one host can map each other's segments.
     *
     * @param hostName as said.
     * @return this.
     */
    public OwnerContext hostName(final String hostName)
    {
        this.hostName = hostName;
        return this;
    }

    /**
     * Gets: host, as the master is told: owners of one host can map each other's segments.
     *
     * @return as said.
     */
    public String hostName()
    {
        return hostName;
    }

    /**
     * Sets: channel on which this owner hears the master.
     *
     * @param responseChannel as said.
     * @return this.
     */
    public OwnerContext responseChannel(final String responseChannel)
    {
        this.responseChannel = responseChannel;
        return this;
    }

    /**
     * Gets: channel on which this owner hears the master.
     *
     * @return as said.
     */
    public String responseChannel()
    {
        return responseChannel;
    }

    /**
     * Sets: path of the segment file.
     *
     * @param segmentPath as said.
     * @return this.
     */
    public OwnerContext segmentPath(final String segmentPath)
    {
        this.segmentPath = segmentPath;
        return this;
    }

    /**
     * Gets: path of the segment file.
     *
     * @return as said.
     */
    public String segmentPath()
    {
        return segmentPath;
    }

    /**
     * Sets: where owners of other hosts read the segment, empty = nowhere.
     *
     * @param transferAddress as said.
     * @return this.
     */
    public OwnerContext transferAddress(final String transferAddress)
    {
        this.transferAddress = transferAddress;
        return this;
    }

    /**
     * Gets: where owners of other hosts read the segment, empty = nowhere.
     *
     * @return as said.
     */
    public String transferAddress()
    {
        return transferAddress;
    }

    /**
     * Sets: length of the segment file in bytes.
     *
     * @param segmentLength as said.
     * @return this.
     */
    public OwnerContext segmentLength(final long segmentLength)
    {
        this.segmentLength = segmentLength;
        return this;
    }

    /**
     * Gets: length of the segment file in bytes.
     *
     * @return as said.
     */
    public long segmentLength()
    {
        return segmentLength;
    }

    /**
     * Sets: first byte of the segment file that workers map.
     *
     * @param mapOffset as said.
     * @return this.
     */
    public OwnerContext mapOffset(final long mapOffset)
    {
        this.mapOffset = mapOffset;
        return this;
    }

    /**
     * Gets: first byte of the segment file that workers map.
     *
     * @return as said.
     */
    public long mapOffset()
    {
        return mapOffset;
    }

    /**
     * Sets: first byte of the plan arena in the segment file.
     *
     * @param arenaOffset as said.
     * @return this.
     */
    public OwnerContext arenaOffset(final long arenaOffset)
    {
        this.arenaOffset = arenaOffset;
        return this;
    }

    /**
     * Gets: first byte of the plan arena in the segment file.
     *
     * @return as said.
     */
    public long arenaOffset()
    {
        return arenaOffset;
    }

    /**
     * Sets: length of the plan arena in bytes; split into equal ranges, one a session.
     *
     * @param arenaLength as said.
     * @return this.
     */
    public OwnerContext arenaLength(final long arenaLength)
    {
        this.arenaLength = arenaLength;
        return this;
    }

    /**
     * Gets: length of the plan arena in bytes; split into equal ranges, one a session.
     *
     * @return as said.
     */
    public long arenaLength()
    {
        return arenaLength;
    }

    /**
     * Sets: the only clock; read once a duty cycle.
     *
     * @param nanoClock as said.
     * @return this.
     */
    public OwnerContext nanoClock(final NanoClock nanoClock)
    {
        this.nanoClock = nanoClock;
        return this;
    }

    /**
     * Gets: the only clock; read once a duty cycle.
     *
     * @return as said.
     */
    public NanoClock nanoClock()
    {
        return nanoClock;
    }

    /**
     * Sets: told of every exception that the agent survives.
     *
     * @param errorHandler as said.
     * @return this.
     */
    public OwnerContext errorHandler(final ErrorHandler errorHandler)
    {
        this.errorHandler = errorHandler;
        return this;
    }

    /**
     * Gets: told of every exception that the agent survives.
     *
     * @return as said.
     */
    public ErrorHandler errorHandler()
    {
        return errorHandler;
    }

    /**
     * Sets: requests of the workers.
     *
     * @param workerSource as said.
     * @return this.
     */
    public OwnerContext workerSource(final MessageSource workerSource)
    {
        this.workerSource = workerSource;
        return this;
    }

    /**
     * Gets: requests of the workers.
     *
     * @return as said.
     */
    public MessageSource workerSource()
    {
        return workerSource;
    }

    /**
     * Sets: opens the channels back to the workers.
     *
     * @param sessionChannels as said.
     * @return this.
     */
    public OwnerContext sessionChannels(final SessionChannels sessionChannels)
    {
        this.sessionChannels = sessionChannels;
        return this;
    }

    /**
     * Gets: opens the channels back to the workers.
     *
     * @return as said.
     */
    public SessionChannels sessionChannels()
    {
        return sessionChannels;
    }

    /**
     * Sets: messages of the master.
     *
     * @param masterSource as said.
     * @return this.
     */
    public OwnerContext masterSource(final MessageSource masterSource)
    {
        this.masterSource = masterSource;
        return this;
    }

    /**
     * Gets: messages of the master.
     *
     * @return as said.
     */
    public MessageSource masterSource()
    {
        return masterSource;
    }

    /**
     * Sets: channel to the master.
     *
     * @param masterChannel as said.
     * @return this.
     */
    public OwnerContext masterChannel(final ControlChannel masterChannel)
    {
        this.masterChannel = masterChannel;
        return this;
    }

    /**
     * Gets: channel to the master.
     *
     * @return as said.
     */
    public ControlChannel masterChannel()
    {
        return masterChannel;
    }

    /**
     * Sets: payload transfers.
     *
     * @param transferQueue as said.
     * @return this.
     */
    public OwnerContext transferQueue(final TransferQueue transferQueue)
    {
        this.transferQueue = transferQueue;
        return this;
    }

    /**
     * Gets: payload transfers.
     *
     * @return as said.
     */
    public TransferQueue transferQueue()
    {
        return transferQueue;
    }

    /**
     * Sets: checksums.
     *
     * @param checksumQueue as said.
     * @return this.
     */
    public OwnerContext checksumQueue(final ChecksumQueue checksumQueue)
    {
        this.checksumQueue = checksumQueue;
        return this;
    }

    /**
     * Gets: checksums.
     *
     * @return as said.
     */
    public ChecksumQueue checksumQueue()
    {
        return checksumQueue;
    }

    /**
     * Sets: watch over the worker processes.
     *
     * @param processWatch as said.
     * @return this.
     */
    public OwnerContext processWatch(final ProcessWatch processWatch)
    {
        this.processWatch = processWatch;
        return this;
    }

    /**
     * Gets: watch over the worker processes.
     *
     * @return as said.
     */
    public ProcessWatch processWatch()
    {
        return processWatch;
    }

    /**
     * Sets: slots.
     *
     * @param slotPool as said.
     * @return this.
     */
    public OwnerContext slotPool(final SlotPool slotPool)
    {
        this.slotPool = slotPool;
        return this;
    }

    /**
     * Gets: slots.
     *
     * @return as said.
     */
    public SlotPool slotPool()
    {
        return slotPool;
    }

    /**
     * Sets: claims that wait for slots of the pool.
     *
     * @param claimQueue as said.
     * @return this.
     */
    public OwnerContext claimQueue(final ClaimQueue claimQueue)
    {
        this.claimQueue = claimQueue;
        return this;
    }

    /**
     * Gets: claims that wait for slots of the pool.
     *
     * @return as said.
     */
    public ClaimQueue claimQueue()
    {
        return claimQueue;
    }

    /**
     * Sets: index of local-visible values, over the slot table's local chain.
     *
     * @param localIndex as said.
     * @return this.
     */
    public OwnerContext localIndex(final KeyIndex localIndex)
    {
        this.localIndex = localIndex;
        return this;
    }

    /**
     * Gets: index of local-visible values, over the slot table's local chain.
     *
     * @return as said.
     */
    public KeyIndex localIndex()
    {
        return localIndex;
    }

    /**
     * Sets: index of committed values, over the slot table's committed chain.
     *
     * @param committedIndex as said.
     * @return this.
     */
    public OwnerContext committedIndex(final KeyIndex committedIndex)
    {
        this.committedIndex = committedIndex;
        return this;
    }

    /**
     * Gets: index of committed values, over the slot table's committed chain.
     *
     * @return as said.
     */
    public KeyIndex committedIndex()
    {
        return committedIndex;
    }

    /**
     * Sets: digest of keys.
     *
     * @param keyDigest as said.
     * @return this.
     */
    public OwnerContext keyDigest(final KeyDigest keyDigest)
    {
        this.keyDigest = keyDigest;
        return this;
    }

    /**
     * Gets: digest of keys.
     *
     * @return as said.
     */
    public KeyDigest keyDigest()
    {
        return keyDigest;
    }

    /**
     * Sets: counters of the process.
     *
     * @param counters as said.
     * @return this.
     */
    public OwnerContext counters(final OwnerCounters counters)
    {
        this.counters = counters;
        return this;
    }

    /**
     * Gets: counters of the process.
     *
     * @return as said.
     */
    public OwnerCounters counters()
    {
        return counters;
    }

    /**
     * Sets: by which tools ask for an audit; null = none.
     *
     * @param controlToggle as said.
     * @return this.
     */
    public OwnerContext controlToggle(final ControlToggle controlToggle)
    {
        this.controlToggle = controlToggle;
        return this;
    }

    /**
     * Gets: by which tools ask for an audit; null = none.
     *
     * @return as said.
     */
    public ControlToggle controlToggle()
    {
        return controlToggle;
    }

    /**
     * Sets: where the tables of hot windows lie.
     *
     * @param windowMemory as said.
     * @return this.
     */
    public OwnerContext windowMemory(final WindowMemory windowMemory)
    {
        this.windowMemory = windowMemory;
        return this;
    }

    /**
     * Gets: where the tables of hot windows lie.
     *
     * @return as said; memory of the process unless set.
     */
    public WindowMemory windowMemory()
    {
        return windowMemory;
    }

    /**
     * Sets: times and bounds.
     *
     * @param settings as said.
     * @return this.
     */
    public OwnerContext settings(final OwnerSettings settings)
    {
        this.settings = settings;
        return this;
    }

    /**
     * Gets: times and bounds.
     *
     * @return as said.
     */
    public OwnerSettings settings()
    {
        return settings;
    }
}
