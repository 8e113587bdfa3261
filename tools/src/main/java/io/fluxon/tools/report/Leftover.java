package io.fluxon.tools.report;

/**
 * Temporary state of all owners and the master after a run; everything must have returned to zero.
 *
 * @param prepared     slots that are being written.
 * @param pending      slots that are local-read-ready or being filled, and have no route yet.
 * @param quarantined  slots that a worker which hangs may still write.
 * @param flights      keys that are being fetched, and in-flight gets of the master.
 * @param handles      started reads that were neither consumed nor cancelled.
 * @param plans        put plans that were neither committed nor aborted, and publishes without an answer.
 * @param holdings     holders that workers have not released.
 * @param reservations of keys at the master.
 * @param fences       of keys at the master.
 */
public record Leftover(
    long prepared,
    long pending,
    long quarantined,
    long flights,
    long handles,
    long plans,
    long holdings,
    long reservations,
    long fences)
{
    /** Nothing is left. */
    public static final Leftover NONE = new Leftover(0, 0, 0, 0, 0, 0, 0, 0, 0);

    private static final String[] NAMES =
    {
        "prepared", "pending", "quarantined", "flights", "handles", "plans", "holdings", "reservations", "fences"
    };

    /**
     * Is everything zero?
     *
     * @return true if it is.
     */
    public boolean isZero()
    {
        return NONE.equals(this);
    }

    /**
     * Names of the counts, stable.
     *
     * @return the names, in the order of {@link #values()}.
     */
    public static String[] names()
    {
        return NAMES.clone();
    }

    /**
     * The counts.
     *
     * @return the counts, in the order of {@link #names()}.
     */
    public long[] values()
    {
        return new long[]{
            prepared, pending, quarantined, flights, handles, plans, holdings, reservations, fences };
    }

    /**
     * Adds the counts of another cluster.
     *
     * @param other counts.
     * @return the sum.
     */
    public Leftover plus(final Leftover other)
    {
        return new Leftover(
            prepared + other.prepared,
            pending + other.pending,
            quarantined + other.quarantined,
            flights + other.flights,
            handles + other.handles,
            plans + other.plans,
            holdings + other.holdings,
            reservations + other.reservations,
            fences + other.fences);
    }
}
