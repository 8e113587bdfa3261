package io.fluxon.tools.policy;

/**
 * Hashes of block ids, in several ways: policies that count keys by their hashes are run with more than one.
 */
final class KeyMix
{
    private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;
    private static final long STEP = 1_000_000_007L;

    private KeyMix()
    {
    }

    /**
     * The hash of a block id, one-to-one for each hashing.
     *
     * @param blockId at least 0.
     * @param hashing which way, from 0.
     * @return well mixed in all bits.
     */
    static long hash(final long blockId, final int hashing)
    {
        final long mixed = (blockId + 1 + hashing * STEP) * MULTIPLIER;
        return (mixed ^ mixed >>> 29) * MULTIPLIER;
    }
}
