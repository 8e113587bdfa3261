package io.fluxon.cuda;

import io.fluxon.ipc.plan.PlanBlob;

import java.lang.foreign.MemorySegment;

/**
 * Host-memory twin of the copy kernels: the same arguments, the same layouts, bit for bit the same bytes, for pools
 * that lie in host memory. Addresses are absolute and of this process; a page p of a layer lies at the layer's address
 * plus p times its page bytes. Layout of a value:
 * <pre>
 *   MHA    [K of layer 0] .. [K of layer L-1] [V of layer 0] .. [V of layer L-1]
 *   MLA    [layer 0] .. [layer L-1]
 *   Mamba  [state 0: layer 0 .. layer L-1] [state 1: layer 0 .. layer L-1] ..
 * </pre>
 * All arguments are checked before the first byte is written; what is wrong ends in an
 * {@link IllegalArgumentException}. The addresses themselves are the caller's word. Belongs to one thread; allocates
 * nothing per call.
 */
public final class HostCopier
{
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final PlanBlob plan = new PlanBlob();
    private final long arenaAddress;
    private final long arenaLength;

    /**
     * A copier for the plans of a plan arena.
     *
     * @param arenaAddress first byte of the memory that plan blobs lie in.
     * @param arenaLength  its length in bytes.
     */
    public HostCopier(final long arenaAddress, final long arenaLength)
    {
        if (0 == arenaAddress || arenaLength < PlanBlob.VALUES_OFFSET)
        {
            throw new IllegalArgumentException(
                "no plan arena at address " + arenaAddress + " of " + arenaLength + " bytes");
        }
        this.arenaAddress = arenaAddress;
        this.arenaLength = arenaLength;
    }

    /**
     * Copies between value i of a plan and buffer i, any length.
     *
     * @param direction   of the copy.
     * @param planAddress of the plan blob.
     * @param buffers     address of one buffer a value.
     * @param lengths     bytes of each copy.
     */
    public void copyRaw(
        final CopyDirection direction, final long planAddress, final long[] buffers, final long[] lengths)
    {
        wrapPlan(planAddress, buffers.length);
        checkPointers("buffers", buffers);
        checkBatch(buffers.length, lengths);
        for (int i = 0; i < buffers.length; i++)
        {
            copy(direction, buffers[i], plan.valuePtr(i), lengths[i]);
        }
    }

    /**
     * Copies between arbitrary addresses, in order.
     *
     * @param destinations address of each copy's target.
     * @param sources      address of each copy's source.
     * @param lengths      bytes of each copy.
     */
    public void copyBatch(final long[] destinations, final long[] sources, final long[] lengths)
    {
        checkPointers("destinations", destinations);
        checkPointers("sources", sources);
        if (sources.length != destinations.length)
        {
            throw new IllegalArgumentException(
                "sources: " + sources.length + ", but destinations: " + destinations.length);
        }
        checkBatch(destinations.length, lengths);
        for (int i = 0; i < destinations.length; i++)
        {
            MemorySegment.copy(MEMORY, sources[i], MEMORY, destinations[i], lengths[i]);
        }
    }

    /**
     * Copies pages of multi-head attention pools: value i and page pageIndices[i].
     *
     * @param direction   of the copy.
     * @param planAddress of the plan blob.
     * @param pageIndices one page a value.
     * @param kLayers     address of each layer's K pool.
     * @param vLayers     address of each layer's V pool.
     * @param kPageBytes  bytes of one page of K in one layer.
     * @param vPageBytes  bytes of one page of V in one layer.
     */
    public void copyMha(
        final CopyDirection direction,
        final long planAddress,
        final long[] pageIndices,
        final long[] kLayers,
        final long[] vLayers,
        final long kPageBytes,
        final long vPageBytes)
    {
        wrapPlan(planAddress, pageIndices.length);
        checkPages(pageIndices, kLayers, kPageBytes);
        checkPages(pageIndices, vLayers, vPageBytes);
        if (kLayers.length != vLayers.length)
        {
            throw new IllegalArgumentException("kLayers: " + kLayers.length + ", but vLayers: " + vLayers.length);
        }
        for (int i = 0; i < pageIndices.length; i++)
        {
            final long value = plan.valuePtr(i);
            copyLayers(direction, kLayers, pageIndices[i] * kPageBytes, value, kPageBytes);
            copyLayers(direction, vLayers, pageIndices[i] * vPageBytes, value + kLayers.length * kPageBytes,
                vPageBytes);
        }
    }

    /**
     * Copies pages of latent attention pools: value i and page pageIndices[i].
     *
     * @param direction   of the copy.
     * @param planAddress of the plan blob.
     * @param pageIndices one page a value.
     * @param layers      address of each layer's pool.
     * @param pageBytes   bytes of one page in one layer.
     */
    public void copyMla(
        final CopyDirection direction,
        final long planAddress,
        final long[] pageIndices,
        final long[] layers,
        final long pageBytes)
    {
        wrapPlan(planAddress, pageIndices.length);
        checkPages(pageIndices, layers, pageBytes);
        for (int i = 0; i < pageIndices.length; i++)
        {
            copyLayers(direction, layers, pageIndices[i] * pageBytes, plan.valuePtr(i), pageBytes);
        }
    }

    /**
     * Copies the state of one slot of Mamba pools: the plan's only value.
     *
     * @param direction      of the copy.
     * @param planAddress    of the plan blob.
     * @param slotIndex      of the slot in every pool.
     * @param stateLayers    address of each pool: for each state, for each layer.
     * @param stateItemBytes bytes of one slot, one item a state.
     * @param layerCount     number of layers.
     */
    public void copyMamba(
        final CopyDirection direction,
        final long planAddress,
        final long slotIndex,
        final long[] stateLayers,
        final long[] stateItemBytes,
        final int layerCount)
    {
        wrapPlan(planAddress, 1);
        checkPointers("stateLayers", stateLayers);
        checkLengths("stateItemBytes", stateItemBytes);
        if (slotIndex < 0 || layerCount < 1 || stateItemBytes.length < 1 ||
            stateLayers.length != (long)stateItemBytes.length * layerCount)
        {
            throw new IllegalArgumentException("slotIndex " + slotIndex + ", layerCount " + layerCount + ", " +
                stateLayers.length + " pools of " + stateItemBytes.length + " states do not fit");
        }
        checkMambaOffsets(slotIndex, stateItemBytes);
        long value = plan.valuePtr(0);
        for (int state = 0; state < stateItemBytes.length; state++)
        {
            final long itemBytes = stateItemBytes[state];
            for (int layer = 0; layer < layerCount; layer++)
            {
                final long pool = stateLayers[state * layerCount + layer];
                copy(direction, pool + slotIndex * itemBytes, value, itemBytes);
                value += itemBytes;
            }
        }
    }

    private void wrapPlan(final long planAddress, final int expectedCount)
    {
        final long offset = planAddress - arenaAddress;
        if (offset < 0 || offset >= arenaLength)
        {
            throw new IllegalArgumentException("plan at address " + planAddress + " is outside the plan arena");
        }
        plan.wrap(planAddress, arenaLength - offset);
        if (expectedCount != plan.count())
        {
            throw new IllegalArgumentException(
                "the plan has " + plan.count() + " values, the call names " + expectedCount);
        }
        for (int i = 0; i < expectedCount; i++)
        {
            if (0 == plan.valuePtr(i))
            {
                throw new IllegalArgumentException("value " + i + " of the plan has no address");
            }
        }
    }

    private static void copyLayers(
        final CopyDirection direction,
        final long[] layers,
        final long pageOffset,
        final long value,
        final long pageBytes)
    {
        for (int layer = 0; layer < layers.length; layer++)
        {
            copy(direction, layers[layer] + pageOffset, value + layer * pageBytes, pageBytes);
        }
    }

    private static void copy(final CopyDirection direction, final long page, final long value, final long length)
    {
        if (CopyDirection.PAGES_TO_VALUES == direction)
        {
            MemorySegment.copy(MEMORY, page, MEMORY, value, length);
        }
        else
        {
            MemorySegment.copy(MEMORY, value, MEMORY, page, length);
        }
    }

    private static void checkPages(final long[] pageIndices, final long[] layers, final long pageBytes)
    {
        checkPointers("layers", layers);
        if (layers.length < 1 || pageBytes < 1 || pageBytes > Long.MAX_VALUE / layers.length)
        {
            throw new IllegalArgumentException(layers.length + " layers of pages of " + pageBytes + " bytes");
        }
        for (int i = 0; i < pageIndices.length; i++)
        {
            if (pageIndices[i] < 0 || pageIndices[i] > Long.MAX_VALUE / pageBytes - 1)
            {
                throw new IllegalArgumentException("pageIndices[" + i + "] " + pageIndices[i] + " is no page");
            }
        }
    }

    private static void checkMambaOffsets(final long slotIndex, final long[] stateItemBytes)
    {
        for (final long itemBytes : stateItemBytes)
        {
            if (slotIndex > Long.MAX_VALUE / itemBytes - 1)
            {
                throw new IllegalArgumentException("slotIndex " + slotIndex + " is no slot of " + itemBytes + " bytes");
            }
        }
    }

    private static void checkBatch(final int count, final long[] lengths)
    {
        checkLengths("lengths", lengths);
        if (lengths.length != count)
        {
            throw new IllegalArgumentException("lengths: " + lengths.length + ", but buffers: " + count);
        }
    }

    private static void checkPointers(final String name, final long[] pointers)
    {
        for (int i = 0; i < pointers.length; i++)
        {
            if (0 == pointers[i])
            {
                throw new IllegalArgumentException(name + "[" + i + "] is null");
            }
        }
    }

    private static void checkLengths(final String name, final long[] lengths)
    {
        for (int i = 0; i < lengths.length; i++)
        {
            if (lengths[i] < 1)
            {
                throw new IllegalArgumentException(name + "[" + i + "] " + lengths[i] + " must be positive");
            }
        }
    }
}
