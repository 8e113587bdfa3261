package io.fluxon.tools.replay;

import static io.fluxon.codecs.data.CopyDirection.BACKUP;
import static io.fluxon.codecs.data.CopyDirection.RESTORE;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fluxon.cuda.HostCopier;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.LocalSegment;
import io.fluxon.tools.page.PageContent;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The worker's own memory for pages, which stands for the GPU's: pages are made and compared here, and copied from and
 * to the values of a plan. When it can hold the longest request, copies go by the plan's blob, as a kernel does them
 * (contract PLAN-1); else in pieces by the values' addresses. Not thread-safe.
 */
final class StagingPages implements AutoCloseable
{
    private static final long MAX_BYTES = 64L << 20;
    private static final int ALIGNMENT = 64;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment memory;
    private final int pageBytes;
    private final int capacity;
    private final boolean isWholePlans;
    private final long[] layers = new long[1];
    private HostCopier copier;

    StagingPages(final int pageBytes, final int maxPages)
    {
        this.pageBytes = pageBytes;
        capacity = Math.clamp(MAX_BYTES / pageBytes, 1, Math.max(maxPages, 1));
        isWholePlans = capacity >= maxPages;
        memory = arena.allocate((long) capacity * pageBytes, ALIGNMENT);
        layers[0] = memory.address();
    }

    /** Takes over the segment that plans lie in. */
    void attach(final LocalSegment segment)
    {
        copier = new HostCopier(segment.writePtr(), segment.len());
    }

    /** Number of pages that fit. */
    int capacity()
    {
        return capacity;
    }

    /** Makes the page of a key. */
    void fill(final int index, final long contentHash)
    {
        PageContent.fill(contentHash, memory, (long) index * pageBytes, pageBytes);
    }

    /** Position of the first wrong word of a page, -1 if it is right. */
    long firstDifference(final int index, final long contentHash)
    {
        return PageContent.firstDifference(contentHash, memory, (long) index * pageBytes, pageBytes);
    }

    /** Copies values of a read plan to the first pages. */
    void copyOut(final GetHandle plan, final int first, final int count)
    {
        if (isWholePlans)
        {
            copier.copyMla(RESTORE, plan.planAddress(), firstPages(count), layers, pageBytes);
            return;
        }
        final long[] sources = new long[count];
        for (int i = 0; i < count; i++)
        {
            sources[i] = plan.valueAddress(first + i);
        }
        copier.copyBatch(pageAddresses(count), sources, pageLengths(count));
    }

    /** Copies the first pages to where a put plan wants its values. */
    void copyIn(final PutPlan plan, final int first, final int count)
    {
        if (isWholePlans)
        {
            copier.copyMla(BACKUP, plan.planAddress(), firstPages(count), layers, pageBytes);
            return;
        }
        final long[] targets = new long[count];
        for (int i = 0; i < count; i++)
        {
            targets[i] = plan.valueAddress(first + i);
        }
        copier.copyBatch(targets, pageAddresses(count), pageLengths(count));
    }

    private static long[] firstPages(final int count)
    {
        final long[] indices = new long[count];
        for (int i = 0; i < count; i++)
        {
            indices[i] = i;
        }
        return indices;
    }

    private long[] pageAddresses(final int count)
    {
        final long[] addresses = new long[count];
        for (int i = 0; i < count; i++)
        {
            addresses[i] = memory.address() + (long) i * pageBytes;
        }
        return addresses;
    }

    private long[] pageLengths(final int count)
    {
        final long[] lengths = new long[count];
        for (int i = 0; i < count; i++)
        {
            lengths[i] = pageBytes;
        }
        return lengths;
    }

    /** Flips one bit of a value in place. */
    static void flip(final long address)
    {
        final MemorySegment value = MemorySegment.ofAddress(address).reinterpret(1);
        value.set(JAVA_BYTE, 0, (byte) (value.get(JAVA_BYTE, 0) ^ 1));
    }

    @Override
    public void close()
    {
        arena.close();
    }
}
