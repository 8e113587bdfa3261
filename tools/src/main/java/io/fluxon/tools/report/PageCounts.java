package io.fluxon.tools.report;

/**
 * What workers counted of their requests' pages.
 */
public final class PageCounts
{
    /** Pages that requests asked for. */
    public long requested;
    /** Pages of the prefixes that requests were offered, and took. */
    public long hit;
    /** Of {@link #hit}: pages that the worker's owner had to fetch from another. */
    public long hitRemote;
    /** Pages that requests then put; equal ones of one request count once. */
    public long put;
    /** Of {@link #put}: pages whose commit result was 0. */
    public long written;
    /** Pages that were copied out and compared byte by byte, right or wrong. */
    public long verified;
    /** Bytes of the pages that were compared. */
    public long verifiedBytes;
    /** Of {@link #verified}: pages with a wrong byte. */
    public long corrupt;

    /**
     * Adds other counts.
     *
     * @param other counts to add.
     */
    public void add(final PageCounts other)
    {
        requested += other.requested;
        hit += other.hit;
        hitRemote += other.hitRemote;
        put += other.put;
        written += other.written;
        verified += other.verified;
        verifiedBytes += other.verifiedBytes;
        corrupt += other.corrupt;
    }

    /**
     * Of {@link #hit}: pages that the worker's owner had.
     *
     * @return number of pages.
     */
    public long hitLocal()
    {
        return hit - hitRemote;
    }

    /**
     * Pages that were asked for and are not {@link #hit}.
     *
     * @return number of pages.
     */
    public long missed()
    {
        return requested - hit;
    }
}
