package io.fluxon.ipc.segment;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A part of a segment, mapped by a worker or a peer. Offsets are those of the file, as in messages; forming an address
 * checks the range (contract GET-1). After {@link #close()} no address of it may be used any more.
 */
public final class SegmentMapping implements AutoCloseable
{
    private final Path path;
    private final long generation;
    private final int ownerId;
    private final long mapOffset;
    private final long grantsOffset;
    private final long grantQuantum;
    private final MemorySegment memory;
    private final long mappedAddress;
    private final long mappedLength;
    private final Arena arena;

    SegmentMapping(
        final Path path,
        final long generation,
        final int ownerId,
        final long mapOffset,
        final long grantsOffset,
        final long grantQuantum,
        final MemorySegment memory,
        final Arena arena)
    {
        this.path = path;
        this.generation = generation;
        this.ownerId = ownerId;
        this.mapOffset = mapOffset;
        this.grantsOffset = grantsOffset;
        this.grantQuantum = grantQuantum;
        this.memory = memory;
        this.mappedAddress = memory.address();
        this.mappedLength = memory.byteSize();
        this.arena = arena;
    }

    /**
     * Path of the segment file.
     *
     * @return path as given.
     */
    public Path path()
    {
        return path;
    }

    /**
     * Generation of the segment's owner.
     *
     * @return generation.
     */
    public long generation()
    {
        return generation;
    }

    /**
     * Owner of the segment.
     *
     * @return owner id.
     */
    public int ownerId()
    {
        return ownerId;
    }

    /**
     * Offset in the file of the first mapped byte.
     *
     * @return bytes.
     */
    public long mapOffset()
    {
        return mapOffset;
    }

    /**
     * Address of the first mapped byte: what is registered with CUDA (contract REG-1).
     *
     * @return address.
     */
    public long mappedAddress()
    {
        return mappedAddress;
    }

    /**
     * Length that is mapped.
     *
     * @return bytes.
     */
    public long mappedLength()
    {
        return mappedLength;
    }

    /**
     * The address that the file's first byte would have: plus a file offset within the mapping it is an address.
     *
     * @return address; not itself mapped.
     */
    public long baseAddress()
    {
        return mappedAddress - mapOffset;
    }

    /**
     * First file offset behind the plan arena, where the grants begin.
     *
     * @return bytes.
     */
    public long grantsOffset()
    {
        return grantsOffset;
    }

    /**
     * Length of a grant; grants lie one after the other, and no value straddles two of them (contract SLOT-1).
     *
     * @return bytes.
     */
    public long grantQuantum()
    {
        return grantQuantum;
    }

    /**
     * Is a range of the file mapped here?
     *
     * @param offset      of its first byte in the file.
     * @param lengthBytes of the range, 0 or more.
     * @return true when all of it is.
     */
    public boolean contains(final long offset, final long lengthBytes)
    {
        final long mappedOffset = offset - mapOffset;
        return offset >= mapOffset && lengthBytes >= 0 && mappedOffset <= mappedLength &&
            lengthBytes <= mappedLength - mappedOffset;
    }

    /**
     * Address of a range of the file.
     *
     * @param offset      of its first byte in the file.
     * @param lengthBytes of the range.
     * @return address.
     * @throws IndexOutOfBoundsException when it is not mapped here.
     */
    public long addressOf(final long offset, final long lengthBytes)
    {
        if (!contains(offset, lengthBytes))
        {
            throw new IndexOutOfBoundsException("offset " + offset + " and length " + lengthBytes +
                " are not within " + mapOffset + " to " + (mapOffset + mappedLength));
        }

        return mappedAddress + (offset - mapOffset);
    }

    /**
     * The mapped memory; read-only for a peer.
     *
     * @return memory, its first byte is that at {@link #mapOffset()}.
     */
    public MemorySegment memory()
    {
        return memory;
    }

    /** Unmaps; repeated calls do nothing. */
    @Override
    public void close()
    {
        if (arena.scope().isAlive())
        {
            arena.close();
        }
    }
}
