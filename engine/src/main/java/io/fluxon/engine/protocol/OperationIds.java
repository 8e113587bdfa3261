package io.fluxon.engine.protocol;

/**
 * Gives out the operation ids of one owner generation and follows which are answered (contract T1). The acknowledged
 * watermark is the highest id up to which every id has its answer; at most {@link Limits#MAX_OPEN_OPERATIONS} ids are
 * given out above it. Not thread-safe.
 */
public final class OperationIds
{
    /** No id: the bound of open operations is reached. */
    public static final long NONE = 0;

    private static final int BITS_SHIFT = 6;

    private final long[] answered = new long[Limits.MAX_OPEN_OPERATIONS >> BITS_SHIFT];
    private long lastId;
    private long watermark;

    /**
     * Gives out the next id.
     *
     * @return an id one higher than the last, or {@link #NONE} when too many are open above the watermark.
     */
    public long next()
    {
        if (lastId - watermark >= Limits.MAX_OPEN_OPERATIONS)
        {
            return NONE;
        }

        return ++lastId;
    }

    /**
     * An operation has its definitive answer, or is known to need none. Repeated calls for an id do nothing.
     *
     * @param id that was given out.
     */
    public void complete(final long id)
    {
        if (id <= watermark || id > lastId)
        {
            return;
        }

        set(id);
        while (watermark < lastId && isSet(watermark + 1))
        {
            watermark++;
            clear(watermark);
        }
    }

    /**
     * Acknowledged watermark.
     *
     * @return highest id up to which every id is complete, 0 at first.
     */
    public long watermark()
    {
        return watermark;
    }

    /**
     * Last id given out.
     *
     * @return the id, 0 at first.
     */
    public long lastId()
    {
        return lastId;
    }

    /**
     * Room above the watermark.
     *
     * @return number of ids that can be given out before the bound.
     */
    public int available()
    {
        return (int)(Limits.MAX_OPEN_OPERATIONS - (lastId - watermark));
    }

    private boolean isSet(final long id)
    {
        return 0 != (answered[word(id)] & (1L << id));
    }

    private void set(final long id)
    {
        answered[word(id)] |= 1L << id;
    }

    private void clear(final long id)
    {
        answered[word(id)] &= ~(1L << id);
    }

    private int word(final long id)
    {
        return (int)(id >> BITS_SHIFT) & (answered.length - 1);
    }
}
