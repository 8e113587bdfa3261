package io.fluxon.cuda.gpu;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.copy.CopyProxy;
import io.fluxon.cuda.kernel.CommandWriter;
import io.fluxon.cuda.kernel.CopyCommand;
import io.fluxon.cuda.kernel.Geometry;
import io.fluxon.cuda.kernel.HostKernel;
import io.fluxon.cuda.kernel.HostPoolLayout;
import io.fluxon.cuda.kernel.Side;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;

/**
 * One copy there and one back, on the device and on the twin: both sides must be the same bit for bit, guards included.
 * Targets are poisoned, sources are random.
 */
final class GpuCase implements AutoCloseable
{
    private static final byte POISON = (byte)0xA5;

    private final GpuBed bed;
    private final Geometry geometry;
    private final int pages;
    private final int poolPages;
    private final HostPoolLayout layout;
    private final Arena memory = Arena.ofShared();
    private final CopyCommand command = new CopyCommand().allocate();
    private final CommandWriter writer = new CommandWriter();
    private final HostKernel twin = new HostKernel();
    private final MemorySegment content;
    private final MemorySegment poolMirror;
    private final MemorySegment valueMirror;
    private final MemorySegment readBack;
    private final long[] valueOffsets;
    private final long[] hostIndices;
    private final long[] poolIndices;
    private final long valueSpan;

    /** A case; a layout of null means values of a plan. */
    GpuCase(
        final GpuBed bed,
        final Geometry geometry,
        final int pages,
        final HostPoolLayout layout,
        final long seed)
    {
        this.bed = bed;
        this.geometry = geometry;
        this.pages = pages;
        this.layout = layout;
        poolPages = pages + 3;
        final long poolBytes = poolPages * geometry.valueBytes();
        final long slot = (geometry.valueBytes() + 64 + 63) & -64;
        valueSpan = null == layout ? (pages + 1) * slot : poolBytes;
        content = memory.allocate(Math.max(poolBytes, valueSpan), 64);
        poolMirror = memory.allocate(poolBytes, 64);
        valueMirror = memory.allocate(valueSpan, 64);
        readBack = memory.allocate(poolBytes, 64);
        final SplittableRandom random = new SplittableRandom(seed);
        poolIndices = permutation(random, poolPages, pages);
        hostIndices = permutation(random, poolPages, pages);
        valueOffsets = permutation(random, pages, pages);
        for (int i = 0; i < pages; i++)
        {
            valueOffsets[i] = valueOffsets[i] * slot + 16 * random.nextInt(4);
        }
        GpuBed.fillRandom(content, seed);
    }

    /** Null if both directions are right, else what is wrong. */
    String run(final CopyStrategy strategy, final boolean isInt, final boolean isTableOnDevice)
    {
        String wrong = run(CopyDirection.BACKUP, strategy, isInt, isTableOnDevice);
        if (null == wrong)
        {
            wrong = run(CopyDirection.RESTORE, strategy, isInt, isTableOnDevice);
        }
        return wrong;
    }

    private String run(
        final CopyDirection direction, final CopyStrategy strategy, final boolean isInt, final boolean isTableOnDevice)
    {
        bed.resetArena();
        final boolean isBackup = CopyDirection.BACKUP == direction;
        final MemorySegment values = bed.values().asSlice(0, valueSpan);
        if (isBackup)
        {
            poolMirror.copyFrom(content.asSlice(0, poolMirror.byteSize()));
            values.fill(POISON);
        }
        else
        {
            poolMirror.fill(POISON);
            values.copyFrom(content.asSlice(0, valueSpan));
        }
        valueMirror.copyFrom(values);
        bed.writePools(0, poolMirror);

        write(direction, poolMirror.address(), valueMirror, isInt);
        twin.execute(command);
        write(direction, bed.poolAddress(), values, isInt);
        if (isTableOnDevice)
        {
            moveTable(direction);
        }
        bed.offer(command, direction, strategy, 0, CopyProxy.NONE, CopyProxy.NONE);
        final String failure = bed.await(1);
        return null != failure ? direction + " " + failure : difference(direction, values);
    }

    private String difference(final CopyDirection direction, final MemorySegment values)
    {
        bed.readPools(0, readBack);
        final long pool = readBack.mismatch(poolMirror);
        final long value = values.mismatch(valueMirror);
        return -1 == pool && -1 == value ? null :
            direction + " differs at " + (-1 == pool ? "value byte " + value : "pool byte " + pool);
    }

    private void write(
        final CopyDirection direction, final long pools, final MemorySegment values, final boolean isInt)
    {
        final Side hostSide = CopyDirection.BACKUP == direction ? Side.TARGET : Side.SOURCE;
        writer.begin(command, geometry, pages);
        if (null == layout)
        {
            final long[] addresses = new long[pages];
            for (int i = 0; i < pages; i++)
            {
                addresses[i] = values.address() + valueOffsets[i];
            }
            writer.plan(hostSide, bed.plan(addresses), pages, 0);
        }
        else
        {
            final long[] bases = new long[geometry.parts().size()];
            long base = values.address();
            for (int i = 0; i < bases.length; i++)
            {
                bases[i] = base;
                base += poolPages * geometry.parts().get(i).bytes();
            }
            writer.hostPool(hostSide, layout, poolPages, bases)
                .pageIndices(hostSide, bed.longs(hostIndices).address(), Long.BYTES);
        }
        writer.pools(hostSide.other(), table(pools))
            .pageIndices(hostSide.other(), indices(isInt), isInt ? Integer.BYTES : Long.BYTES)
            .end();
    }

    private long indices(final boolean isInt)
    {
        if (!isInt)
        {
            return bed.longs(poolIndices).address();
        }
        final int[] numbers = new int[pages];
        for (int i = 0; i < pages; i++)
        {
            numbers[i] = (int)poolIndices[i];
        }
        return bed.ints(numbers).address();
    }

    private long table(final long pools)
    {
        final long[] table = new long[geometry.fragmentCount()];
        long address = pools;
        int entry = 0;
        for (final Geometry.Part part : geometry.parts())
        {
            for (int layer = 0; layer < part.layers(); layer++)
            {
                table[entry++] = address;
                address += poolPages * part.fragmentBytes();
            }
        }
        return bed.longs(table).address();
    }

    /** Has the device find its table and indices in its own memory, behind the pools. */
    private void moveTable(final CopyDirection direction)
    {
        final Side side = CopyDirection.BACKUP == direction ? Side.SOURCE : Side.TARGET;
        final long tableBytes = geometry.fragmentCount() * (long)Long.BYTES;
        final long indexBytes = (long)pages * command.indexBytes(side);
        final long offset = (poolPages * geometry.valueBytes() + 255) & -256;
        bed.writePools(offset, MemorySegment.ofAddress(command.layers(side)).reinterpret(tableBytes));
        bed.writePools(offset + tableBytes, MemorySegment.ofAddress(command.indices(side)).reinterpret(indexBytes));
        command.layers(side, bed.poolAddress() + offset).indices(side, bed.poolAddress() + offset + tableBytes);
        if (null != bed.context())
        {
            command.flags(Side.SOURCE == side ?
                CopyCommand.SOURCE_ARRAYS_ON_DEVICE : CopyCommand.TARGET_ARRAYS_ON_DEVICE);
        }
    }

    static long[] permutation(final SplittableRandom random, final int bound, final int count)
    {
        final long[] numbers = new long[bound];
        for (int i = 0; i < bound; i++)
        {
            numbers[i] = i;
        }
        final long[] chosen = new long[count];
        for (int i = 0; i < count; i++)
        {
            final int other = i + random.nextInt(bound - i);
            chosen[i] = numbers[other];
            numbers[other] = numbers[i];
        }
        return chosen;
    }

    @Override
    public void close()
    {
        memory.close();
    }
}
