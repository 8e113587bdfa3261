package io.fluxon.tools.policy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fluxon.tools.trace.Trace;

/**
 * Caffeine's W-TinyLFU, deepest block first, its upkeep done after each block so that runs are alike.
 */
final class CaffeineCache implements PrefixCache
{
    private final Cache<Long, Boolean> cache;
    private final int hashing;

    /**
     * An empty cache.
     *
     * @param capacityBlocks most blocks.
     * @param hashing        decides the keys.
     */
    CaffeineCache(final int capacityBlocks, final int hashing)
    {
        this.hashing = hashing;
        cache = Caffeine.newBuilder()
            .maximumSize(capacityBlocks)
            .initialCapacity(capacityBlocks)
            .executor(Runnable::run)
            .build();
    }

    @Override
    public int onRequest(final Trace trace, final int request)
    {
        final int blocks = trace.blockCount(request);
        int hits = 0;
        while (hits < blocks && cache.asMap().containsKey(KeyMix.hash(trace.blockId(request, hits), hashing)))
        {
            hits++;
        }

        for (int i = blocks - 1; i >= 0; i--)
        {
            final long key = KeyMix.hash(trace.blockId(request, i), hashing);
            if (null == cache.getIfPresent(key))
            {
                cache.put(key, Boolean.TRUE);
            }
            cache.cleanUp();
        }
        return hits;
    }
}
