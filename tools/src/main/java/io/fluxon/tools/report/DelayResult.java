package io.fluxon.tools.report;

/**
 * Medians, over pairs of rounds, of a measure with delayed master messages divided by the same without (contract P1).
 *
 * @param putStartP50Ratio       of the median duration of put start.
 * @param putCommitLocalP50Ratio of the median duration from commit to local-read-ready.
 * @param getStartP50Ratio       of the median duration of get start.
 * @param throughputRatio        of operations a second.
 */
public record DelayResult(
    double putStartP50Ratio,
    double putCommitLocalP50Ratio,
    double getStartP50Ratio,
    double throughputRatio)
{
    /** Largest ratio of a duration that passes. */
    public static final double MAX_LATENCY_RATIO = 1.15;

    /** Smallest ratio of throughput that passes. */
    public static final double MIN_THROUGHPUT_RATIO = 0.87;

    /**
     * Did the delay leave local work unchanged?
     *
     * @return true if every ratio is within its limit.
     */
    public boolean isUnchanged()
    {
        return putStartP50Ratio <= MAX_LATENCY_RATIO &&
            putCommitLocalP50Ratio <= MAX_LATENCY_RATIO &&
            getStartP50Ratio <= MAX_LATENCY_RATIO &&
            throughputRatio >= MIN_THROUGHPUT_RATIO;
    }
}
