package io.fluxon.tools.replay;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.tools.page.PageContent;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The worker's own memory for a few pages, which stands for the GPU's: pages are made and compared here, and copied
 * from and to the values' addresses. Not thread-safe.
 */
final class StagingPages implements AutoCloseable
{
    private static final long MAX_BYTES = 8L << 20;
    private static final int ALIGNMENT = 64;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory;
    private final int pageBytes;
    private final int capacity;

    StagingPages(final int pageBytes, final int maxPages)
    {
        this.pageBytes = pageBytes;
        capacity = Math.clamp(MAX_BYTES / pageBytes, 1, Math.max(maxPages, 1));
        memory = arena.allocate((long)capacity * pageBytes, ALIGNMENT);
    }

    /** Number of pages that fit. */
    int capacity()
    {
        return capacity;
    }

    /** Makes the page of a key. */
    void fill(final int index, final long contentHash)
    {
        PageContent.fill(contentHash, memory, (long)index * pageBytes, pageBytes);
    }

    /** Position of the first wrong word of a page, -1 if it is right. */
    long firstDifference(final int index, final long contentHash)
    {
        return PageContent.firstDifference(contentHash, memory, (long)index * pageBytes, pageBytes);
    }

    /** Copies values of a read plan to the first pages. */
    void copyOut(final GetHandle plan, final int first, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final long length = Math.min(pageBytes, plan.valueLength(first + i));
            MemorySegment.copy(value(plan.valueAddress(first + i)), 0, memory, (long)i * pageBytes, length);
        }
    }

    /** Copies the first pages to where a put plan wants its values. */
    void copyIn(final PutPlan plan, final int first, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            MemorySegment.copy(memory, (long)i * pageBytes, value(plan.valueAddress(first + i)), 0, pageBytes);
        }
    }

    private MemorySegment value(final long address)
    {
        return MemorySegment.ofAddress(address).reinterpret(pageBytes);
    }

    /** Flips one bit of a value in place. */
    static void flip(final long address)
    {
        final MemorySegment value = MemorySegment.ofAddress(address).reinterpret(1);
        value.set(JAVA_BYTE, 0, (byte)(value.get(JAVA_BYTE, 0) ^ 1));
    }

    @Override
    public void close()
    {
        arena.close();
    }
}
