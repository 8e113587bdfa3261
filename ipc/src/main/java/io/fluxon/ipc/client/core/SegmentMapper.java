package io.fluxon.ipc.client.core;

/**
 * Boundary of the core: maps the owner's segment into this process.
 */
@FunctionalInterface
public interface SegmentMapper
{
    /** The file could not be mapped: it is not there, too short, or of another generation. */
    long NOT_MAPPED = 0;

    /**
     * Maps the part of a segment that belongs to workers: plan arena and grants.
     *
     * @param path       of the segment file.
     * @param generation that its header must name.
     * @param mapOffset  first byte of the file to map.
     * @param length     number of bytes to map.
     * @return address of the byte at mapOffset, or {@link #NOT_MAPPED}.
     */
    long map(String path, long generation, long mapOffset, long length);
}
