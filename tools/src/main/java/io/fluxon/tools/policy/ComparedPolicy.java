package io.fluxon.tools.policy;

import io.fluxon.engine.window.WindowPolicyKind;
import io.fluxon.tools.policy.WindowCache.Manner;
import io.fluxon.tools.trace.Trace;

import java.util.Locale;

/**
 * Policies that are compared.
 */
enum ComparedPolicy
{
    /** The hot window, least recently used, pages used one by one and front to back. */
    LRU,

    /** The hot window, segmented LRU, pages used one by one and deepest first. */
    SLRU,

    /** The hot window, adaptive replacement, pages used one by one and deepest first. */
    ARC,

    /** The hot window, W-TinyLFU, pages used one by one and deepest first. */
    TINYLFU,

    /** Caffeine's W-TinyLFU, deepest first. */
    CAFFEINE,

    /** The hot window, default, used as an owner does. */
    FLUXON,

    /** The most that any policy can have. */
    BOUND;

    /** Runs with different hashes; with a single one such a policy is up to eight points off. */
    private static final int HASHINGS = 5;

    private PrefixCache create(final Trace trace, final int capacityBlocks, final int hashing)
    {
        return switch (this)
        {
            case LRU -> window(WindowPolicyKind.LRU, trace, capacityBlocks, Manner.FRONT_FIRST, hashing);
            case SLRU -> window(WindowPolicyKind.SLRU, trace, capacityBlocks, Manner.DEEPEST_FIRST, hashing);
            case ARC -> window(WindowPolicyKind.ARC, trace, capacityBlocks, Manner.DEEPEST_FIRST, hashing);
            case TINYLFU -> window(WindowPolicyKind.TINYLFU, trace, capacityBlocks, Manner.DEEPEST_FIRST, hashing);
            case CAFFEINE -> new CaffeineCache(capacityBlocks, hashing);
            case FLUXON -> window(WindowPolicyKind.FLUXON, trace, capacityBlocks, Manner.BATCH, hashing);
            case BOUND -> new FarthestUseCache(trace, capacityBlocks);
        };
    }

    private static PrefixCache window(
        final WindowPolicyKind kind,
        final Trace trace,
        final int capacityBlocks,
        final Manner manner,
        final int hashing)
    {
        return new WindowCache(kind, capacityBlocks, trace.maxBlocksOfRequest(), manner, hashing);
    }

    /** As it is called in options and results. */
    String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Prefix-hit ratio on a whole trace: the mean of several hashings where the policy counts keys by their hashes.
     *
     * @param trace          to run.
     * @param capacityBlocks of the cache.
     * @return leading blocks present / blocks requested.
     */
    double hitRatio(final Trace trace, final int capacityBlocks)
    {
        final int hashings = TINYLFU == this || CAFFEINE == this ? HASHINGS : 1;
        long hits = 0;
        for (int hashing = 0; hashing < hashings; hashing++)
        {
            hits += hits(trace, capacityBlocks, hashing);
        }
        return (double)hits / hashings / trace.blockReferences();
    }

    private long hits(final Trace trace, final int capacityBlocks, final int hashing)
    {
        long hits = 0;
        try (PrefixCache cache = create(trace, capacityBlocks, hashing))
        {
            for (int i = 0; i < trace.requestCount(); i++)
            {
                hits += cache.onRequest(trace, i);
            }
        }
        return hits;
    }
}
