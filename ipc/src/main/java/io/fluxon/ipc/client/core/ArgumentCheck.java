package io.fluxon.ipc.client.core;

import io.fluxon.ipc.channel.MessageCheck;

/**
 * Complete validation of a call's arguments before anything is reserved or sent (contract API-1). Each check returns
 * null, or a text that names field, value and what is allowed.
 */
final class ArgumentCheck
{
    private final DuplicateKeys duplicates = new DuplicateKeys();
    private int maxKeys;
    private int maxKeyBytes;
    private long maxValueBytes;

    void limits(final int maxKeysPerBatch, final int maxBytesOfKey, final long maxBytesOfValue)
    {
        maxKeys = maxKeysPerBatch;
        maxKeyBytes = maxBytesOfKey;
        maxValueBytes = maxBytesOfValue;
    }

    String keys(final KeyBatch keys, final ClientOperation operation)
    {
        if (null == keys || 0 == keys.size())
        {
            return "keys must not be empty";
        }
        final int limit = Math.min(maxKeys, operation.maxKeys());
        if (keys.size() > limit)
        {
            return "keys: " + keys.size() + " are more than the " + limit + " that are allowed";
        }
        for (int i = 0; i < keys.size(); i++)
        {
            if (!MessageCheck.isKey(keys.buffer(), keys.keyOffset(i), keys.keyLength(i), maxKeyBytes))
            {
                return "keys[" + i + "] of " + keys.keyLength(i) + " bytes must be 1 to " + maxKeyBytes +
                    " bytes of valid UTF-8";
            }
        }
        return null;
    }

    String put(final PutPlan put, final KeyBatch keys, final long valueLength, final PutOptions options)
    {
        String reason = keys(keys, put);
        if (null == reason && (valueLength <= 0 || valueLength > maxValueBytes))
        {
            reason = "valueLength " + valueLength + " must be 1 to " + maxValueBytes;
        }
        if (null == reason && null != options)
        {
            reason = options(keys.size(), options);
        }
        return null == reason ? noDuplicate(keys) : reason;
    }

    static String groups(final AtomicGroups groups, final int keyCount)
    {
        if (null == groups)
        {
            return null;
        }
        long sum = 0;
        for (int i = 0; i < groups.size(); i++)
        {
            if (groups.keyCount(i) <= 0)
            {
                return "atomicGroups[" + i + "] " + groups.keyCount(i) + " must be positive";
            }
            sum += groups.keyCount(i);
        }
        return sum == keyCount ? null : "atomicGroups: sum " + sum + " must be the number of keys " + keyCount;
    }

    private String options(final int keyCount, final PutOptions options)
    {
        if (null != options.leaseId())
        {
            return "leaseId " + options.leaseId() + " is reserved and must be null";
        }
        String reason = groups(options.atomicGroups(), keyCount);
        if (null == reason && null != options.mask())
        {
            reason = mask(options.mask(), options.atomicGroups(), keyCount);
        }
        if (null == reason && options.hasCohort() &&
            (options.cohortSize() < 1 || options.cohortRank() < 0 || options.cohortRank() >= options.cohortSize()))
        {
            reason = "cohort rank " + options.cohortRank() + " must be 0 to size - 1, size " + options.cohortSize() +
                " must be positive";
        }
        return null == reason ? pathHint(options) : reason;
    }

    private String pathHint(final PutOptions options)
    {
        if (options.pathDepth() < PutOptions.NOT_GIVEN || options.pathTurn() < PutOptions.NOT_GIVEN)
        {
            return "pathHint depth " + options.pathDepth() + " and turn " + options.pathTurn() +
                " must not be negative, or -1 when not given";
        }
        if (PutOptions.NOT_GIVEN != options.parentKeyLength() &&
            !MessageCheck.isKey(options.parentKey(), 0, options.parentKeyLength(), maxKeyBytes))
        {
            return "pathHint parentKey of " + options.parentKeyLength() + " bytes must be 1 to " + maxKeyBytes +
                " bytes of valid UTF-8";
        }
        return null;
    }

    private String noDuplicate(final KeyBatch keys)
    {
        final int duplicate = duplicates.find(keys);
        return DuplicateKeys.NONE == duplicate ? null : "keys[" + duplicate + "] is in the batch twice";
    }

    private static String mask(final boolean[] mask, final AtomicGroups groups, final int keyCount)
    {
        if (mask.length != keyCount)
        {
            return "mask of " + mask.length + " items must have one a key, " + keyCount;
        }
        int first = 0;
        for (int i = 0; null != groups && i < groups.size(); i++)
        {
            final int end = first + groups.keyCount(i);
            for (int k = first + 1; k < end; k++)
            {
                if (mask[k] != mask[first])
                {
                    return "mask[" + k + "] must be that of its whole group " + i;
                }
            }
            first = end;
        }
        return null;
    }
}
