package io.fluxon.ipc.segment;

import io.fluxon.ipc.ErrorCode;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * The owner's side of a segment: creates the file of its generation, holds the instance's lock and the mapping of the
 * whole file.
 * <p>
 * Files in the folder: {@code instance.lock} (held while the owner lives, names its process) and {@code
 * instance-generation.segment}. Files of the instance's older generations are unlinked; who still maps them keeps the
 * old bytes and never sees new ones (contract SLOT-7). The slot table is the owner's alone and in no file.
 */
public final class SegmentFile implements AutoCloseable
{
    /** Suffix of segment files. */
    public static final String SEGMENT_SUFFIX = ".segment";
    /** Suffix of lock files. */
    public static final String LOCK_SUFFIX = ".lock";

    private static final VarHandle TOUCH = ValueLayout.JAVA_LONG.varHandle();

    private final SegmentLayout layout;
    private final Path path;
    private final SegmentLock lock;
    private final Arena arena;
    private final MemorySegment memory;
    private final MemorySegment slots;
    private final long baseAddress;

    private SegmentFile(
        final SegmentLayout layout,
        final Path path,
        final SegmentLock lock,
        final Arena arena,
        final MemorySegment memory,
        final MemorySegment slots)
    {
        this.layout = layout;
        this.path = path;
        this.lock = lock;
        this.arena = arena;
        this.memory = memory;
        this.slots = slots;
        this.baseAddress = memory.address();
    }

    /**
     * Creates the segment of a generation and the memory of its slot table: takes the lock, unlinks older generations,
     * checks the free space of the file system against the segment's length, then creates and maps both (sparse, all
     * zero). The segment is not ready yet: {@link #markReady()}.
     *
     * @param folder           that holds the files; created when absent.
     * @param layout           of the segment.
     * @param slotsLengthBytes of the slot table, 0 for none; only what is used of it becomes memory of this process.
     * @return the segment.
     * @throws SegmentException when another owner holds the lock, a newer or the same generation exists, or there is no
     *                          room; nothing was created then.
     */
    public static SegmentFile create(final Path folder, final SegmentLayout layout, final long slotsLengthBytes)
    {
        if (slotsLengthBytes < 0)
        {
            throw new SegmentException(
                ErrorCode.INVALID_ARGUMENT, "slotsLengthBytes is " + slotsLengthBytes + ", allowed is 0 or more", null);
        }

        SegmentLock lock = null;
        try
        {
            final Path absolute = folder.toAbsolutePath();
            Files.createDirectories(absolute);
            lock = SegmentLock.acquire(absolute, layout.instance());
            SegmentGenerations.unlinkOlder(absolute, layout.instance(), layout.generation());
            FileSpace.check(absolute, layout.totalLength());

            return createFiles(absolute, layout, slotsLengthBytes, lock);
        }
        catch (final IOException ex)
        {
            closeQuietly(lock, ex);
            throw new SegmentException(ErrorCode.UNKNOWN, "cannot create a segment in " + folder + ": " + ex, ex);
        }
        catch (final RuntimeException ex)
        {
            closeQuietly(lock, ex);
            throw ex;
        }
    }

    /**
     * Maps plan arena and grants of a ready segment, read-write, for a worker.
     *
     * @param path       of the segment file.
     * @param generation that is expected.
     * @return the mapping.
     * @throws SegmentException when the file is absent, truncated, of another layout or generation, or not ready.
     */
    public static SegmentMapping mapForWorker(final Path path, final long generation)
    {
        return map(path, generation, true);
    }

    /**
     * Maps the grants of a ready segment, read-only, for a peer that reads values.
     *
     * @param path       of the segment file.
     * @param generation that is expected.
     * @return the mapping.
     * @throws SegmentException when the file is absent, truncated, of another layout or generation, or not ready.
     */
    public static SegmentMapping mapForPeer(final Path path, final long generation)
    {
        return map(path, generation, false);
    }

    /**
     * Newest generation of an instance that has left a file.
     *
     * @param folder   that holds the files.
     * @param instance name.
     * @return generation, or 0 when there is none.
     */
    public static long newestGeneration(final Path folder, final String instance)
    {
        try
        {
            return SegmentGenerations.newest(folder, instance);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Layout given at creation.
     *
     * @return the layout.
     */
    public SegmentLayout layout()
    {
        return layout;
    }

    /**
     * Path of the segment file.
     *
     * @return absolute path.
     */
    public Path path()
    {
        return path;
    }

    /**
     * Address of the file's first byte in this process: an offset of a message plus this is an address.
     *
     * @return address.
     */
    public long baseAddress()
    {
        return baseAddress;
    }

    /**
     * Address of a range of the segment.
     *
     * @param offset      of its first byte in the file.
     * @param lengthBytes of the range.
     * @return address.
     * @throws IndexOutOfBoundsException when the range is not within arena and grants.
     */
    public long addressOf(final long offset, final long lengthBytes)
    {
        checkRange(offset, lengthBytes);
        return baseAddress + offset;
    }

    /**
     * The slot table's memory, all zero at first.
     *
     * @return memory, or null when there is none.
     */
    public MemorySegment slots()
    {
        return slots;
    }

    /**
     * Address of the slot table's first byte in this process.
     *
     * @return address, 0 when there is none.
     */
    public long slotsAddress()
    {
        return null == slots ? 0 : slots.address();
    }

    /**
     * Length of the slot table.
     *
     * @return bytes.
     */
    public long slotsLength()
    {
        return null == slots ? 0 : slots.byteSize();
    }

    /**
     * Takes the space of a range from the file system, so that no later access by any process can fail; on a memory
     * file system the memory itself, on the NUMA node of the calling thread. Content stays. Several threads may take
     * different ranges at once.
     *
     * @param offset      of the first byte in the file.
     * @param lengthBytes of the range.
     * @throws SegmentException when the file system has no more room.
     */
    public void allocate(final long offset, final long lengthBytes)
    {
        checkRange(offset, lengthBytes);
        if (lengthBytes > 0)
        {
            FileSpace.allocate(path, offset, lengthBytes);
        }
    }

    /**
     * Takes the space of a range and touches each page of it, so that memory is behind it and no later access can
     * fail (contract SLOT-3, DEP-1: call it from threads bound to the owner's NUMA node). Content stays. Several
     * threads may touch different ranges at once.
     *
     * @param offset      of the first byte in the file, a multiple of 4096.
     * @param lengthBytes of the range, a multiple of 4096.
     * @throws SegmentException when the file system has no more room.
     */
    public void touch(final long offset, final long lengthBytes)
    {
        if (0 != (offset | lengthBytes) % SegmentDescriptor.PAGE_LENGTH)
        {
            throw new IllegalArgumentException("offset " + offset + " or length " + lengthBytes + " is within a page");
        }

        allocate(offset, lengthBytes);
        for (long i = offset; i < offset + lengthBytes; i += SegmentDescriptor.PAGE_LENGTH)
        {
            final long ignored = (long) TOUCH.getAndAdd(memory, i, 0L);
        }
    }

    /** Says that workers and peers may map the segment now; everything written before is visible to them. */
    public void markReady()
    {
        SegmentDescriptor.ready(memory, SegmentDescriptor.READY);
    }

    /**
     * Unmaps, unlinks the files of this generation and gives up the lock; repeated calls do nothing. No address of
     * this segment may be used in this process after it.
     */
    @Override
    public void close()
    {
        if (!arena.scope().isAlive())
        {
            return;
        }

        arena.close();
        try (lock)
        {
            Files.deleteIfExists(path);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void checkRange(final long offset, final long lengthBytes)
    {
        Objects.checkFromIndexSize(
            offset - layout.arenaOffset(), lengthBytes, layout.totalLength() - layout.arenaOffset());
    }

    private static SegmentFile createFiles(
        final Path folder, final SegmentLayout layout, final long slotsLength, final SegmentLock lock)
        throws IOException
    {
        final Path path = folder.resolve(layout.segmentFileName());
        final Arena arena = Arena.ofShared();
        try
        {
            final MemorySegment memory = createFile(path, layout.totalLength(), arena);
            final MemorySegment slots = 0 == slotsLength ? null : OwnMemory.map(slotsLength, arena);
            SegmentHeader.write(memory, layout);

            return new SegmentFile(layout, path, lock, arena, memory, slots);
        }
        catch (final IOException | RuntimeException ex)
        {
            arena.close();
            Files.deleteIfExists(path);
            throw ex;
        }
    }

    private static MemorySegment createFile(final Path path, final long length, final Arena arena) throws IOException
    {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw"))
        {
            file.setLength(length);
            return file.getChannel().map(MapMode.READ_WRITE, 0, length, arena);
        }
    }

    private static SegmentMapping map(final Path path, final long generation, final boolean isWorker)
    {
        final Arena arena = Arena.ofShared();
        try (FileChannel channel = isWorker ?
            FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE) :
            FileChannel.open(path, StandardOpenOption.READ))
        {
            final SegmentHeader header = SegmentHeader.read(channel, path, generation);
            final long mapOffset = isWorker ? header.arenaOffset() : header.grantsOffset();
            final MemorySegment memory = channel.map(
                isWorker ? MapMode.READ_WRITE : MapMode.READ_ONLY, mapOffset, header.totalLength() - mapOffset, arena);

            return new SegmentMapping(
                path, header.generation(), header.ownerId(), mapOffset, header.grantsOffset(), header.grantQuantum(),
                memory, arena);
        }
        catch (final NoSuchFileException ex)
        {
            arena.close();
            throw new SegmentException(ErrorCode.UNKNOWN, "there is no segment file " + path +
                ": its owner has ended or started anew", ex);
        }
        catch (final IOException ex)
        {
            arena.close();
            throw new SegmentException(ErrorCode.UNKNOWN, "cannot map segment file " + path + ": " + ex, ex);
        }
        catch (final RuntimeException ex)
        {
            arena.close();
            throw ex;
        }
    }

    private static void closeQuietly(final SegmentLock lock, final Exception cause)
    {
        if (null != lock)
        {
            try
            {
                lock.close();
            }
            catch (final IOException ex)
            {
                cause.addSuppressed(ex);
            }
        }
    }
}
