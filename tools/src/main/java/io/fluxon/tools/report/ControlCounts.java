package io.fluxon.tools.report;

/**
 * Work between owners and master, of all owners together (contract G8).
 *
 * @param batchGetStart messages that asked the master for sources.
 * @param batchGetDone  messages that told the master of arrived values.
 * @param descriptors   values that were given to the transport.
 * @param submissions   batches they were given in.
 * @param retries       messages that were sent again because no answer came.
 */
public record ControlCounts(long batchGetStart, long batchGetDone, long descriptors, long submissions, long retries)
{
    /** Nothing was done. */
    public static final ControlCounts NONE = new ControlCounts(0, 0, 0, 0, 0);

    /**
     * Adds other counts.
     *
     * @param other counts.
     * @return the sum.
     */
    public ControlCounts plus(final ControlCounts other)
    {
        return new ControlCounts(
            batchGetStart + other.batchGetStart,
            batchGetDone + other.batchGetDone,
            descriptors + other.descriptors,
            submissions + other.submissions,
            retries + other.retries);
    }

    /**
     * Subtracts what was counted before.
     *
     * @param before counts.
     * @return the difference.
     */
    public ControlCounts minus(final ControlCounts before)
    {
        return new ControlCounts(
            batchGetStart - before.batchGetStart,
            batchGetDone - before.batchGetDone,
            descriptors - before.descriptors,
            submissions - before.submissions,
            retries - before.retries);
    }
}
