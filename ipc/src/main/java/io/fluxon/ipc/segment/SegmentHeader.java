package io.fluxon.ipc.segment;

import io.fluxon.ipc.ErrorCode;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;

import static io.fluxon.ipc.segment.SegmentDescriptor.ARENA_LENGTH_OFFSET;
import static io.fluxon.ipc.segment.SegmentDescriptor.ARENA_OFFSET_OFFSET;
import static io.fluxon.ipc.segment.SegmentDescriptor.GENERATION_OFFSET;
import static io.fluxon.ipc.segment.SegmentDescriptor.GRANTS_LENGTH_OFFSET;
import static io.fluxon.ipc.segment.SegmentDescriptor.GRANTS_OFFSET_OFFSET;
import static io.fluxon.ipc.segment.SegmentDescriptor.GRANT_QUANTUM_OFFSET;
import static io.fluxon.ipc.segment.SegmentDescriptor.LAYOUT_VERSION;
import static io.fluxon.ipc.segment.SegmentDescriptor.LAYOUT_VERSION_OFFSET;
import static io.fluxon.ipc.segment.SegmentDescriptor.MAGIC;
import static io.fluxon.ipc.segment.SegmentDescriptor.MAGIC_OFFSET;
import static io.fluxon.ipc.segment.SegmentDescriptor.OWNER_ID_OFFSET;
import static io.fluxon.ipc.segment.SegmentDescriptor.OWNER_PID_OFFSET;
import static io.fluxon.ipc.segment.SegmentDescriptor.PAGE_LENGTH;
import static io.fluxon.ipc.segment.SegmentDescriptor.READY;
import static io.fluxon.ipc.segment.SegmentDescriptor.TOTAL_LENGTH_OFFSET;

/**
 * Header of a ready segment as its mapper read and checked it.
 */
record SegmentHeader(
    int ownerId, long generation, long arenaOffset, long grantsOffset, long totalLength, long grantQuantum)
{
    static void write(final MemorySegment header, final SegmentLayout layout)
    {
        SegmentDescriptor.putLong(header, MAGIC_OFFSET, MAGIC);
        SegmentDescriptor.putInt(header, LAYOUT_VERSION_OFFSET, LAYOUT_VERSION);
        SegmentDescriptor.putInt(header, OWNER_ID_OFFSET, layout.ownerId());
        SegmentDescriptor.putLong(header, GENERATION_OFFSET, layout.generation());
        SegmentDescriptor.putLong(header, ARENA_OFFSET_OFFSET, layout.arenaOffset());
        SegmentDescriptor.putLong(header, ARENA_LENGTH_OFFSET, layout.arenaLength());
        SegmentDescriptor.putLong(header, GRANTS_OFFSET_OFFSET, layout.grantsOffset());
        SegmentDescriptor.putLong(header, GRANTS_LENGTH_OFFSET, layout.grantsLength());
        SegmentDescriptor.putLong(header, TOTAL_LENGTH_OFFSET, layout.totalLength());
        SegmentDescriptor.putLong(header, GRANT_QUANTUM_OFFSET, layout.grantQuantum());
        SegmentDescriptor.putLong(header, OWNER_PID_OFFSET, ProcessHandle.current().pid());
    }

    static SegmentHeader read(final FileChannel channel, final Path path, final long generation) throws IOException
    {
        final long fileLength = channel.size();
        if (fileLength < PAGE_LENGTH)
        {
            throw bad(path, "has " + fileLength + " bytes, no segment is that short");
        }

        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment header = channel.map(MapMode.READ_ONLY, 0, PAGE_LENGTH, arena);
            final long ready = SegmentDescriptor.ready(header);
            checkIdentity(path, header, generation);
            if (READY != ready)
            {
                throw bad(path, "is not ready: its owner is still starting, or stopped while it did");
            }

            return readGeometry(path, header, fileLength);
        }
    }

    private static void checkIdentity(final Path path, final MemorySegment header, final long generation)
    {
        final long magic = SegmentDescriptor.getLong(header, MAGIC_OFFSET);
        if (MAGIC != magic)
        {
            throw bad(path, "is no segment: its magic is 0x" + Long.toHexString(magic));
        }

        final int version = SegmentDescriptor.getInt(header, LAYOUT_VERSION_OFFSET);
        if (LAYOUT_VERSION != version)
        {
            throw bad(path, "has layout version " + version + ", this process knows " + LAYOUT_VERSION);
        }

        final long found = SegmentDescriptor.getLong(header, GENERATION_OFFSET);
        if (generation != found)
        {
            throw new SegmentException(ErrorCode.OWNER_GENERATION_MISMATCH, "segment file " + path +
                " is of generation " + found + ", expected is " + generation, null);
        }
    }

    private static SegmentHeader readGeometry(final Path path, final MemorySegment header, final long fileLength)
    {
        final long arenaOffset = SegmentDescriptor.getLong(header, ARENA_OFFSET_OFFSET);
        final long arenaLength = SegmentDescriptor.getLong(header, ARENA_LENGTH_OFFSET);
        final long grantsOffset = SegmentDescriptor.getLong(header, GRANTS_OFFSET_OFFSET);
        final long grantsLength = SegmentDescriptor.getLong(header, GRANTS_LENGTH_OFFSET);
        final long totalLength = SegmentDescriptor.getLong(header, TOTAL_LENGTH_OFFSET);
        final long quantum = SegmentDescriptor.getLong(header, GRANT_QUANTUM_OFFSET);

        if (totalLength != fileLength)
        {
            throw bad(path, "has " + fileLength + " bytes, its header says " + totalLength);
        }
        if (arenaOffset < PAGE_LENGTH || arenaLength <= 0 || grantsLength <= 0 || quantum <= 0 ||
            grantsOffset != arenaOffset + arenaLength || totalLength != grantsOffset + grantsLength ||
            0 != (arenaOffset | arenaLength | quantum) % PAGE_LENGTH || 0 != grantsLength % quantum)
        {
            throw bad(path, "has a header that is not consistent: arena at " + arenaOffset + " of " + arenaLength +
                " bytes, grants at " + grantsOffset + " of " + grantsLength + " bytes, quantum " + quantum);
        }

        return new SegmentHeader(
            SegmentDescriptor.getInt(header, OWNER_ID_OFFSET),
            SegmentDescriptor.getLong(header, GENERATION_OFFSET),
            arenaOffset,
            grantsOffset,
            totalLength,
            quantum);
    }

    private static SegmentException bad(final Path path, final String what)
    {
        return new SegmentException(ErrorCode.INVALID_ARGUMENT, "segment file " + path + " " + what, null);
    }
}
