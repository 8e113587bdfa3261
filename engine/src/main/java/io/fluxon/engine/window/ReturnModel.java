package io.fluxon.engine.window;

import java.util.Arrays;

/**
 * What {@link ReturnPolicy} learns of returns: whether a path is used again, by what is known of it, and after how
 * long, the same for all that are. From both follows what a page is worth: the most returns that can be expected for
 * each second that it is held on. All tables are small and of fixed size; nothing depends on anything but the calls.
 */
final class ReturnModel
{
    /** Classes of paths by the odds of a return; level 0 has the least. */
    static final int LEVELS = 24;

    /** Half-octaves of age: the first to 1.4 s, the last from 13 h. */
    static final int BINS = 32;

    private static final double LEVELS_PER_LOGIT = 1.5;
    private static final int EVEN_LEVEL = 12;

    private static final int TURNS = 10;
    private static final int SIZES = 16;
    private static final int GAPS = BINS / 2 + 1;
    private static final int TURN_FEATURES = 1;
    private static final int NEW_FEATURES = TURN_FEATURES + TURNS;
    private static final int LENGTH_FEATURES = NEW_FEATURES + SIZES;
    private static final int GAP_FEATURES = LENGTH_FEATURES + SIZES;
    private static final int PAIR_FEATURES = GAP_FEATURES + GAPS;
    private static final int WEIGHTS = PAIR_FEATURES + SIZES * SIZES;
    private static final int FEATURES = 6;

    private static final double PRIOR_RETURN = 0.7;
    private static final double LEARNING_RATE = 0.4;
    private static final double MIN_LEARNED_SHARE = 0.05;
    private static final double MAX_LEARNED_SHARE = 0.95;

    private static final double PRIOR_COUNT = 16;
    private static final double PRIOR_BIN = 16;
    private static final double PRIOR_BREADTH = 4;
    private static final double PRIOR_FLOOR = 0.006;
    private static final double FADING = 0.995;

    private final long[] edgeMs = new long[BINS + 1];
    private final double[] edgeS = new double[BINS + 1];
    private final double[] weights = new double[WEIGHTS];
    private final double[] squares = new double[WEIGHTS];
    private final int[] features = new int[FEATURES];
    private final double[] returns = new double[BINS];
    private final double[] shareBefore = new double[BINS + 1];
    private final double[] worth = new double[LEVELS * BINS];
    private double tips = 3;
    private double tipHits = 1;
    private int nextLevel;

    ReturnModel()
    {
        for (int bin = 0; bin <= BINS; bin++)
        {
            edgeS[bin] = 0 == bin ? 0 : StrictMath.pow(2, bin / 2.0);
            edgeMs[bin] = (long)(edgeS[bin] * 1000);
            if (bin < BINS)
            {
                final double distance = (bin - PRIOR_BIN) / PRIOR_BREADTH;
                returns[bin] = PRIOR_COUNT * (StrictMath.exp(-distance * distance / 2) + PRIOR_FLOOR);
            }
        }
        Arrays.fill(squares, 1);
        weights[0] = StrictMath.log(PRIOR_RETURN / (1 - PRIOR_RETURN));
        for (int turn = 1; turn < TURNS; turn++)
        {
            weights[TURN_FEATURES + turn] = StrictMath.log(1 + turn);
        }
        shareReturns();
        for (int level = 0; level < LEVELS; level++)
        {
            makeRow(level);
        }
    }

    /** From which age on a path is in a bin, in ms. */
    long edgeMs(final int bin)
    {
        return edgeMs[bin];
    }

    int bin(final long ageMs)
    {
        int low = 0;
        int high = BINS - 1;
        while (low < high)
        {
            final int middle = low + high + 1 >>> 1;
            if (ageMs >= edgeMs[middle])
            {
                low = middle;
            }
            else
            {
                high = middle - 1;
            }
        }
        return low;
    }

    int level(final PathTable paths, final int path)
    {
        final long level = Math.round(logit(paths, path) * LEVELS_PER_LOGIT) + EVEN_LEVEL;
        return (int)Math.max(0, Math.min(LEVELS - 1, level));
    }

    /** Returns to be expected for each second that a page of a path is held on. */
    double worth(final int level, final int bin)
    {
        return worth[level * BINS + bin];
    }

    /** Does the last page of a path go with the next use, because it was not full? */
    boolean isTipLost()
    {
        return tipHits < tips / 2;
    }

    void onReturn(final PathTable paths, final int path, final long ageMs, final boolean isTipHit)
    {
        learn(1 - probability(logit(paths, path)) - paths.applied(path));

        for (int i = 0; i < BINS; i++)
        {
            returns[i] *= FADING;
        }
        returns[bin(ageMs)] += FADING;
        tips = tips * FADING + 1;
        tipHits = tipHits * FADING + (isTipHit ? 1 : 0);
        shareReturns();
        makeRow(nextLevel);
        nextLevel = (nextLevel + 1) % LEVELS;
    }

    /** A path got as old as the bin without having been used again. */
    void onStay(final PathTable paths, final int path, final int bin)
    {
        final double share = shareBefore[bin];
        if (share > MIN_LEARNED_SHARE && share < MAX_LEARNED_SHARE)
        {
            final double probability = probability(logit(paths, path));
            final double gradient = -probability * (1 - probability) * share / (1 - probability * share);
            learn(gradient - paths.applied(path));
            paths.applied(path, gradient);
        }
    }

    private double logit(final PathTable paths, final int path)
    {
        final int newPages = sizeOf(paths.newPages(path));
        final int length = sizeOf(paths.length(path));
        features[0] = 0;
        features[1] = TURN_FEATURES + Math.min(TURNS - 1, paths.turn(path));
        features[2] = NEW_FEATURES + newPages;
        features[3] = LENGTH_FEATURES + length;
        features[4] = GAP_FEATURES + (paths.gapBin(path) < 0 ? 0 : 1 + paths.gapBin(path) / 2);
        features[5] = PAIR_FEATURES + newPages * SIZES + length;

        double sum = 0;
        for (final int feature : features)
        {
            sum += weights[feature];
        }
        return sum;
    }

    private void learn(final double gradient)
    {
        for (final int feature : features)
        {
            squares[feature] += gradient * gradient;
            weights[feature] += LEARNING_RATE * gradient / Math.sqrt(squares[feature]);
        }
    }

    private static int sizeOf(final int pages)
    {
        return Math.min(SIZES - 1, Integer.SIZE - Integer.numberOfLeadingZeros(pages));
    }

    private static double probability(final double logit)
    {
        return 1 / (1 + StrictMath.exp(-logit));
    }

    private void shareReturns()
    {
        double sum = 0;
        for (int i = 0; i < BINS; i++)
        {
            shareBefore[i] = sum;
            sum += smoothed(i);
        }
        shareBefore[BINS] = sum;
        for (int i = 0; i <= BINS; i++)
        {
            shareBefore[i] /= sum;
        }
    }

    /** One level with each return, so that none is long out of date and no return takes long. */
    private void makeRow(final int level)
    {
        final double probability = probability((level - EVEN_LEVEL) / LEVELS_PER_LOGIT);
        for (int bin = 0; bin < BINS; bin++)
        {
            worth[level * BINS + bin] = worth(probability, bin);
        }
        fallFromPeak(level * BINS);
    }

    private double smoothed(final int bin)
    {
        final double before = returns[Math.max(0, bin - 1)];
        final double after = returns[Math.min(BINS - 1, bin + 1)];
        return before + 2 * returns[bin] + after;
    }

    /** The best that can be had by holding on for some time: returns until then, over seconds held until then. */
    private double worth(final double probability, final int bin)
    {
        final double left = Math.max(1e-9, 1 - shareBefore[bin]);
        final double alive = probability * left / (probability * left + 1 - probability);
        double best = 0;
        double seconds = 0;
        double returned = 0;
        for (int i = bin; i < BINS; i++)
        {
            final double returnedThen = alive * (shareBefore[i + 1] - shareBefore[bin]) / left;
            seconds += (edgeS[i + 1] - edgeS[i]) * (1 - (returned + returnedThen) / 2);
            best = Math.max(best, returnedThen / seconds);
            returned = returnedThen;
        }
        return best;
    }

    /** Few returns are seen at great ages; chance must not make an old path worth more than a younger one. */
    private void fallFromPeak(final int first)
    {
        int peak = first;
        for (int i = first; i < first + BINS; i++)
        {
            peak = worth[i] > worth[peak] ? i : peak;
        }
        for (int i = peak + 1; i < first + BINS; i++)
        {
            worth[i] = Math.min(worth[i], worth[i - 1]);
        }
    }
}
