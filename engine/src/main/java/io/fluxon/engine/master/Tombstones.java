package io.fluxon.engine.master;

import java.util.Arrays;

/**
 * The put ids that were deleted: none of them returns with a report or a publish while it is remembered (contract
 * LIFE-4). A put id is forgotten when its time is over, or, at the bound, when it is the oldest. What is remembered is
 * lost with the master, as the contract allows. Confined to one thread.
 * <pre>
 *   bucket --> newest of the bucket --> next --> ... --> oldest
 *
 *   ring:  [ oldest | ... | newest | free | ... ]    all have the same time to live, so they end in their order
 * </pre>
 */
final class Tombstones
{
    private static final int NONE = -1;

    private final int timeToLiveMs;
    private final int[] ownerIds;
    private final long[] generations;
    private final long[] sequences;
    private final int[] endsMs;
    private final int[] nextOfBucket;
    private final int[] buckets;
    private int oldest;
    private int size;

    /**
     * An empty table.
     *
     * @param capacity     most put ids that are remembered.
     * @param timeToLiveMs of each.
     */
    Tombstones(final int capacity, final int timeToLiveMs)
    {
        this.timeToLiveMs = timeToLiveMs;
        ownerIds = new int[capacity];
        generations = new long[capacity];
        sequences = new long[capacity];
        endsMs = new int[capacity];
        nextOfBucket = new int[capacity];
        buckets = new int[Integer.highestOneBit(capacity)];
        Arrays.fill(buckets, NONE);
    }

    /** A put id was deleted. */
    void add(final int ownerId, final long generation, final long sequence, final int nowMs)
    {
        if (size == ownerIds.length)
        {
            forgetOldest();
        }

        final int index = (oldest + size) % ownerIds.length;
        final int bucket = bucket(ownerId, generation, sequence);
        ownerIds[index] = ownerId;
        generations[index] = generation;
        sequences[index] = sequence;
        endsMs[index] = nowMs + timeToLiveMs;
        nextOfBucket[index] = buckets[bucket];
        buckets[bucket] = index;
        size++;
    }

    /** Was a put id deleted, so that it cannot return yet? */
    boolean contains(final int ownerId, final long generation, final long sequence, final int nowMs)
    {
        if (0 == size)
        {
            return false;
        }

        int index = buckets[bucket(ownerId, generation, sequence)];
        while (NONE != index && (sequence != sequences[index] || ownerId != ownerIds[index] ||
            generation != generations[index]))
        {
            index = nextOfBucket[index];
        }

        return NONE != index && nowMs - endsMs[index] < 0;
    }

    /**
     * Forgets put ids whose time is over.
     *
     * @return how many, at most {@code limit}.
     */
    int expire(final int nowMs, final int limit)
    {
        int count = 0;
        while (count < limit && size > 0 && nowMs - endsMs[oldest] >= 0)
        {
            forgetOldest();
            count++;
        }

        return count;
    }

    /** Tells of the put ids that are remembered, the oldest first. */
    void forEach(final MasterView.PutIdVisitor visitor)
    {
        for (int i = 0; i < size; i++)
        {
            final int index = (oldest + i) % ownerIds.length;
            visitor.onPutId(ownerIds[index], generations[index], sequences[index]);
        }
    }

    /** Put ids that are remembered. */
    int size()
    {
        return size;
    }

    private void forgetOldest()
    {
        final int bucket = bucket(ownerIds[oldest], generations[oldest], sequences[oldest]);
        int previous = NONE;
        int index = buckets[bucket];
        while (oldest != index)
        {
            previous = index;
            index = nextOfBucket[index];
        }

        if (NONE == previous)
        {
            buckets[bucket] = NONE;
        }
        else
        {
            nextOfBucket[previous] = NONE;
        }
        oldest = (oldest + 1) % ownerIds.length;
        size--;
    }

    private int bucket(final int ownerId, final long generation, final long sequence)
    {
        return Mix.bits(sequence + 31 * generation, ownerId) & buckets.length - 1;
    }
}
