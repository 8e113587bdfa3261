package io.fluxon.tools.bench.path;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Durations of the stages of one way, one for each run.
 */
final class PathTimes
{
    private static final double MEDIAN = 0.5;

    private final Map<String, long[]> stages = new LinkedHashMap<>();
    private final int runs;

    PathTimes(final int runs)
    {
        this.runs = runs;
    }

    /** Notes a duration in nanoseconds; runs before the first that counts have numbers below 0. */
    void put(final String stage, final int run, final long durationNs)
    {
        final long[] times = stages.computeIfAbsent(stage, (name) -> new long[runs]);
        if (run >= 0)
        {
            times[run] = durationNs;
        }
    }

    Iterable<String> stages()
    {
        return stages.keySet();
    }

    /** Microseconds that a part of the runs is not above. */
    double micros(final String stage, final double quantile)
    {
        return quantile(stages.get(stage), quantile);
    }

    /** Median of what one stage takes more than another of the same run, in microseconds. */
    double medianDifference(final String stage, final String other)
    {
        final long[] differences = new long[runs];
        Arrays.setAll(differences, (i) -> stages.get(stage)[i] - stages.get(other)[i]);
        return quantile(differences, MEDIAN);
    }

    private static double quantile(final long[] times, final double quantile)
    {
        final long[] sorted = times.clone();
        Arrays.sort(sorted);
        return sorted[Math.min(sorted.length - 1, (int) (quantile * sorted.length))] / 1e3;
    }
}
