package io.fluxon.sim.cluster;

/**
 * What a link does to the messages that it carries. Rates are between 0 and 1; delays are in nanoseconds. Mutable, so
 * that a test can change the weather in the middle of a run.
 */
public final class LinkFaults
{
    /** Share of messages that never arrive. */
    public double lossRate;
    /** Share of messages that arrive a second time. */
    public double duplicateRate;
    /** Share of offers that are answered with back pressure. */
    public double backPressureRate;
    /** Share of offers that are answered with admin action. */
    public double adminActionRate;
    /** Share of messages that may overtake others. */
    public double reorderRate;
    /** Share of messages that take up to {@link #longDelayNs} more. */
    public double longDelayRate;
    /** Longest additional way of a message. */
    public long longDelayNs = 10_000_000;
    /** Nothing arrives before this time; what was sent before arrives then. */
    public long cloggedUntilNs;
    /** Every offer until then is answered with back pressure, as when the receiver does not read. */
    public long blockedUntilNs;
    /** Shortest way of a message. */
    public long minDelayNs = 1_000;
    /** Longest way of a message. */
    public long maxDelayNs = 20_000;
    /** Nothing passes while this is true: offers are taken, and lost. */
    public boolean partitioned;
    /** The other end is not there while this is true: offers are answered "not connected". */
    public boolean disconnected;

    /**
     * Every message takes equally long.
     *
     * @param delayNs of each.
     */
    public void delayNs(final long delayNs)
    {
        minDelayNs = delayNs;
        maxDelayNs = delayNs;
    }
}
