package io.fluxon.cuda.client;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/**
 * Pages of the pools, in the order of a plan's values. The memory stays as it is until the copies that name it have
 * ended.
 *
 * @param address    of the indices.
 * @param indexBytes of an index, 4 or 8.
 * @param count      of pages, 1 or more.
 */
public record PageList(long address, int indexBytes, int count)
{
    /**
     * Checks the list.
     */
    public PageList
    {
        if (0 == address || count < 1 || Integer.BYTES != indexBytes && Long.BYTES != indexBytes)
        {
            throw new IllegalArgumentException("list of " + count + " indices of " + indexBytes + " bytes at address " +
                address + ", allowed: 1 or more, 4 or 8, an address");
        }
    }

    /**
     * A list in host memory.
     *
     * @param arena   that it is allocated from.
     * @param indices of the pages.
     * @return the list.
     */
    public static PageList of(final Arena arena, final long... indices)
    {
        return new PageList(
            arena.allocateFrom(ValueLayout.JAVA_LONG, indices).address(), Long.BYTES, indices.length);
    }
}
