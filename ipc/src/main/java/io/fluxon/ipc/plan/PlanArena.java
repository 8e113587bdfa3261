package io.fluxon.ipc.plan;

import java.util.Arrays;

/**
 * A client's allocator of plan blobs within its session's range of the plan arena. Free blocks are kept in lists by
 * size (powers of two of {@link #GRANULE}) and merge with their free neighbours; the books are on the heap of the
 * client, never in the range. Bounded by the range (contract BOUND-1), allocates nothing on the heap after
 * construction. Belongs to one thread.
 */
public final class PlanArena
{
    /** What {@link #allocate} returns when there is no room: back pressure to the caller. */
    public static final long FULL = 0;

    /** Unit of allocation: blobs begin at multiples of it from the range's first byte. */
    public static final int GRANULE = 64;

    private static final int NONE = -1;
    private static final int LISTS = Integer.SIZE;

    private final long address;
    private final int granules;
    // by first granule of a block: its granules, negative while the block is free, 0 where no block begins
    private final int[] blocks;
    // by last granule of a free block: its first granule
    private final int[] firstOfFree;
    private final int[] nextFree;
    private final int[] previousFree;
    private final int[] freeLists = new int[LISTS];
    private int usedGranules;
    private int blobs;

    /**
     * Creates an allocator of a range.
     *
     * @param address     of its first byte, a multiple of 8.
     * @param lengthBytes of the range, at least {@link #GRANULE}; what is over whole granules is not used.
     */
    public PlanArena(final long address, final long lengthBytes)
    {
        if (0 == address || 0 != (address & (Long.BYTES - 1)) ||
            lengthBytes < GRANULE || lengthBytes / GRANULE > Integer.MAX_VALUE / 2)
        {
            throw new IllegalArgumentException("no arena of " + lengthBytes + " bytes at address " + address);
        }

        this.address = address;
        this.granules = (int) (lengthBytes / GRANULE);
        this.blocks = new int[granules];
        this.firstOfFree = new int[granules];
        this.nextFree = new int[granules];
        this.previousFree = new int[granules];
        Arrays.fill(firstOfFree, NONE);
        Arrays.fill(freeLists, NONE);
        addFree(0, granules);
    }

    /**
     * Allocates memory of a blob.
     *
     * @param lengthBytes at least 1.
     * @return address, a multiple of 8; {@link #FULL} when there is no room now.
     */
    public long allocate(final long lengthBytes)
    {
        if (lengthBytes < 1)
        {
            throw new IllegalArgumentException("no blob of " + lengthBytes + " bytes");
        }
        if (lengthBytes > capacityBytes())
        {
            return FULL;
        }

        final int wanted = (int) ((lengthBytes + GRANULE - 1) / GRANULE);
        final int first = findFree(wanted);
        if (NONE == first)
        {
            return FULL;
        }

        final int found = -blocks[first];
        removeFree(first, found);
        if (found > wanted)
        {
            addFree(first + wanted, found - wanted);
        }
        blocks[first] = wanted;
        usedGranules += wanted;
        blobs++;

        return address + (long) first * GRANULE;
    }

    /**
     * Gives a blob back.
     *
     * @param blobAddress that {@link #allocate} returned.
     * @throws IllegalArgumentException when no blob begins there: a foreign address, or one given back already;
     *                                  nothing changes then.
     */
    public void free(final long blobAddress)
    {
        final long offset = blobAddress - address;
        if (offset < 0 || offset >= capacityBytes() || 0 != offset % GRANULE || blocks[(int) (offset / GRANULE)] <= 0)
        {
            throw new IllegalArgumentException("no blob begins at address " + blobAddress);
        }

        int first = (int) (offset / GRANULE);
        int length = blocks[first];
        usedGranules -= length;
        blobs--;
        blocks[first] = 0;

        final int next = first + length;
        if (next < granules && blocks[next] < 0)
        {
            final int nextLength = -blocks[next];
            removeFree(next, nextLength);
            length += nextLength;
        }
        if (first > 0 && NONE != firstOfFree[first - 1])
        {
            final int previous = firstOfFree[first - 1];
            removeFree(previous, first - previous);
            length += first - previous;
            first = previous;
        }
        addFree(first, length);
    }

    /**
     * Bytes in blobs, in whole granules.
     *
     * @return bytes.
     */
    public long usedBytes()
    {
        return (long) usedGranules * GRANULE;
    }

    /**
     * Bytes that can ever be in blobs.
     *
     * @return bytes.
     */
    public long capacityBytes()
    {
        return (long) granules * GRANULE;
    }

    /**
     * Blobs that are not given back.
     *
     * @return count.
     */
    public int blobs()
    {
        return blobs;
    }

    private int findFree(final int wanted)
    {
        // blocks of a higher list are all long enough
        final int own = list(wanted);
        final int sure = 1 << own == wanted ? own : own + 1;
        for (int list = sure; list < LISTS; list++)
        {
            if (NONE != freeLists[list])
            {
                return freeLists[list];
            }
        }

        int first = freeLists[own];
        while (NONE != first && -blocks[first] < wanted)
        {
            first = nextFree[first];
        }

        return first;
    }

    private void addFree(final int first, final int length)
    {
        final int list = list(length);
        final int head = freeLists[list];
        blocks[first] = -length;
        firstOfFree[first + length - 1] = first;
        nextFree[first] = head;
        previousFree[first] = NONE;
        if (NONE != head)
        {
            previousFree[head] = first;
        }
        freeLists[list] = first;
    }

    private void removeFree(final int first, final int length)
    {
        final int next = nextFree[first];
        final int previous = previousFree[first];
        if (NONE != next)
        {
            previousFree[next] = previous;
        }
        if (NONE != previous)
        {
            nextFree[previous] = next;
        }
        else
        {
            freeLists[list(length)] = next;
        }
        blocks[first] = 0;
        firstOfFree[first + length - 1] = NONE;
    }

    private static int list(final int length)
    {
        return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(length);
    }
}
