package io.fluxon.ipc.segment;

import java.nio.file.Path;

/**
 * The owner's side of a segment: creates the file of its generation, holds the instance's lock and the mapping of the
 * whole file.
 * <p>
 * Files in the folder: {@code instance.lock} (held while the owner lives, names its process), {@code
 * instance-generation.segment} and {@code instance-generation.slots} (the slot table, the owner's alone). Files of the
 * instance's older generations are unlinked; who still maps them keeps the old bytes and never sees new ones
 * (contract SLOT-7).
 */
public final class SegmentFile implements AutoCloseable
{
    /** Suffix of segment files. */
    public static final String SEGMENT_SUFFIX = ".segment";
    /** Suffix of slot table files. */
    public static final String SLOTS_SUFFIX = ".slots";
    /** Suffix of lock files. */
    public static final String LOCK_SUFFIX = ".lock";

    private SegmentFile()
    {
    }

    /**
     * Creates the segment of a generation and the file of its slot table: takes the lock, unlinks older generations,
     * checks the free space of the file system against the request, then creates and maps both (sparse, all zero).
     * The segment is not ready yet: {@link #markReady()}.
     *
     * @param folder           that holds the files; created when absent.
     * @param layout           of the segment.
     * @param slotsLengthBytes of the slot table's file, 0 for none.
     * @return the segment.
     * @throws SegmentException when another owner holds the lock, a newer or the same generation exists, or there is no
     *                          room; nothing was created then.
     */
    public static SegmentFile create(final Path folder, final SegmentLayout layout, final long slotsLengthBytes)
    {
        return new SegmentFile();
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
        return null;
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
        return null;
    }

    /**
     * Newest generation of an instance that has left a segment file.
     *
     * @param folder   that holds the files.
     * @param instance name.
     * @return generation, or 0 when there is none.
     */
    public static long newestGeneration(final Path folder, final String instance)
    {
        return 0;
    }

    /**
     * Layout given at creation.
     *
     * @return the layout.
     */
    public SegmentLayout layout()
    {
        return null;
    }

    /**
     * Path of the segment file.
     *
     * @return absolute path.
     */
    public Path path()
    {
        return null;
    }

    /**
     * Address of the file's first byte in this process: an offset of a message plus this is an address.
     *
     * @return address.
     */
    public long baseAddress()
    {
        return 0;
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
        return 0;
    }

    /**
     * Address of the slot table's first byte in this process.
     *
     * @return address, 0 when there is none.
     */
    public long slotsAddress()
    {
        return 0;
    }

    /**
     * Length of the slot table's file.
     *
     * @return bytes.
     */
    public long slotsLength()
    {
        return 0;
    }

    /**
     * Touches each page of a range so that memory is behind it (contract SLOT-3, DEP-1: call it from threads bound to
     * the owner's NUMA node). Content stays. Several threads may touch different ranges at once.
     *
     * @param offset      of the first byte in the file.
     * @param lengthBytes of the range.
     * @throws SegmentException when the file system has no more room.
     */
    public void touch(final long offset, final long lengthBytes)
    {
    }

    /** Says that workers and peers may map the segment now; everything written before is visible to them. */
    public void markReady()
    {
    }

    /**
     * Unmaps, unlinks the files of this generation and gives up the lock; repeated calls do nothing. No address of
     * this segment may be used in this process after it.
     */
    @Override
    public void close()
    {
    }
}
