package io.fluxon.ipc.client;

/**
 * Which keys of a batch exist.
 *
 * @param leadingCount number of keys from the first on that exist without a gap.
 * @param flags        one item a key, true = exists.
 */
public record ExistsResult(int leadingCount, boolean[] flags)
{
    /**
     * Does a key exist?
     *
     * @param index of the key in its batch.
     * @return true when it exists.
     */
    public boolean exists(final int index)
    {
        return flags[index];
    }

    /**
     * Number of keys asked for.
     *
     * @return number of keys.
     */
    public int count()
    {
        return flags.length;
    }
}
