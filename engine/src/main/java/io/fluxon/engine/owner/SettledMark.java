package io.fluxon.engine.owner;

import io.fluxon.codecs.control.IdListEncodingDecoder;

import java.util.Arrays;

/**
 * Which requests are settled: all below an id, but those that are listed as open. A bounded list, so that a request
 * which waits long does not keep the outcomes of all that were made after it (contract BOUND-1). Not thread-safe.
 */
final class SettledMark
{
    /** Requests that can be listed. */
    static final int MAX_OPEN = IdListEncodingDecoder.numInGroupMaxValue();

    private final long[] open = new long[MAX_OPEN];
    private int openCount;
    private long below = Long.MIN_VALUE;

    /** Begins anew: all below an id are settled. */
    void set(final long newBelow)
    {
        below = newBelow;
        openCount = 0;
    }

    /**
     * Lists a request as open.
     *
     * @return false when it is not below the mark, its id is not higher than that of the last one, or the list is full.
     */
    boolean addOpen(final long requestId)
    {
        if (MAX_OPEN == openCount || requestId >= below || openCount > 0 && requestId <= open[openCount - 1])
        {
            return false;
        }
        open[openCount++] = requestId;

        return true;
    }

    boolean isSettled(final long requestId)
    {
        return requestId < below && Arrays.binarySearch(open, 0, openCount, requestId) < 0;
    }

    /** Is the mark lower than another one? */
    boolean isBelow(final SettledMark other)
    {
        return below < other.below;
    }

    /** Takes over a later mark, which is not lower. What was settled stays so, though that one lists it. */
    void raiseTo(final SettledMark later)
    {
        int count = 0;
        for (int i = 0; i < later.openCount; i++)
        {
            if (!isSettled(later.open[i]))
            {
                later.open[count++] = later.open[i];
            }
        }
        later.openCount = count;

        System.arraycopy(later.open, 0, open, 0, count);
        openCount = count;
        below = later.below;
    }
}
