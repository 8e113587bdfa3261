package io.fluxon.engine.owner;

/**
 * The plan arena's ranges, one a session (contract PLAN-1). A range is given out again only when nobody can write to it
 * any more.
 */
final class ArenaRanges
{
    /** No range is left. */
    static final int NONE = -1;

    private static final long RANGE_ALIGNMENT = 4096;

    private final boolean[] isTaken;
    private final long rangeLength;

    ArenaRanges(final long arenaLength, final int count)
    {
        isTaken = new boolean[count];
        rangeLength = arenaLength / count & -RANGE_ALIGNMENT;
        if (rangeLength < RANGE_ALIGNMENT)
        {
            throw new IllegalArgumentException("plan arena of " + arenaLength + " B has no page for each of " + count +
                " sessions");
        }
    }

    int take()
    {
        for (int i = 0; i < isTaken.length; i++)
        {
            if (!isTaken[i])
            {
                isTaken[i] = true;
                return i;
            }
        }

        return NONE;
    }

    void release(final int range)
    {
        isTaken[range] = false;
    }

    long rangeLength()
    {
        return rangeLength;
    }
}
