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

    PrefixCache create(final Trace trace, final int capacityBlocks)
    {
        return switch (this)
        {
            case LRU -> window(WindowPolicyKind.LRU, trace, capacityBlocks, Manner.FRONT_FIRST);
            case SLRU -> window(WindowPolicyKind.SLRU, trace, capacityBlocks, Manner.DEEPEST_FIRST);
            case ARC -> window(WindowPolicyKind.ARC, trace, capacityBlocks, Manner.DEEPEST_FIRST);
            case TINYLFU -> window(WindowPolicyKind.TINYLFU, trace, capacityBlocks, Manner.DEEPEST_FIRST);
            case CAFFEINE -> new CaffeineCache(capacityBlocks);
            case FLUXON -> window(WindowPolicyKind.FLUXON, trace, capacityBlocks, Manner.BATCH);
            case BOUND -> new FarthestUseCache(trace, capacityBlocks);
        };
    }

    private static PrefixCache window(
        final WindowPolicyKind kind, final Trace trace, final int capacityBlocks, final Manner manner)
    {
        return new WindowCache(kind, capacityBlocks, trace.maxBlocksOfRequest(), manner);
    }

    /** As it is called in options and results. */
    String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Prefix-hit ratio on a whole trace.
     *
     * @param trace          to run.
     * @param capacityBlocks of the cache.
     * @return leading blocks present / blocks requested.
     */
    double hitRatio(final Trace trace, final int capacityBlocks)
    {
        try (PrefixCache cache = create(trace, capacityBlocks))
        {
            long hits = 0;
            for (int i = 0; i < trace.requestCount(); i++)
            {
                hits += cache.onRequest(trace, i);
            }
            return (double)hits / trace.blockReferences();
        }
    }
}
