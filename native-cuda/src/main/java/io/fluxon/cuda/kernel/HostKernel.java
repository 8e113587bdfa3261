package io.fluxon.cuda.kernel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import static io.fluxon.cuda.kernel.Side.SOURCE;
import static io.fluxon.cuda.kernel.Side.TARGET;

/**
 * The copy kernel's twin on the host: executes a command whose memory the host can reach, bit for bit as the GPU does.
 * Commands must have passed {@link CommandCheck}. Belongs to one thread; allocates nothing.
 */
public final class HostKernel
{
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    private static final RowConsumer COPY =
        (source, target, length) -> MemorySegment.copy(MEMORY, source, MEMORY, target, length);

    /**
     * Copies what a command names.
     *
     * @param command to execute.
     */
    public void execute(final CopyCommand command)
    {
        forEachRow(command, COPY);
    }

    /**
     * Names the rows of a command, page by page, section by section, layer by layer.
     *
     * @param command  whose arrays the host can read.
     * @param consumer of the rows.
     */
    public void forEachRow(final CopyCommand command, final RowConsumer consumer)
    {
        for (int page = 0; page < command.pageCount(); page++)
        {
            for (int section = 0; section < command.sectionCount(); section++)
            {
                final long source = sectionAddress(command, SOURCE, page, section);
                final long target = sectionAddress(command, TARGET, page, section);
                final long length = rowLength(command, page, section);
                for (int layer = 0; layer < command.sectionLayers(section); layer++)
                {
                    rows(command, section, source + layerAddress(command, SOURCE, section, layer),
                        target + layerAddress(command, TARGET, section, layer), length, consumer);
                }
            }
        }
    }

    /**
     * Names the rows of one side of a command, as source and as target alike; the other side is not looked at.
     *
     * @param command  whose side's arrays the host can read.
     * @param side     that is meant.
     * @param consumer of the rows.
     */
    public void forEachRow(final CopyCommand command, final Side side, final RowConsumer consumer)
    {
        for (int page = 0; page < command.pageCount(); page++)
        {
            for (int section = 0; section < command.sectionCount(); section++)
            {
                final long address = sectionAddress(command, side, page, section);
                final long length = rowLength(command, page, section);
                for (int layer = 0; layer < command.sectionLayers(section); layer++)
                {
                    final long start = address + layerAddress(command, side, section, layer);
                    rowsOf(command, side, section, start, length, consumer);
                }
            }
        }
    }

    private static long rowLength(final CopyCommand command, final int page, final int section)
    {
        return 0 == command.lengths() ?
            command.rowBytes(section) : getLong(command.lengths() + (long)page * Long.BYTES);
    }

    private static void rowsOf(
        final CopyCommand command,
        final Side side,
        final int section,
        final long start,
        final long length,
        final RowConsumer consumer)
    {
        for (int outer = 0; outer < command.outerRows(section); outer++)
        {
            for (int inner = 0; inner < command.innerRows(section); inner++)
            {
                final long row = start + rowOffset(command, side, section, outer, inner);
                consumer.onRow(row, row, length);
            }
        }
    }

    private static void rows(
        final CopyCommand command,
        final int section,
        final long source,
        final long target,
        final long length,
        final RowConsumer consumer)
    {
        final int outerRows = command.outerRows(section);
        final int innerRows = command.innerRows(section);
        for (int outer = 0; outer < outerRows; outer++)
        {
            for (int inner = 0; inner < innerRows; inner++)
            {
                consumer.onRow(
                    source + rowOffset(command, SOURCE, section, outer, inner),
                    target + rowOffset(command, TARGET, section, outer, inner),
                    length);
            }
        }
    }

    private static long rowOffset(
        final CopyCommand command, final Side side, final int section, final int outer, final int inner)
    {
        return outer * command.stride(section, side, Stride.OUTER) +
            inner * command.stride(section, side, Stride.INNER);
    }

    private static long layerAddress(final CopyCommand command, final Side side, final int section, final int layer)
    {
        final long table = command.layers(side);
        final long entry =
            0 == table ? 0 : getLong(table + (long)(command.firstFragment(section) + layer) * Long.BYTES);
        return entry + layer * command.stride(section, side, Stride.LAYER);
    }

    static long sectionAddress(final CopyCommand command, final Side side, final int page, final int section)
    {
        return command.base(side) + command.stride(section, side, Stride.OFFSET) +
            pageAddress(command, side, page, section);
    }

    private static long pageAddress(final CopyCommand command, final Side side, final int page, final int section)
    {
        if (0 != command.plan(side))
        {
            return CommandCheck.valuePtr(command, side, page);
        }
        final long index = index(command, side, page);
        final int tokens = command.indexTokens(side);
        return index / tokens * command.stride(section, side, Stride.PAGE) +
            index % tokens * command.stride(section, side, Stride.TOKEN);
    }

    static long index(final CopyCommand command, final Side side, final int page)
    {
        final long position = command.first(side) + page;
        if (0 == command.indices(side))
        {
            return position;
        }
        return Integer.BYTES == command.indexBytes(side) ?
            MEMORY.get(ValueLayout.JAVA_INT_UNALIGNED, command.indices(side) + position * Integer.BYTES) :
            getLong(command.indices(side) + position * Long.BYTES);
    }

    static long getLong(final long address)
    {
        return MEMORY.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }
}
