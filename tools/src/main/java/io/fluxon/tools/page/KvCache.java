package io.fluxon.tools.page;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fluxon.cuda.CopyPlace;
import io.fluxon.cuda.client.PageList;
import io.fluxon.cuda.client.PagePools;
import io.fluxon.cuda.driver.CudaContext;
import io.fluxon.cuda.driver.DeviceMemory;
import io.fluxon.cuda.kernel.Geometry;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A worker's simulated KV cache: one pool for each layer of K and V, in host memory or on a GPU. Pages are made and
 * compared here; a request gets other pages than the one before, in an order that is not theirs. Not thread-safe, and
 * for one thread.
 */
public final class KvCache implements AutoCloseable
{
    private static final int ALIGNMENT = 64;
    private static final int LAYERS = 4;
    private static final int FRAGMENTS = 2 * LAYERS;
    private static final int DEVICE = 0;
    private static final long[] STEPS = {7, 11, 13, 1};

    private final Arena arena = Arena.ofShared();
    private final Geometry geometry;
    private final PagePools pools;
    private final CudaContext context;
    private final DeviceMemory deviceMemory;
    private final MemorySegment hostMemory;
    private final MemorySegment page;
    private final MemorySegment indices;
    private final int capacity;
    private final long step;
    private long next;

    /**
     * A cache whose pages have whatever content.
     *
     * @param geometry of a page; all parts have as many bytes in a layer, a multiple of 8 unless there is one layer.
     * @param capacity pages that fit, 1 or more.
     * @param place    of the pools, HOST or DEVICE.
     */
    public KvCache(final Geometry geometry, final int capacity, final CopyPlace place)
    {
        this.geometry = geometry;
        this.capacity = capacity;
        final long pageBytes = geometry.valueBytes();
        step = stepOf(capacity);
        final long bytes = (long) capacity * pageBytes;
        final boolean isOnDevice = CopyPlace.DEVICE == place;
        context = isOnDevice ? new CudaContext(DEVICE) : null;
        deviceMemory = isOnDevice ? new DeviceMemory(bytes) : null;
        hostMemory = isOnDevice ? null : arena.allocate(bytes, ALIGNMENT);
        page = isOnDevice ? arena.allocate(pageBytes, ALIGNMENT) : null;
        indices = arena.allocate(JAVA_LONG, capacity);
        final long address = isOnDevice ? deviceMemory.address() : hostMemory.address();
        final MemorySegment layers = arena.allocate(JAVA_LONG, geometry.fragmentCount());
        for (int i = 0; i < geometry.fragmentCount(); i++)
        {
            layers.setAtIndex(JAVA_LONG, i, address + i * capacity * fragmentBytes());
        }
        pools = new PagePools(geometry, layers.address(), false);
    }

    /**
     * Pages of some length, as pages of K and V in a few layers where the length allows it.
     *
     * @param pageBytes of a page, 1 or more.
     * @return the geometry.
     */
    public static Geometry geometryOf(final int pageBytes)
    {
        final int fragment = pageBytes / FRAGMENTS;
        return 0 == pageBytes % (FRAGMENTS * Long.BYTES) ?
            Geometry.mha(LAYERS, fragment, fragment) : Geometry.mla(1, pageBytes);
    }

    /**
     * Number of pages that fit.
     *
     * @return number of pages.
     */
    public int capacity()
    {
        return capacity;
    }

    /**
     * Where the pages lie.
     *
     * @return the pools.
     */
    public PagePools pools()
    {
        return pools;
    }

    /**
     * Takes pages, whose content is whatever it was; those taken before are given up.
     *
     * @param count of pages, 1 to the capacity.
     * @return the pages, until the next call.
     */
    public PageList take(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            indices.setAtIndex(JAVA_LONG, i, next);
            next = (next + step) % capacity;
        }
        return new PageList(indices.address(), Long.BYTES, count);
    }

    /**
     * Makes the page of a key.
     *
     * @param index       of the page among those taken.
     * @param contentHash of the key.
     */
    public void fill(final int index, final long contentHash)
    {
        if (null == deviceMemory)
        {
            for (int i = 0; i < geometry.fragmentCount(); i++)
            {
                PageContent.fillPart(
                    contentHash, i * fragmentBytes(), hostMemory, offset(i, index), fragmentBytes());
            }
            return;
        }
        PageContent.fill(contentHash, page, 0, page.byteSize());
        for (int i = 0; i < geometry.fragmentCount(); i++)
        {
            deviceMemory.write(offset(i, index), page.asSlice(i * fragmentBytes(), fragmentBytes()));
        }
    }

    /**
     * Compares a page with what it must be.
     *
     * @param index       of the page among those taken.
     * @param contentHash of its key.
     * @return position of the first wrong word, -1 if it is right.
     */
    public long firstDifference(final int index, final long contentHash)
    {
        for (int i = 0; i < geometry.fragmentCount(); i++)
        {
            final long position = i * fragmentBytes();
            final long wrongAt;
            if (null == deviceMemory)
            {
                wrongAt = PageContent.firstDifferenceOfPart(
                    contentHash, position, hostMemory, offset(i, index), fragmentBytes());
            }
            else
            {
                final MemorySegment fragment = page.asSlice(position, fragmentBytes());
                deviceMemory.read(offset(i, index), fragment);
                wrongAt =
                    PageContent.firstDifferenceOfPart(contentHash, position, page, position, fragmentBytes());
            }
            if (wrongAt >= 0)
            {
                return wrongAt;
            }
        }
        return -1;
    }

    private long fragmentBytes()
    {
        return geometry.parts().getFirst().fragmentBytes();
    }

    private long offset(final int fragment, final int index)
    {
        return ((long) fragment * capacity + indices.getAtIndex(JAVA_LONG, index)) * fragmentBytes();
    }

    /** So long a step that it comes to every page before it comes to one again. */
    private static long stepOf(final int capacity)
    {
        for (final long step : STEPS)
        {
            if (0 != capacity % step)
            {
                return step;
            }
        }
        return 1;
    }

    @Override
    public void close()
    {
        if (null != context)
        {
            deviceMemory.close();
            context.close();
        }
        arena.close();
    }
}
