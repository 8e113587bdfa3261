package io.fluxon.tools.policy;

import io.fluxon.tools.trace.Trace;
import org.agrona.collections.Long2LongHashMap;

import java.util.Arrays;
import java.util.PriorityQueue;

/**
 * The bound: the block whose next use is farthest goes first, of blocks whose next use is the same request the deepest,
 * and a block that is never used again is not kept at all (Belady's rule). A parent's next use is never later than its
 * child's, so a parent never goes before its child and every hit is a leading one. As that rule has the most hits that
 * any policy can have with this many blocks of equal size between two requests, and leading hits are at most all hits,
 * no policy has more leading hits.
 */
final class FarthestUseCache implements PrefixCache
{
    private static final long NEVER = Long.MAX_VALUE;
    private static final long MISSING = -1;

    private final int capacityBlocks;
    private final long[] nextUses;
    private final int[] firstBlocks;
    private final Long2LongHashMap usesOfHeld = new Long2LongHashMap(MISSING);
    private final PriorityQueue<Held> farthest = new PriorityQueue<>();

    private record Held(long nextUse, int depth, long blockId) implements Comparable<Held>
    {
        @Override
        public int compareTo(final Held other)
        {
            final int byUse = Long.compare(other.nextUse, nextUse);
            return 0 != byUse ? byUse : Integer.compare(other.depth, depth);
        }
    }

    /**
     * An empty cache that knows the trace.
     *
     * @param trace          whose requests will come, all of them in order.
     * @param capacityBlocks between two requests.
     */
    FarthestUseCache(final Trace trace, final int capacityBlocks)
    {
        this.capacityBlocks = capacityBlocks;
        nextUses = new long[trace.blockReferences()];
        firstBlocks = new int[trace.requestCount()];
        for (int i = 1; i < firstBlocks.length; i++)
        {
            firstBlocks[i] = firstBlocks[i - 1] + trace.blockCount(i - 1);
        }

        final Long2LongHashMap next = new Long2LongHashMap(NEVER);
        Arrays.fill(nextUses, NEVER);
        for (int request = trace.requestCount() - 1; request >= 0; request--)
        {
            for (int i = 0; i < trace.blockCount(request); i++)
            {
                nextUses[firstBlocks[request] + i] = next.get(trace.blockId(request, i));
            }
            for (int i = 0; i < trace.blockCount(request); i++)
            {
                next.put(trace.blockId(request, i), request);
            }
        }
    }

    @Override
    public int onRequest(final Trace trace, final int request)
    {
        final int blocks = trace.blockCount(request);
        int hits = 0;
        while (hits < blocks && usesOfHeld.containsKey(trace.blockId(request, hits)))
        {
            hits++;
        }

        for (int i = 0; i < blocks; i++)
        {
            final long blockId = trace.blockId(request, i);
            final long nextUse = nextUses[firstBlocks[request] + i];
            usesOfHeld.remove(blockId);
            if (NEVER != nextUse)
            {
                usesOfHeld.put(blockId, nextUse);
                farthest.add(new Held(nextUse, i, blockId));
            }
        }
        while (usesOfHeld.size() > capacityBlocks)
        {
            final Held victim = farthest.poll();
            if (victim.nextUse == usesOfHeld.get(victim.blockId))
            {
                usesOfHeld.remove(victim.blockId);
            }
        }
        return hits;
    }
}
