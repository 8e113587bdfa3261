package io.fluxon.tools.report;

import java.util.Arrays;

/**
 * The figure in the middle, which a few disturbed rounds do not move.
 */
public final class Median
{
    private Median()
    {
    }

    /**
     * Of some figures.
     *
     * @param figures at least one, in any order; not changed.
     * @return the one in the middle, or between the two that are.
     */
    public static double of(final double[] figures)
    {
        final double[] sorted = figures.clone();
        Arrays.sort(sorted);
        final int middle = sorted.length / 2;
        return 0 == (sorted.length & 1) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle];
    }

    /**
     * Of what each round's figure is of another one of the same round: what slows both does not count.
     *
     * @param figures   one of each round.
     * @param reference the other ones, in the same order.
     * @return the ratio in the middle.
     */
    public static double ofRatios(final double[] figures, final double[] reference)
    {
        final double[] ratios = new double[figures.length];
        for (int i = 0; i < ratios.length; i++)
        {
            ratios[i] = figures[i] / reference[i];
        }
        return of(ratios);
    }
}
