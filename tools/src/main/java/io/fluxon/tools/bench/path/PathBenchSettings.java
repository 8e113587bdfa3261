package io.fluxon.tools.bench.path;

import io.fluxon.cuda.CopyPlace;
import io.fluxon.cuda.kernel.Geometry;

/**
 * What to measure.
 *
 * @param place         of the pools.
 * @param pages         of a batch.
 * @param layers        of K and of V.
 * @param fragmentBytes of a page in one layer of K or V, a multiple of 8.
 * @param runs          of each way.
 * @param warmUps       with small pages before, so that all code is compiled; as many again are counted.
 * @param segmentBytes  of the owner's grants, rounded down to whole ones.
 * @param idle          what threads do that wait, name of an idle strategy.
 */
public record PathBenchSettings(
    CopyPlace place,
    int pages,
    int layers,
    int fragmentBytes,
    int runs,
    int warmUps,
    long segmentBytes,
    String idle)
{
    private static final long QUANTUM_BYTES = 512L << 20;
    private static final long SMALL_QUANTUM_BYTES = 32L << 20;
    private static final long SLOT_BYTES = 4096;
    private static final int SMALL_FRAGMENT_BYTES = 8;
    private static final int FULL_WARM_UPS = 3;
    /** Batches that are never committed, or only read. */
    private static final int KEPT_BATCHES = 2;
    /** Part of the grants that puts may fill, so that nothing is evicted. */
    private static final double MOST_USED = 0.95;

    Geometry geometry()
    {
        return Geometry.mha(layers, fragmentBytes, fragmentBytes);
    }

    /** Pages of the warm-up: as many fragments, so that the same is done, of as few bytes as can be. */
    Geometry smallGeometry()
    {
        return Geometry.mha(layers, SMALL_FRAGMENT_BYTES, SMALL_FRAGMENT_BYTES);
    }

    /** Batches of full pages before those that count, of each way. */
    int fullWarmUps()
    {
        return FULL_WARM_UPS;
    }

    long quantumBytes()
    {
        return segmentBytes >= 4 * QUANTUM_BYTES ? QUANTUM_BYTES : SMALL_QUANTUM_BYTES;
    }

    long capacityBytes()
    {
        return segmentBytes / quantumBytes() * quantumBytes();
    }

    /** Runs that there is memory for, no more than are wanted; 0 or fewer where there is not even any for one. */
    long possibleRuns()
    {
        final long smallGrants = grants((2L * warmUps + 1) * pages, smallGeometry());
        final long slots = (capacityBytes() / quantumBytes() - smallGrants) * slotsOfGrant(geometry());
        return Math.min(runs, (long) (slots * MOST_USED) / pages - KEPT_BATCHES - FULL_WARM_UPS);
    }

    /** Keys of all batches. */
    long mostKeys()
    {
        return (2L * runs + 2L * warmUps + 2 * FULL_WARM_UPS + 2L * KEPT_BATCHES) * pages;
    }

    private long grants(final long slots, final Geometry ofPage)
    {
        return Math.ceilDiv((long) (slots / MOST_USED) + 1, slotsOfGrant(ofPage));
    }

    private long slotsOfGrant(final Geometry ofPage)
    {
        return quantumBytes() / (Math.ceilDiv(ofPage.valueBytes(), SLOT_BYTES) * SLOT_BYTES);
    }
}
