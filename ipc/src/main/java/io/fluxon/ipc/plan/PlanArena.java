package io.fluxon.ipc.plan;

/**
 * A client's allocator of plan blobs within its session's range of the plan arena. Best effort fit over size classes
 * with merging of neighbours; its books are kept on the heap of the client, never in the range. Bounded by the range
 * (contract BOUND-1), allocates nothing on the heap after construction. Belongs to one thread.
 */
public final class PlanArena
{
    /** What {@link #allocate} returns when there is no room: back pressure to the caller. */
    public static final long FULL = 0;

    /** Unit of allocation: blobs begin at multiples of it from the range's first byte. */
    public static final int GRANULE = 64;

    /**
     * Creates an allocator of a range.
     *
     * @param address     of its first byte, a multiple of 8.
     * @param lengthBytes of the range, at least {@link #GRANULE}.
     */
    public PlanArena(final long address, final long lengthBytes)
    {
    }

    /**
     * Allocates memory of a blob.
     *
     * @param lengthBytes at least 1.
     * @return address, a multiple of 8; {@link #FULL} when there is no room now.
     */
    public long allocate(final long lengthBytes)
    {
        return FULL;
    }

    /**
     * Gives a blob back.
     *
     * @param address that {@link #allocate} returned.
     * @throws IllegalArgumentException when no blob begins there: a foreign address, or one given back already;
     *                                  nothing changes then.
     */
    public void free(final long address)
    {
    }

    /**
     * Bytes in blobs, in whole granules.
     *
     * @return bytes.
     */
    public long usedBytes()
    {
        return 0;
    }

    /**
     * Bytes that can ever be in blobs.
     *
     * @return bytes.
     */
    public long capacityBytes()
    {
        return 0;
    }

    /**
     * Blobs that are not given back.
     *
     * @return count.
     */
    public int blobs()
    {
        return 0;
    }
}
