package io.fluxon.cuda;

import io.fluxon.ipc.client.LocalSegment;

/**
 * A segment as the calling process maps it: the plan arena, then grants, each of the same length.
 *
 * @param label        of the segment, for errors.
 * @param address      of its first byte, a multiple of the system's page.
 * @param length       in bytes.
 * @param generation   of its owner.
 * @param grantsOffset bytes of the plan arena, which it begins with.
 * @param grantBytes   of a grant: no value straddles two of them.
 */
public record CopySegment(
    String label, long address, long length, long generation, long grantsOffset, long grantBytes)
{
    /** What one registration of grants has at most, but at least one grant. */
    private static final long REGISTRATION_BYTES = 1L << 30;

    /**
     * Checks that the parts fit.
     */
    public CopySegment
    {
        if (0 == address || grantsOffset < 1 || grantBytes < 1 || length <= grantsOffset)
        {
            throw new IllegalArgumentException(label + " at " + address + " of " + length + " bytes, grants of " +
                grantBytes + " from " + grantsOffset + ", allowed: an address, a plan arena, and grants behind it");
        }
    }

    /**
     * The segment that a client has mapped.
     *
     * @param segment of the client.
     * @return the same, for copies.
     */
    public static CopySegment of(final LocalSegment segment)
    {
        return new CopySegment(segment.segmentLabel(), segment.writePtr(), segment.len(), segment.generation(),
            segment.grantsOffset(), segment.grantBytes());
    }

    /** Bytes of a registration behind that of the plan arena. @return whole grants. */
    long chunkBytes()
    {
        return Math.max(1, REGISTRATION_BYTES / grantBytes) * grantBytes;
    }

    /** Its name in errors. @return label and generation. */
    String name()
    {
        return "segment " + label + " of generation " + generation;
    }
}
