package io.fluxon.engine.owner;

import io.fluxon.engine.protocol.PutOptionBits;
import org.agrona.DirectBuffer;

/**
 * Which groups of different tensor-parallel ranks are one cohort (contract 1): those with the same number in puts that
 * name the same cohort id, or, when none is named, those whose first keys differ in the rank only, where a key ends in
 * {@code _<tp_rank>_<tp_size>}.
 */
final class TpCohort
{
    /** The group is of no cohort. */
    static final long NONE = 0;

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final int MAX_DIGITS = 5;

    private TpCohort()
    {
    }

    /**
     * What a group has in common with those of other ranks.
     *
     * @param batch of the put.
     * @param group in the batch.
     * @param max   members that a cohort can have.
     * @return any number, or {@link #NONE} for a group that is alone, or whose key names more ranks than can be.
     */
    static long digest(final PutBatch batch, final int group, final int max)
    {
        if (batch.isSet(PutOptionBits.HAS_COHORT))
        {
            return batch.cohortSize > 1 ? finish(mix(mix(FNV_OFFSET, batch.cohortId), group)) : NONE;
        }

        final int first = batch.groupStart(group);

        return digest(
            batch.keys.buffer(),
            batch.keys.keyOffset(first),
            batch.keys.keyLength(first),
            max / batch.groupLength(group));
    }

    /** Ranks of the cohort of a group that has one. */
    static int ranks(final PutBatch batch, final int group)
    {
        if (batch.isSet(PutOptionBits.HAS_COHORT))
        {
            return batch.cohortSize;
        }

        final int first = batch.groupStart(group);
        final int end = batch.keys.keyOffset(first) + batch.keys.keyLength(first);

        return number(batch.keys.buffer(), digitsStart(batch.keys.buffer(), batch.keys.keyOffset(first), end), end);
    }

    /** Digest of a key without its rank; {@link #NONE} when it does not end in rank and size. */
    static long digest(final DirectBuffer key, final int offset, final int length, final int maxRanks)
    {
        final int end = offset + length;
        final int sizeStart = digitsStart(key, offset, end);
        final int rankStart = sizeStart > offset ? digitsStart(key, offset, sizeStart - 1) : offset;
        if (rankStart <= offset + 1)
        {
            return NONE;
        }

        final int ranks = number(key, sizeStart, end);
        final int rank = number(key, rankStart, sizeStart - 1);
        if (ranks < 2 || ranks > maxRanks || rank >= ranks)
        {
            return NONE;
        }

        long hash = FNV_OFFSET;
        for (int i = offset; i < rankStart; i++)
        {
            hash = (hash ^ key.getByte(i)) * FNV_PRIME;
        }

        return finish(mix(hash, ranks));
    }

    /** Start of the digits that end here and follow an underscore; the offset when there are none. */
    private static int digitsStart(final DirectBuffer key, final int offset, final int end)
    {
        int start = end;
        while (start > offset && end - start < MAX_DIGITS && isDigit(key.getByte(start - 1)))
        {
            start--;
        }

        return start < end && start > offset && '_' == key.getByte(start - 1) ? start : offset;
    }

    private static int number(final DirectBuffer key, final int start, final int end)
    {
        int value = 0;
        for (int i = start; i < end; i++)
        {
            value = 10 * value + key.getByte(i) - '0';
        }

        return value;
    }

    private static boolean isDigit(final byte character)
    {
        return character >= '0' && character <= '9';
    }

    private static long mix(final long hash, final long value)
    {
        long mixed = (hash ^ value) * 0x9E3779B97F4A7C15L;
        mixed ^= mixed >>> 32;

        return mixed * FNV_PRIME;
    }

    private static long finish(final long hash)
    {
        return NONE == hash ? 1 : hash;
    }
}
