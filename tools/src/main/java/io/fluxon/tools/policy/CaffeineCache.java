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

    /**
     * An empty cache.
     *
     * @param capacityBlocks most blocks.
     */
    CaffeineCache(final int capacityBlocks)
    {
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
        while (hits < blocks && cache.asMap().containsKey(trace.blockId(request, hits)))
        {
            hits++;
        }

        for (int i = blocks - 1; i >= 0; i--)
        {
            final long blockId = trace.blockId(request, i);
            if (null == cache.getIfPresent(blockId))
            {
                cache.put(blockId, Boolean.TRUE);
            }
            cache.cleanUp();
        }
        return hits;
    }
}
