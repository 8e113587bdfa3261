package io.fluxon.engine.master;

/**
 * Spreads the bits of small numbers over the buckets of a table.
 */
final class Mix
{
    private Mix()
    {
    }

    static int bits(final long high, final int low)
    {
        long z = high * 0x9E3779B97F4A7C15L + low * 0xC2B2AE3D27D4EB4FL;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;

        return (int)(z ^ z >>> 31);
    }
}
