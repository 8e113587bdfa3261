package io.fluxon.tools.bench.eviction;

import io.fluxon.tools.report.Median;

/**
 * Rounds with victims of one source.
 *
 * @param source        of the victims.
 * @param pages         put into each pool in a round.
 * @param fullRates     of the rounds: pages a second into the full pool.
 * @param emptyRates    of the rounds: pages a second into the empty pool.
 * @param freed         pages that the full pool evicted in the rounds.
 * @param copied        of them: pages that were copied first.
 * @param emptySelected pages that the empty pool selected: 0, or it was not empty.
 * @param pressureSteps of the full pool: 0 when all victims are those of its window.
 * @param freeP50Ns     median time of the full pool's victims from selected to free.
 * @param freeP99Ns     99th percentile of that time.
 */
public record EvictionRow(
    VictimSource source,
    int pages,
    double[] fullRates,
    double[] emptyRates,
    long freed,
    long copied,
    long emptySelected,
    long pressureSteps,
    long freeP50Ns,
    long freeP99Ns)
{
    /**
     * Throughput into the full pool by that into the empty one.
     *
     * @return ratio of the medians of the rounds.
     */
    public double ratio()
    {
        return Median.of(fullRates) / Median.of(emptyRates);
    }

    /**
     * Did every put into the full pool need a victim, and none into the empty one, and were the victims what they were
     * to be?
     *
     * @return false when the pools were not what they were to be.
     */
    public boolean isValid()
    {
        return 0 == emptySelected && freed >= (long) pages * fullRates.length / 2 &&
            (VictimSource.PRESSURE != source || pressureSteps > 0) && VictimSource.DEMOTION == source == copied > 0;
    }
}
