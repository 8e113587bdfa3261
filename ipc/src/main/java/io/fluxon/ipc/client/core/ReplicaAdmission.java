package io.fluxon.ipc.client.core;

import org.agrona.DirectBuffer;

import java.util.Arrays;

/**
 * Decides which pages of a put are to have a replica, as the mask of {@link PutOptions#mask(boolean[])} (contract
 * REPL-2). Whole atomic groups only: a group's mean score or the logical key of its first page decides, so that all
 * tensor-parallel ranks decide alike. A pure function of its arguments; allocates nothing once it has seen as many
 * groups as it will.
 * <p>
 * Groups that the policy admits come first, by priority, then others as long as fewer than the least number of pages
 * are chosen, the last of which may pass it. A group that does not fit within the most pages is left out, and a later
 * one may still fit.
 */
public final class ReplicaAdmission
{
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final double HASH_RANGE = 0x1p53;
    private static final int HASH_SHIFT = 11;
    private static final int SIGN_SHIFT = 31;
    private static final int MAX_DIGITS = 5;

    private final ReplicaPolicy policy;
    private final double ratio;
    private final double scoreThreshold;
    private final int minReplicaPages;
    private final int maxReplicaPages;
    private long[] order = new long[0];
    private int[] starts = new int[0];
    private boolean[] isAdmitted = new boolean[0];

    /**
     * A policy with its bounds.
     *
     * @param policy          which groups are admitted.
     * @param ratio           part of all groups that {@link ReplicaPolicy#RATIO} admits, 0 to 1.
     * @param scoreThreshold  that the mean score of a group is compared with, itself admitted.
     * @param minReplicaPages pages that are chosen at least, as long as there are so many; may be passed to finish a
     *                        group.
     * @param maxReplicaPages pages of one put that are chosen at most, never passed.
     * @throws IllegalArgumentException that names the field, its value and what is allowed.
     */
    public ReplicaAdmission(
        final ReplicaPolicy policy,
        final double ratio,
        final double scoreThreshold,
        final int minReplicaPages,
        final int maxReplicaPages)
    {
        if (!(ratio >= 0 && ratio <= 1))
        {
            throw new IllegalArgumentException("ratio " + ratio + " is not within 0 to 1");
        }
        if (Double.isNaN(scoreThreshold))
        {
            throw new IllegalArgumentException("scoreThreshold " + scoreThreshold + " is not a number");
        }
        if (minReplicaPages < 0 || maxReplicaPages < minReplicaPages)
        {
            throw new IllegalArgumentException("minReplicaPages " + minReplicaPages +
                " is not within 0 to maxReplicaPages, " + maxReplicaPages);
        }
        this.policy = policy;
        this.ratio = ratio;
        this.scoreThreshold = scoreThreshold;
        this.minReplicaPages = minReplicaPages;
        this.maxReplicaPages = maxReplicaPages;
    }

    /**
     * Decides for one put.
     *
     * @param keys   of the put.
     * @param groups its atomic groups, null = every key alone; their sum is the number of keys.
     * @param scores one a key, for the policies that use scores; null for the others.
     * @param mask   one item a key, written here: the groups' decisions.
     * @return pages that are to have a replica.
     * @throws IllegalArgumentException when an array or the groups are not of the keys' number, or a score is missing.
     */
    public int decide(final KeyBatch keys, final AtomicGroups groups, final float[] scores, final boolean[] mask)
    {
        check(keys, groups, scores, mask);
        final int groupCount = null == groups ? keys.size() : groups.size();
        prepare(keys, groups, groupCount, scores);
        Arrays.fill(mask, false);
        int pages = choose(groupCount, true, maxReplicaPages, 0, mask);
        if (ReplicaPolicy.NONE != policy && pages < minReplicaPages)
        {
            pages = choose(groupCount, false, minReplicaPages, pages, mask);
        }

        return pages;
    }

    private void check(
        final KeyBatch keys, final AtomicGroups groups, final float[] scores, final boolean[] mask)
    {
        if (mask.length != keys.size())
        {
            throw new IllegalArgumentException("mask of " + mask.length + " items must have one a key, " + keys.size());
        }
        final String reason = ArgumentCheck.groups(groups, keys.size());
        if (null != reason)
        {
            throw new IllegalArgumentException(reason);
        }
        if (isScored() && (null == scores || scores.length != keys.size()))
        {
            throw new IllegalArgumentException("scores of " + (null == scores ? 0 : scores.length) +
                " items must have one a key, " + keys.size());
        }
    }

    private boolean isScored()
    {
        return ReplicaPolicy.KV_SCORE_ONLY == policy || ReplicaPolicy.KV_SCORE_LOW_ONLY == policy;
    }

    private void prepare(
        final KeyBatch keys, final AtomicGroups groups, final int groupCount, final float[] scores)
    {
        if (order.length < groupCount)
        {
            order = new long[groupCount];
            starts = new int[groupCount + 1];
            isAdmitted = new boolean[groupCount];
        }

        int start = 0;
        for (int group = 0; group < groupCount; group++)
        {
            starts[group] = start;
            start += null == groups ? 1 : groups.keyCount(group);
            judge(keys, group, start, scores);
            starts[group + 1] = start;
        }
        Arrays.sort(order, 0, groupCount);
    }

    private void judge(final KeyBatch keys, final int group, final int end, final float[] scores)
    {
        final double mean = isScored() ? mean(scores, starts[group], end) : 0;
        switch (policy)
        {
            case EAGER_ALL -> judged(group, true, 0);
            case NONE -> judged(group, false, 0);
            case RATIO ->
            {
                final double draw = draw(keys.buffer(), keys.keyOffset(starts[group]), keys.keyLength(starts[group]));
                judged(group, draw < ratio, 1 - draw);
            }
            case KV_SCORE_ONLY -> judged(group, mean >= scoreThreshold, mean);
            case KV_SCORE_LOW_ONLY -> judged(group, mean <= scoreThreshold, 1 - mean);
        }
    }

    /** The order of the sorted words is that of the priorities, the highest first, and of the groups among equals. */
    private void judged(final int group, final boolean admitted, final double priority)
    {
        isAdmitted[group] = admitted;
        final int bits = Float.floatToIntBits((float)(Double.isNaN(priority) ? Double.NEGATIVE_INFINITY : priority));
        final int rising = bits ^ bits >> SIGN_SHIFT & Integer.MAX_VALUE;
        order[group] = (long)~rising << Integer.SIZE | group;
    }

    private int choose(
        final int groupCount, final boolean admitted, final int enough, final int from, final boolean[] mask)
    {
        int pages = from;
        for (int i = 0; i < groupCount && pages < enough; i++)
        {
            final int group = (int)order[i];
            final int length = starts[group + 1] - starts[group];
            if (admitted == isAdmitted[group] && length <= maxReplicaPages - pages)
            {
                Arrays.fill(mask, starts[group], starts[group + 1], true);
                pages += length;
            }
        }

        return pages;
    }

    private static double mean(final float[] scores, final int start, final int end)
    {
        double sum = 0;
        for (int i = start; i < end; i++)
        {
            sum += scores[i];
        }

        return sum / (end - start);
    }

    /** A number from 0 to below 1 that all ranks find for a logical key. */
    private static double draw(final DirectBuffer key, final int offset, final int length)
    {
        final int end = offset + length;
        final int sizeStart = numberStart(key, offset, end);
        final int rankStart = sizeStart > offset ? numberStart(key, offset, sizeStart - 1) : offset;
        final boolean hasRank = rankStart > offset + 1;
        long hash = FNV_OFFSET;
        for (int i = offset; i < end; i++)
        {
            final boolean isOfRank = hasRank && i >= rankStart - 1 && i < sizeStart - 1;
            hash = isOfRank ? hash : (hash ^ key.getByte(i)) * FNV_PRIME;
        }
        hash = (hash ^ hash >>> 29) * 0x9E3779B97F4A7C15L;

        return ((hash ^ hash >>> 32) >>> HASH_SHIFT) / HASH_RANGE;
    }

    /** Start of the digits that end here and follow an underscore; the offset when there are none. */
    private static int numberStart(final DirectBuffer key, final int offset, final int end)
    {
        int start = end;
        while (start > offset && end - start < MAX_DIGITS &&
            key.getByte(start - 1) >= '0' && key.getByte(start - 1) <= '9')
        {
            start--;
        }

        return start < end && start > offset && '_' == key.getByte(start - 1) ? start : offset;
    }
}
