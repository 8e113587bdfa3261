package io.fluxon.engine.owner;

/**
 * How long slots were on their way out, from their selection until they could be claimed again: a histogram of fixed
 * size that records without allocating. A bucket is a sixteenth of a power of two wide, so a percentile is at most
 * 6.25 % above the duration that it stands for. Durations are those between duty cycles.
 */
final class EvictionTimes
{
    private static final int PARTS_LOG2 = 4;
    private static final int PARTS = 1 << PARTS_LOG2;

    private final long[] buckets = new long[(Long.SIZE - PARTS_LOG2) << PARTS_LOG2];
    private long count;

    /** A slot is free; a negative duration counts as 0. */
    void record(final long durationNs)
    {
        buckets[bucketOf(Math.max(0, durationNs))]++;
        count++;
    }

    /**
     * Duration that a part of the slots did not exceed.
     *
     * @param perMille of the slots, from 1 to 1000.
     * @return the longest duration of its bucket in nanoseconds, 0 when nothing was recorded.
     */
    long percentileNs(final int perMille)
    {
        final long wanted = Math.max(1, Math.ceilDiv(count * perMille, 1000L));
        long seen = 0;
        for (int i = 0; i < buckets.length; i++)
        {
            seen += buckets[i];
            if (seen >= wanted)
            {
                return highestOf(i);
            }
        }

        return 0;
    }

    /** The first buckets are one nanosecond wide; behind them each power of two has as many parts. */
    private static int bucketOf(final long durationNs)
    {
        if (durationNs < PARTS)
        {
            return (int)durationNs;
        }

        final int shift = Long.SIZE - 1 - PARTS_LOG2 - Long.numberOfLeadingZeros(durationNs);

        return (shift << PARTS_LOG2) + (int)(durationNs >>> shift);
    }

    private static long highestOf(final int bucket)
    {
        if (bucket < PARTS)
        {
            return bucket;
        }

        final int shift = (bucket >>> PARTS_LOG2) - 1;
        final long part = PARTS + (bucket & PARTS - 1);

        return (part + 1 << shift) - 1;
    }
}
