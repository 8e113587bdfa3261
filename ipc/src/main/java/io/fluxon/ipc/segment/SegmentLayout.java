package io.fluxon.ipc.segment;

import io.fluxon.ipc.ErrorCode;

/**
 * What to create: the identity of a segment and the lengths of its parts.
 *
 * @param instance     name of the owner's instance: 1 to 100 letters, digits, '.', '_' or '-', no '.' first.
 * @param ownerId      of the owner.
 * @param generation   of the owner, positive and greater than that of each earlier start.
 * @param arenaLength  bytes of the plan arena, a positive multiple of {@link SegmentDescriptor#PAGE_LENGTH}.
 * @param grantsLength bytes of all grants: the configured capacity, a positive multiple of the quantum.
 * @param grantQuantum bytes of a grant, a positive multiple of {@link SegmentDescriptor#PAGE_LENGTH}.
 */
public record SegmentLayout(
    String instance, int ownerId, long generation, long arenaLength, long grantsLength, long grantQuantum)
{
    /** Checks every field. */
    public SegmentLayout
    {
        if (null == instance || !instance.matches("[A-Za-z0-9._-]{1,100}") || instance.startsWith("."))
        {
            throw invalid("instance", instance, "1 to 100 letters, digits, '.', '_' or '-', no '.' first");
        }
        if (generation <= 0)
        {
            throw invalid("generation", generation, "a positive number");
        }
        if (grantQuantum <= 0 || 0 != grantQuantum % SegmentDescriptor.PAGE_LENGTH)
        {
            throw invalid("grantQuantum", grantQuantum, "a positive multiple of 4096");
        }
        if (arenaLength <= 0 || 0 != arenaLength % SegmentDescriptor.PAGE_LENGTH)
        {
            throw invalid("arenaLength", arenaLength, "a positive multiple of 4096");
        }
        if (grantsLength <= 0 || 0 != grantsLength % grantQuantum ||
            grantsLength > Long.MAX_VALUE / 2 || arenaLength > Long.MAX_VALUE / 4)
        {
            throw invalid("grantsLength", grantsLength, "a positive multiple of grantQuantum " + grantQuantum);
        }
    }

    /**
     * Offset of the plan arena in the file: what workers map begins here.
     *
     * @return offset in bytes.
     */
    public long arenaOffset()
    {
        return SegmentDescriptor.PAGE_LENGTH;
    }

    /**
     * Offset of the first grant in the file.
     *
     * @return offset in bytes.
     */
    public long grantsOffset()
    {
        return arenaOffset() + arenaLength;
    }

    /**
     * Length of the file.
     *
     * @return length in bytes.
     */
    public long totalLength()
    {
        return grantsOffset() + grantsLength;
    }

    /**
     * Name of the segment file within its folder.
     *
     * @return {@code instance-generation.segment}.
     */
    public String segmentFileName()
    {
        return instance + "-" + generation + SegmentFile.SEGMENT_SUFFIX;
    }

    private static SegmentException invalid(final String field, final Object value, final String allowed)
    {
        return new SegmentException(
            ErrorCode.INVALID_ARGUMENT, field + " is " + value + ", allowed is " + allowed, null);
    }
}
