package io.fluxon.sim.cluster;

/**
 * What the worker threads of an owner (transfers, checksums) do to the work given to them. Mutable, like
 * {@link LinkFaults}.
 */
public final class WorkerFaults
{
    /** Share of transfers that fail without bytes. */
    public double failureRate;
    /** Share of transfers that arrive with a byte flipped, and are reported as done. */
    public double tornRate;
    /** Share of transfers that arrive and are reported as failed. */
    public double answerLostRate;
    /** Share of transfers in whose middle the endpoint to their peer is reset. */
    public double resetRate;
    /** Share of transfers that arrive and of which nothing is heard until their endpoint is given up. */
    public double completionLostRate;
    /** Share of pieces of work that take up to {@link #longDelayNs} more. */
    public double longDelayRate;
    /** Longest additional time of one piece of work. */
    public long longDelayNs = 100_000_000;
    /** Share of offers that find the queue full. */
    public double fullRate;
    /** Pieces of work that are taken at a time. */
    public int capacity = Integer.MAX_VALUE;
    /** Nothing ends while this is true. */
    public boolean held;
    /** Shortest time of one piece of work. */
    public long minDelayNs = 2_000;
    /** Longest time of one piece of work. */
    public long maxDelayNs = 50_000;
}
