package io.fluxon.cuda.kernel;

import io.fluxon.ipc.plan.PlanBlob;
import org.agrona.concurrent.UnsafeBuffer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A command as a launch hands it to a kernel: with the tables of layers, indices and values that it names behind it,
 * as far as the host can read them and they fit. A kernel that looked them up in host memory would ask over the bus
 * that it, or a copy engine, is filling. An address below {@value #LENGTH} is an offset in the block. Belongs to one
 * thread; allocates nothing.
 */
public final class LaunchBlock
{
    /** Bytes of the block; with the length of a piece these are the 4 KiB that the parameters of a launch may have. */
    public static final int LENGTH = 4088;

    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final MemorySegment memory = Arena.ofAuto().allocate(LENGTH, Long.BYTES);
    private final UnsafeBuffer buffer = new UnsafeBuffer(memory.address(), LENGTH);
    private final CopyCommand command = new CopyCommand().wrap(memory.address());
    private int position;

    /**
     * Takes over a command, which has passed {@link CommandCheck}.
     *
     * @param from command to launch.
     * @return this.
     */
    public LaunchBlock set(final CopyCommand from)
    {
        command.copyFrom(from);
        position = CopyCommand.MAX_LENGTH;
        final int firstEntry = shiftLayers();
        for (int i = 0; i < 2; i++)
        {
            final Side side = 0 == i ? Side.SOURCE : Side.TARGET;
            takeLayers(side, firstEntry);
            if (0 != command.plan(side))
            {
                takePlan(side);
            }
            else if (0 != command.indices(side) && command.isReadable(side))
            {
                takeIndices(side);
            }
        }
        return this;
    }

    /**
     * Where the block lies.
     *
     * @return address of {@value #LENGTH} bytes.
     */
    public long address()
    {
        return memory.address();
    }

    /**
     * The command of the block, for who looks at it.
     *
     * @return view.
     */
    public CopyCommand command()
    {
        return command;
    }

    /** Has the sections count their entries from the first that one of them names. Returns which that was. */
    private int shiftLayers()
    {
        int first = 0 == command.sectionCount() ? 0 : Integer.MAX_VALUE;
        for (int i = 0; i < command.sectionCount(); i++)
        {
            first = Math.min(first, command.firstFragment(i));
        }
        for (int i = 0; i < command.sectionCount(); i++)
        {
            command.sectionLayers(i, command.firstFragment(i) - first, command.sectionLayers(i));
        }
        return first;
    }

    private void takeLayers(final Side side, final int firstEntry)
    {
        if (0 == command.layers(side))
        {
            return;
        }
        int entries = 0;
        for (int i = 0; i < command.sectionCount(); i++)
        {
            entries = Math.max(entries, command.firstFragment(i) + command.sectionLayers(i));
        }
        final long address = command.layers(side) + (long)firstEntry * Long.BYTES;
        final long bytes = (long)entries * Long.BYTES;
        final boolean isTaken = command.isReadable(side) && isRoom(bytes);
        command.layers(side, isTaken ? take(address, bytes) : address);
    }

    private void takePlan(final Side side)
    {
        final long values = (long)command.pageCount() * Long.BYTES;
        if (!isRoom(PlanBlob.VALUES_OFFSET + values))
        {
            return;
        }
        final long plan = command.plan(side);
        final int block = take(plan, PlanBlob.VALUES_OFFSET);
        take(plan + PlanBlob.VALUES_OFFSET + command.first(side) * Long.BYTES, values);
        // a plan that has other values than the command says stays one
        final long surplus = buffer.getLong(block + Long.BYTES) - command.planCount(side);
        buffer.putLong(block + Long.BYTES, command.pageCount() + surplus);
        command.plan(side, block, command.pageCount()).first(side, 0);
    }

    private void takeIndices(final Side side)
    {
        final long bytes = (long)command.pageCount() * command.indexBytes(side);
        if (isRoom(bytes))
        {
            final long address = command.indices(side) + command.first(side) * command.indexBytes(side);
            command.indices(side, take(address, bytes)).first(side, 0);
        }
    }

    private boolean isRoom(final long bytes)
    {
        return bytes <= LENGTH - position;
    }

    private int take(final long address, final long bytes)
    {
        final int offset = position;
        MemorySegment.copy(
            MEMORY, ValueLayout.JAVA_BYTE, address, memory, ValueLayout.JAVA_BYTE, offset, bytes);
        position = (int)(position + bytes + Long.BYTES - 1) & -Long.BYTES;
        return offset;
    }
}
