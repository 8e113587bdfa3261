package io.fluxon.ipc.client.core;

import java.util.Arrays;

/**
 * Ids of holdings that are to be released, in order of release. A ring that grows to what is in use; calls are held
 * back by its size (contract BOUND-1), so it never has to refuse one.
 */
final class ReleaseQueue
{
    private static final int INITIAL_CAPACITY = 1024;

    private long[] ids = new long[INITIAL_CAPACITY];
    private long firstNs;
    private int head;
    private int size;

    /**
     * Adds a holding.
     *
     * @param holdingId to release, 0 is ignored: it is no holding.
     * @param nowNs     current time.
     */
    void add(final long holdingId, final long nowNs)
    {
        if (0 == holdingId)
        {
            return;
        }
        if (size == ids.length)
        {
            grow();
        }
        if (0 == size)
        {
            firstNs = nowNs;
        }
        ids[(head + size) & (ids.length - 1)] = holdingId;
        size++;
    }

    long get(final int index)
    {
        return ids[(head + index) & (ids.length - 1)];
    }

    /**
     * The first ones were sent.
     *
     * @param count of ids.
     * @param nowNs current time; the rest waits from now on.
     */
    void remove(final int count, final long nowNs)
    {
        head = (head + count) & (ids.length - 1);
        size -= count;
        firstNs = nowNs;
    }

    boolean isDue(final long nowNs, final int batch, final long intervalNs)
    {
        return size >= batch || (size > 0 && nowNs - firstNs >= intervalNs);
    }

    int size()
    {
        return size;
    }

    void clear()
    {
        head = 0;
        size = 0;
    }

    private void grow()
    {
        final int capacity = ids.length;
        final long[] larger = Arrays.copyOf(ids, capacity * 2);
        System.arraycopy(ids, 0, larger, capacity, head);
        ids = larger;
    }
}
