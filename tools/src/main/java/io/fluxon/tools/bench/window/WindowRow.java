package io.fluxon.tools.bench.window;

import io.fluxon.tools.report.Median;
import org.HdrHistogram.Histogram;

/**
 * What was measured of workers that ask in one order an owner with one window.
 */
final class WindowRow
{
    private static final long HIGHEST_NS = 60_000_000_000L;
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final double MEDIAN = 50;
    private static final double P90 = 90;
    private static final double NS_OF_US = 1000.0;

    private final KeyOrder order;
    private final int windowUs;
    private final double[] roundP90Us;
    private final Histogram all = new Histogram(HIGHEST_NS, SIGNIFICANT_DIGITS);
    private final Histogram ofRound = new Histogram(HIGHEST_NS, SIGNIFICANT_DIGITS);
    private long keys;
    private long messages;

    WindowRow(final KeyOrder order, final int windowUs, final int rounds)
    {
        this.order = order;
        this.windowUs = windowUs;
        roundP90Us = new double[rounds];
    }

    /** The start of a read was answered after that time. */
    void answered(final long durationNs)
    {
        ofRound.recordValue(Math.clamp(durationNs, 0, HIGHEST_NS));
    }

    /** Workers have asked for different keys, and that cost messages to the master. */
    void asked(final int keyCount, final long messageCount)
    {
        keys += keyCount;
        messages += messageCount;
    }

    void endRound(final int round)
    {
        roundP90Us[round] = ofRound.getValueAtPercentile(P90) / NS_OF_US;
        all.add(ofRound);
        ofRound.reset();
    }

    /** Forgets everything. */
    void reset()
    {
        all.reset();
        ofRound.reset();
        keys = 0;
        messages = 0;
    }

    KeyOrder order()
    {
        return order;
    }

    int windowUs()
    {
        return windowUs;
    }

    /** Starts of reads. */
    long requests()
    {
        return all.getTotalCount();
    }

    /** Different keys that were asked for. */
    long keys()
    {
        return keys;
    }

    /** Batch get starts to the master. */
    long messages()
    {
        return messages;
    }

    double messagesPerKey()
    {
        return messages / (double) keys;
    }

    double messagesPerRequest()
    {
        return messages / (double) requests();
    }

    double p50Us()
    {
        return all.getValueAtPercentile(MEDIAN) / NS_OF_US;
    }

    double p90Us()
    {
        return all.getValueAtPercentile(P90) / NS_OF_US;
    }

    double p90Us(final int round)
    {
        return roundP90Us[round];
    }

    /** Median of what each round's 90th percentile is of another row's in the same round. */
    double medianP90RatioTo(final WindowRow other)
    {
        return Median.ofRatios(roundP90Us, other.roundP90Us);
    }
}
