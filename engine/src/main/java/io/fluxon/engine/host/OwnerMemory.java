package io.fluxon.engine.host;

import io.fluxon.engine.config.OwnerConfig;
import io.fluxon.engine.index.KeyDigest;
import io.fluxon.engine.index.KeyIndex;
import io.fluxon.engine.index.Xx128KeyDigest;
import io.fluxon.engine.memory.CapacityPlan;
import io.fluxon.engine.memory.ClaimQueue;
import io.fluxon.engine.memory.SlotPool;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.owner.OwnerContext;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.segment.SegmentException;
import io.fluxon.ipc.segment.SegmentFile;
import io.fluxon.ipc.segment.SegmentLayout;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * The segment of an owner and the tables over it.
 */
final class OwnerMemory
{
    private final SegmentFile segment;
    private final SlotPool slotPool;
    private final ClaimQueue claimQueue;
    private final KeyDigest keyDigest;
    private final KeyIndex localIndex;
    private final KeyIndex committedIndex;

    private OwnerMemory(final ProcessHost host, final SegmentFile segment, final CapacityPlan plan)
    {
        this.segment = segment;
        final SlotTable slotTable = new SlotTable(segment.slots(), plan.grantCount(), plan.grantQuantumBytes());
        slotPool = new SlotPool(slotTable, plan, segment.layout().grantsOffset());
        claimQueue = new ClaimQueue(slotPool);
        keyDigest = new Xx128KeyDigest(segment.layout().generation());
        localIndex = host.own(new KeyIndex("local", slotTable.capacity(), slotTable.localChain()));
        committedIndex = host.own(new KeyIndex("committed", slotTable.capacity(), slotTable.committedChain()));
    }

    /**
     * Creates the segment and puts memory behind what is expected.
     *
     * @param host       that takes everything over.
     * @param config     of the owner.
     * @param directory  of the owner.
     * @param generation of the owner.
     * @return the memory, not yet marked ready.
     */
    static OwnerMemory create(
        final ProcessHost host, final OwnerConfig config, final Path directory, final long generation)
    {
        final CapacityPlan plan = planOf(config);
        final SegmentLayout layout = new SegmentLayout(
            config.instanceKey(),
            config.ownerId(),
            generation,
            config.planArenaBytes(),
            config.dramBytes(),
            config.grantQuantumBytes());
        final SegmentFile segment = createSegment(config, directory, layout, plan);
        host.own(() ->
        {
            segment.close();
            deleteLock(directory, layout);
        });
        takeMemory(config, segment, plan.expectedGrantsTotal() * plan.grantQuantumBytes());
        return new OwnerMemory(host, segment, plan);
    }

    SegmentFile segment()
    {
        return segment;
    }

    /**
     * The whole segment file.
     *
     * @return memory, valid until the segment is closed.
     */
    MemorySegment bytes()
    {
        return MemorySegment.ofAddress(segment.baseAddress()).reinterpret(segment.layout().totalLength());
    }

    void giveTo(final OwnerContext context)
    {
        final SegmentLayout layout = segment.layout();
        context
            .segmentPath(segment.path().toString())
            .segmentLength(layout.totalLength())
            .mapOffset(layout.arenaOffset())
            .arenaOffset(layout.arenaOffset())
            .arenaLength(layout.arenaLength())
            .slotPool(slotPool)
            .claimQueue(claimQueue)
            .keyDigest(keyDigest)
            .localIndex(localIndex)
            .committedIndex(committedIndex);
    }

    /** Workers write to arena and grants: where their memory is not taken now, they can be killed for want of it. */
    private static void takeMemory(final OwnerConfig config, final SegmentFile segment, final long expectedBytes)
    {
        final SegmentLayout layout = segment.layout();
        try
        {
            segment.allocate(layout.arenaOffset(), layout.arenaLength());
            SegmentToucher.touch(segment, layout.grantsOffset(), expectedBytes);
            if (config.isPreallocated())
            {
                SegmentToucher.allocate(
                    segment, layout.grantsOffset() + expectedBytes, config.dramBytes() - expectedBytes);
            }
        }
        catch (final SegmentException ex)
        {
            throw ErrorCode.NO_SPACE == ex.errorCode() ? noSpace(config, ex) : ex;
        }
    }

    private static SegmentException noSpace(final OwnerConfig config, final SegmentException cause)
    {
        return new SegmentException(ErrorCode.NO_SPACE, "field contribute_to_cluster_pool_size.dram is " +
            config.dramBytes() + ", allowed is what the file system of share_mem_path can give now: " +
            cause.getMessage(), cause);
    }

    private static SegmentFile createSegment(
        final OwnerConfig config, final Path directory, final SegmentLayout layout, final CapacityPlan plan)
    {
        try
        {
            return SegmentFile.create(
                directory, layout, SlotTable.requiredLength(plan.grantCount(), plan.grantQuantumBytes()));
        }
        catch (final SegmentException ex)
        {
            // the lock was another's only where an argument was refused
            if (ErrorCode.INVALID_ARGUMENT != ex.errorCode())
            {
                deleteLock(directory, layout);
            }
            throw ErrorCode.NO_SPACE == ex.errorCode() ? noSpace(config, ex) : ex;
        }
    }

    private static void deleteLock(final Path directory, final SegmentLayout layout)
    {
        try
        {
            Files.deleteIfExists(directory.resolve(layout.instance() + SegmentFile.LOCK_SUFFIX));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static CapacityPlan planOf(final OwnerConfig config)
    {
        final CapacityPlan plan = new CapacityPlan()
            .capacityBytes(config.dramBytes())
            .grantQuantumBytes(config.grantQuantumBytes())
            .softTimeoutNs(TimeUnit.MILLISECONDS.toNanos(config.reserve().softTimeoutMs()))
            .hardTimeoutNs(TimeUnit.MILLISECONDS.toNanos(config.reserve().hardTimeoutMs()));
        if (config.reserve().expectedValueLength() > 0)
        {
            plan.expect(config.reserve().expectedValueLength(), config.reserve().expectedPayloadBytes());
        }
        try
        {
            return plan.conclude();
        }
        catch (final IllegalArgumentException ex)
        {
            throw new HostException("field " + ex.getMessage(), ex);
        }
    }
}
