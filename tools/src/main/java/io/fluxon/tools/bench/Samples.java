package io.fluxon.tools.bench;

import org.HdrHistogram.Histogram;

import java.util.EnumMap;
import java.util.Map;

/**
 * Round trips of the operations, as long as they are to be counted. Confined to the thread that makes the load.
 */
final class Samples
{
    private static final long HIGHEST_NS = 60_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;

    private final Map<BenchOperation, Histogram> histograms = new EnumMap<>(BenchOperation.class);
    private boolean isCounting;
    private long keys;
    private long failures;
    private String firstFailure;

    Samples()
    {
        for (final BenchOperation operation : BenchOperation.values())
        {
            histograms.put(operation, new Histogram(HIGHEST_NS, SIGNIFICANT_DIGITS));
        }
    }

    void reset()
    {
        histograms.values().forEach(Histogram::reset);
        keys = 0;
        failures = 0;
    }

    void count(final boolean isCounted)
    {
        isCounting = isCounted;
    }

    void answered(final BenchOperation operation, final long durationNs)
    {
        if (isCounting)
        {
            histograms.get(operation).recordValue(Math.clamp(durationNs, 0, HIGHEST_NS));
        }
    }

    /** A batch has gone through all of its operations. */
    void settled(final int keyCount)
    {
        if (isCounting)
        {
            keys += keyCount;
        }
    }

    /** A result of a key: anything but 0 is a failure, the first one is remembered. */
    void result(final BenchOperation operation, final int code)
    {
        if (0 != code)
        {
            failures++;
            if (null == firstFailure)
            {
                firstFailure = operation.label() + " of a key has ended with code " + code;
            }
        }
    }

    Histogram of(final BenchOperation operation)
    {
        return histograms.get(operation);
    }

    long keys()
    {
        return keys;
    }

    long failures()
    {
        return failures;
    }

    /** What failed first, or null. */
    String firstFailure()
    {
        return firstFailure;
    }
}
