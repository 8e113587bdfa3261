package io.fluxon.engine.owner;

/**
 * Computes what of a batch can be restored (contract API-6). Pure: fed with one hit or miss per key, in order, in as
 * many steps as the caller likes. Reused; not thread-safe.
 */
public final class PrefixPlanner
{
    /** No such index. */
    public static final int NONE = -1;

    private int keyCount;
    private boolean isBestEffort;
    private int rawPrefixHitLen;
    private int groupEndPrefix;
    private int groupsHit;
    private int firstMissIndex;
    private int firstMissGroupIndex;
    private int groupIndex;

    /**
     * Begins a batch.
     *
     * @param keyCount           number of keys.
     * @param prefixBestEffort   whether a part of the batch is of use.
     * @return this.
     */
    public PrefixPlanner start(final int keyCount, final boolean prefixBestEffort)
    {
        this.keyCount = keyCount;
        isBestEffort = prefixBestEffort;
        rawPrefixHitLen = 0;
        groupEndPrefix = 0;
        groupsHit = 0;
        firstMissIndex = NONE;
        firstMissGroupIndex = NONE;
        groupIndex = 0;

        return this;
    }

    /**
     * Adds the next key.
     *
     * @param isHit        whether it can be restored.
     * @param isEndOfGroup whether it is the last key of its atomic group.
     */
    public void add(final boolean isHit, final boolean isEndOfGroup)
    {
        if (NONE == firstMissIndex)
        {
            if (isHit)
            {
                rawPrefixHitLen++;
            }
            else
            {
                firstMissIndex = rawPrefixHitLen;
                firstMissGroupIndex = groupIndex;
            }
        }

        if (isEndOfGroup)
        {
            groupIndex++;
            if (NONE == firstMissIndex)
            {
                groupEndPrefix = rawPrefixHitLen;
                groupsHit = groupIndex;
            }
        }
    }

    /**
     * Is the result known, whatever keys follow?
     *
     * @return true after the first miss.
     */
    public boolean isDecided()
    {
        return NONE != firstMissIndex;
    }

    /**
     * Leading hits.
     *
     * @return number of keys.
     */
    public int rawPrefixHitLen()
    {
        return rawPrefixHitLen;
    }

    /**
     * Largest prefix of whole groups within the leading hits; 0 when the batch is wanted whole and is not hit whole.
     *
     * @return number of keys.
     */
    public int transferableLen()
    {
        return isWithheld() ? 0 : groupEndPrefix;
    }

    /**
     * Groups of the transferable prefix.
     *
     * @return number of groups.
     */
    public int prefixHitGroups()
    {
        return isWithheld() ? 0 : groupsHit;
    }

    /**
     * First key that is not hit.
     *
     * @return its index or {@link #NONE}.
     */
    public int firstMissIndex()
    {
        return firstMissIndex;
    }

    /**
     * Group of the first key that is not hit.
     *
     * @return its index or {@link #NONE}.
     */
    public int firstMissGroupIndex()
    {
        return firstMissGroupIndex;
    }

    /**
     * Can the whole batch be restored?
     *
     * @return true when it can.
     */
    public boolean allHit()
    {
        return transferableLen() == keyCount;
    }

    private boolean isWithheld()
    {
        return !isBestEffort && rawPrefixHitLen < keyCount;
    }
}
