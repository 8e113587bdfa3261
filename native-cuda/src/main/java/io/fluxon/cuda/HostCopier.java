package io.fluxon.cuda;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.cuda.kernel.CommandCheck;
import io.fluxon.cuda.kernel.CommandWriter;
import io.fluxon.cuda.kernel.CopyCommand;
import io.fluxon.cuda.kernel.Geometry;
import io.fluxon.cuda.kernel.HostKernel;
import io.fluxon.cuda.kernel.Side;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;

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
 * nothing per call, once it has seen the largest and while the lengths of pages stay.
 */
public final class HostCopier
{
    private static final long FIRST_SCRATCH_BYTES = 4096;

    private final CopyCommand command = new CopyCommand();
    private final CommandWriter writer = new CommandWriter();
    private final HostKernel kernel = new HostKernel();
    private final CommandCheck check;
    private MemorySegment scratch;
    private long scratchPosition;
    private Geometry geometry = Geometry.mla(1, 1);

    /**
     * A copier for the plans of a plan arena.
     *
     * @param arenaAddress first byte of the memory that plan blobs lie in.
     * @param arenaLength  its length in bytes.
     */
    public HostCopier(final long arenaAddress, final long arenaLength)
    {
        check = new CommandCheck(arenaAddress, arenaLength);
        command.allocate();
        grow(FIRST_SCRATCH_BYTES);
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
        checkEqual("lengths", lengths.length, "buffers", buffers.length);
        begin(buffers.length + (long)lengths.length);
        final long addresses = store(buffers);
        writer.raw(command, buffers.length, addresses, addresses, store(lengths), longest(lengths));
        final Side values = valueSide(direction);
        command.indices(values, 0).plan(values, requirePlan(planAddress), buffers.length);
        run();
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
        checkEqual("sources", sources.length, "destinations", destinations.length);
        checkEqual("lengths", lengths.length, "destinations", destinations.length);
        begin(3L * lengths.length);
        writer.raw(command, lengths.length, store(sources), store(destinations), store(lengths), longest(lengths));
        run();
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
        checkEqual("kLayers", kLayers.length, "vLayers", vLayers.length);
        if (!isGeometry(2, kLayers.length) || geometry.parts().getFirst().headBytes() != kPageBytes ||
            geometry.parts().getLast().headBytes() != vPageBytes)
        {
            geometry = Geometry.mha(kLayers.length, kPageBytes, vPageBytes);
        }
        begin(pageIndices.length + 2L * kLayers.length);
        final long table = store(kLayers);
        store(vLayers);
        copyPages(direction, planAddress, pageIndices.length, store(pageIndices), table);
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
        if (!isGeometry(1, layers.length) || geometry.parts().getFirst().headBytes() != pageBytes)
        {
            geometry = Geometry.mla(layers.length, pageBytes);
        }
        begin(pageIndices.length + (long)layers.length);
        copyPages(direction, planAddress, pageIndices.length, store(pageIndices), store(layers));
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
        geometry = Geometry.mamba(layerCount, stateItemBytes);
        checkEqual("stateLayers", stateLayers.length, "layers of all states", geometry.fragmentCount());
        begin(1L + stateLayers.length);
        final long slot = store(slotIndex);
        copyPages(direction, planAddress, 1, slot, store(stateLayers));
    }

    private void copyPages(
        final CopyDirection direction, final long planAddress, final int count, final long indices, final long table)
    {
        final Side values = valueSide(direction);
        writer.begin(command, geometry, count)
            .plan(values, planAddress, count, 0)
            .pools(values.other(), table)
            .pageIndices(values.other(), indices, Long.BYTES)
            .end();
        run();
    }

    private void run()
    {
        check.check(command);
        kernel.execute(command);
        Reference.reachabilityFence(scratch);
    }

    private boolean isGeometry(final int parts, final int layers)
    {
        return parts == geometry.parts().size() && layers == geometry.parts().getFirst().layers() &&
            layers == geometry.parts().getLast().layers();
    }

    private void begin(final long count)
    {
        scratchPosition = 0;
        if (count * Long.BYTES > scratch.byteSize())
        {
            grow(Math.max(count * Long.BYTES, 2 * scratch.byteSize()));
        }
    }

    private void grow(final long bytes)
    {
        scratch = Arena.ofAuto().allocate(bytes, Long.BYTES);
    }

    private long store(final long[] array)
    {
        MemorySegment.copy(array, 0, scratch, ValueLayout.JAVA_LONG, scratchPosition, array.length);
        return advance(array.length);
    }

    private long store(final long number)
    {
        scratch.set(ValueLayout.JAVA_LONG, scratchPosition, number);
        return advance(1);
    }

    private long advance(final int count)
    {
        final long address = scratch.address() + scratchPosition;
        scratchPosition += (long)count * Long.BYTES;
        return address;
    }

    private static Side valueSide(final CopyDirection direction)
    {
        return CopyDirection.BACKUP == direction ? Side.TARGET : Side.SOURCE;
    }

    private static long requirePlan(final long address)
    {
        if (0 == address)
        {
            throw new IllegalArgumentException("plan is null");
        }
        return address;
    }

    private static long longest(final long[] lengths)
    {
        long longest = 0;
        for (final long length : lengths)
        {
            longest = Math.max(longest, length);
        }
        return longest;
    }

    private static void checkEqual(final String name, final long count, final String otherName, final long other)
    {
        if (count != other)
        {
            throw new IllegalArgumentException(name + ": " + count + ", but " + otherName + ": " + other);
        }
    }
}
