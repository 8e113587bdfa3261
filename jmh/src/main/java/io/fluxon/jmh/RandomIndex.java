package io.fluxon.jmh;

/**
 * Cheap sequence of indexes without a pattern that a processor could prefetch by (xorshift).
 */
final class RandomIndex
{
    private static final int SEED = 0x2545F491;

    private final int mask;
    private int word = SEED;

    RandomIndex(final int powerOfTwo)
    {
        if (Integer.bitCount(powerOfTwo) != 1)
        {
            throw new IllegalArgumentException("powerOfTwo: " + powerOfTwo);
        }
        mask = powerOfTwo - 1;
    }

    int next()
    {
        word ^= word << 13;
        word ^= word >>> 17;
        word ^= word << 5;
        return word & mask;
    }
}
