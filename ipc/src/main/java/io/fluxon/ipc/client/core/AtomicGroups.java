package io.fluxon.ipc.client.core;

import java.util.Arrays;

/**
 * Lengths of the consecutive groups of a batch that are all or nothing (contract A1). Reusable; checked by the call
 * that takes it (API-1).
 */
public final class AtomicGroups
{
    private static final int INITIAL_CAPACITY = 64;

    private int[] lengths = new int[INITIAL_CAPACITY];
    private int size;

    /**
     * Forgets all groups.
     *
     * @return this.
     */
    public AtomicGroups clear()
    {
        size = 0;
        return this;
    }

    /**
     * Adds the next group.
     *
     * @param keyCount number of its keys.
     * @return this.
     */
    public AtomicGroups add(final int keyCount)
    {
        if (size == lengths.length)
        {
            lengths = Arrays.copyOf(lengths, size * 2);
        }
        lengths[size++] = keyCount;
        return this;
    }

    /**
     * Number of groups.
     *
     * @return number of groups.
     */
    public int size()
    {
        return size;
    }

    /**
     * Length of a group.
     *
     * @param index of the group.
     * @return number of its keys.
     */
    public int keyCount(final int index)
    {
        if (index < 0 || index >= size)
        {
            throw new IndexOutOfBoundsException("index " + index + " of " + size + " groups");
        }
        return lengths[index];
    }
}
