package io.fluxon.tools.report;

/**
 * The part of a run in which the store was full: from the first eviction of every owner on that can evict.
 *
 * @param fillSeconds before it.
 * @param seconds     of it.
 * @param requested   pages that requests asked for.
 * @param hit         of them: pages of the prefixes that were there.
 * @param hitRemote   of these: pages that another owner had.
 * @param written     pages that were put and committed.
 */
public record FullPeriod(double fillSeconds, double seconds, long requested, long hit, long hitRemote, long written)
{
    /**
     * Part of the requested pages that were hit.
     *
     * @return from 0 to 1, 0 when none was requested.
     */
    public double hitRate()
    {
        return requested > 0 ? (double) hit / requested : 0;
    }

    /**
     * Part of the requested pages that were hit at another owner.
     *
     * @return from 0 to 1, 0 when none was requested.
     */
    public double remoteHitRate()
    {
        return requested > 0 ? (double) hitRemote / requested : 0;
    }

    /**
     * Pages that were put and committed, by time.
     *
     * @return pages a second, 0 when no time was taken.
     */
    public double putsPerSecond()
    {
        return seconds > 0 ? written / seconds : 0;
    }
}
