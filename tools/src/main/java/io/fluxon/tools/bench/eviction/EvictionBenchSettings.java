package io.fluxon.tools.bench.eviction;

/**
 * What to measure.
 *
 * @param rounds     on each pool.
 * @param pages      put in a round, a multiple of the batch.
 * @param batchPages of one put.
 * @param pageBytes  length of a page.
 */
public record EvictionBenchSettings(int rounds, int pages, int batchPages, int pageBytes)
{
    private static final long QUANTUM_BYTES = 64L << 20;
    private static final int WARM_UP = 3;
    private static final int FEWER = 16;
    private static final int SLOT_BYTES = 4096;
    private static final double MOST_USED = 0.95;

    /** For puts that wait for pressure steps, of which there are five a second. */
    EvictionBenchSettings fewer()
    {
        return new EvictionBenchSettings(
            rounds, Math.max(1, pages / batchPages / FEWER) * batchPages, batchPages, pageBytes);
    }

    long slotBytes()
    {
        return Math.ceilDiv((long) pageBytes, SLOT_BYTES) * SLOT_BYTES;
    }

    static long quantumBytes()
    {
        return QUANTUM_BYTES;
    }

    /** Put into both before the rounds, into the full pool behind what fills it. */
    long warmUpPages()
    {
        return WARM_UP * (long) rounds * pages;
    }

    /** Of each pool: so much that all that is put leaves the empty one's hot window below its capacity. */
    long capacityBytes()
    {
        final double pagesOfPool = (warmUpPages() + (double) rounds * pages) / MOST_USED;
        final long slotsOfGrant = QUANTUM_BYTES / slotBytes();
        return (long) Math.ceil(pagesOfPool / slotsOfGrant) * QUANTUM_BYTES;
    }

    /** Pages that fit into a pool. */
    long pagesOfPool()
    {
        return capacityBytes() / QUANTUM_BYTES * (QUANTUM_BYTES / slotBytes());
    }
}
