package io.fluxon.engine.master;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

import static io.fluxon.engine.master.LineSlab.NONE;
import static io.fluxon.engine.master.RouteDescriptor.CHAIN_NEXT;
import static io.fluxon.engine.master.RouteDescriptor.KEY;
import static io.fluxon.engine.master.RouteDescriptor.KEY_LENGTH;

/**
 * Off-heap table from a key's digest to its route. The high word of the digest chooses a segment, the lower half of the
 * low word is the tag that chooses a slot in it; a slot that is taken sends on to the next one. Routes with equal tags
 * are chained through their records, where the full key decides (contract ID-1).
 * <pre>
 *   63              32 31               0
 *  +------------------+------------------+
 *  |tag               |route + 1         |   a slot; 0 = free
 *  +------------------+------------------+
 * </pre>
 * A segment doubles when three quarters of its slots are taken. At capacity each holds about {@value #SEGMENT_ROUTES}
 * routes, so memory follows the routes, and no call makes more room than a segment's (contract G10). A slot holds all
 * of its tag, so neither growth nor the look at a {@link #candidate} reads a record.
 * <p>
 * Bound (contract BOUND-1): takes no more than {@link #capacity()} routes. Allocates nothing on the Java heap once it
 * is made. Confined to one thread.
 */
final class RouteIndex implements AutoCloseable
{
    private static final int SEGMENT_ROUTES = 1024;
    private static final int MAX_SEGMENTS = 1 << 20;
    private static final int MIN_SLOTS = 16;
    private static final int SLOT_BITS = 3;
    private static final long FREE = 0;
    private static final long REF_MASK = 0xFFFF_FFFFL;

    private final LineSlab slab;
    private final long capacity;
    private final int segmentMask;
    private final int[] slotMasks;
    private final int[] taken;
    private long[] segments;
    private long memoryBytes;
    private long size;

    /**
     * An empty index.
     *
     * @param capacity most routes that it takes, at least 1.
     * @param slab     of the routes, in the layout of {@link RouteDescriptor}.
     */
    RouteIndex(final long capacity, final LineSlab slab)
    {
        if (capacity < 1)
        {
            throw new IllegalArgumentException("capacity: " + capacity + " is less than 1");
        }

        this.capacity = capacity;
        this.slab = slab;
        final int count = segmentsFor(capacity);
        segmentMask = count - 1;
        segments = new long[count];
        slotMasks = new int[count];
        taken = new int[count];
        for (int segment = 0; segment < count; segment++)
        {
            makeTable(segment, MIN_SLOTS);
        }
    }

    /** The route of a key, or NONE. */
    int get(final long low, final long high, final DirectBuffer key, final int offset, final int length)
    {
        int route = candidate(low, high);
        while (NONE != route && !hasKey(route, key, offset, length))
        {
            route = next(route);
        }

        return route;
    }

    /**
     * The route that {@link #get} would compare first, or NONE when no route has the key. Reads no route, so those of
     * many keys can be found before the first of them is read.
     */
    int candidate(final long low, final long high)
    {
        final int segment = segment(high);

        return route(slot(segment, find(segment, tag(low))));
    }

    /** Reads where the search for a digest begins, so that it is near then; what it returns means nothing. */
    int touch(final long low, final long high)
    {
        final int segment = segment(high);

        return (int)slot(segment, tag(low) & slotMasks[segment]);
    }

    /**
     * Takes a route in; its link is overwritten. There must be room, and no other route of its key.
     *
     * @throws IllegalStateException at capacity, when nothing is changed.
     */
    void add(final long low, final long high, final int route)
    {
        if (size == capacity)
        {
            throw new IllegalStateException("an index of " + capacity + " routes is full");
        }

        final int tag = tag(low);
        final int segment = segment(high);
        int slot = find(segment, tag);
        final int head = route(slot(segment, slot));
        if (NONE == head)
        {
            if (isCrowded(segment))
            {
                grow(segment);
                slot = find(segment, tag);
            }
            next(route, NONE);
            slot(segment, slot, entry(tag, route));
            taken[segment]++;
        }
        else
        {
            next(route, next(head));
            next(head, route);
        }
        size++;
    }

    /** Takes exactly this route out; false when it is not in the index. */
    boolean remove(final long low, final long high, final int route)
    {
        final int tag = tag(low);
        final int segment = segment(high);
        final int slot = find(segment, tag);
        int previous = NONE;
        int current = route(slot(segment, slot));
        while (NONE != current && route != current)
        {
            previous = current;
            current = next(current);
        }

        if (NONE == current)
        {
            return false;
        }

        final int successor = next(route);
        if (NONE != previous)
        {
            next(previous, successor);
        }
        else if (NONE != successor)
        {
            slot(segment, slot, entry(tag, successor));
        }
        else
        {
            free(segment, slot);
        }
        size--;

        return true;
    }

    /** Is exactly this route in the index? */
    boolean contains(final long low, final long high, final int route)
    {
        int current = candidate(low, high);
        while (NONE != current && route != current)
        {
            current = next(current);
        }

        return NONE != current;
    }

    long size()
    {
        return size;
    }

    long capacity()
    {
        return capacity;
    }

    /** Bytes outside the Java heap, the routes' not included. */
    long memoryBytes()
    {
        return memoryBytes;
    }

    /** Frees the memory; repeated calls do nothing. */
    @Override
    public void close()
    {
        for (final long table : segments)
        {
            UnsafeApi.freeMemory(table);
        }
        segments = new long[0];
        memoryBytes = 0;
    }

    private static int segmentsFor(final long routes)
    {
        int count = 1;
        while (count < MAX_SEGMENTS && (long)count * SEGMENT_ROUTES < routes)
        {
            count <<= 1;
        }

        return count;
    }

    private static int tag(final long low)
    {
        return (int)low;
    }

    private int segment(final long high)
    {
        return (int)high & segmentMask;
    }

    /** The slot of a tag, or the free one where it would go. */
    private int find(final int segment, final int tag)
    {
        final long table = segments[segment];
        final int mask = slotMasks[segment];
        int slot = tag & mask;
        long entry = UnsafeApi.getLong(table + ((long)slot << SLOT_BITS));
        while (FREE != entry && tag != tagOf(entry))
        {
            slot = slot + 1 & mask;
            entry = UnsafeApi.getLong(table + ((long)slot << SLOT_BITS));
        }

        return slot;
    }

    private boolean isCrowded(final int segment)
    {
        final int slots = slotMasks[segment] + 1;

        return taken[segment] >= slots - (slots >> 2);
    }

    private void grow(final int segment)
    {
        final long oldTable = segments[segment];
        final int oldSlots = slotMasks[segment] + 1;
        makeTable(segment, oldSlots << 1);
        for (int i = 0; i < oldSlots; i++)
        {
            final long entry = UnsafeApi.getLong(oldTable + ((long)i << SLOT_BITS));
            if (FREE != entry)
            {
                slot(segment, find(segment, tagOf(entry)), entry);
            }
        }
        UnsafeApi.freeMemory(oldTable);
        memoryBytes -= (long)oldSlots << SLOT_BITS;
    }

    /** Frees a slot; those behind it that stand there only because it was taken move up. */
    private void free(final int segment, final int slot)
    {
        final int mask = slotMasks[segment];
        int hole = slot;
        int next = slot + 1 & mask;
        long entry = slot(segment, next);
        while (FREE != entry)
        {
            final int home = tagOf(entry) & mask;
            if ((next - home & mask) >= (next - hole & mask))
            {
                slot(segment, hole, entry);
                hole = next;
            }
            next = next + 1 & mask;
            entry = slot(segment, next);
        }
        slot(segment, hole, FREE);
        taken[segment]--;
    }

    private void makeTable(final int segment, final int slots)
    {
        final long length = (long)slots << SLOT_BITS;
        final long table = UnsafeApi.allocateMemory(length);
        UnsafeApi.setMemory(table, length, (byte)0);
        segments[segment] = table;
        slotMasks[segment] = slots - 1;
        memoryBytes += length;
    }

    private long slot(final int segment, final int slot)
    {
        return UnsafeApi.getLong(segments[segment] + ((long)slot << SLOT_BITS));
    }

    private void slot(final int segment, final int slot, final long entry)
    {
        UnsafeApi.putLong(segments[segment] + ((long)slot << SLOT_BITS), entry);
    }

    private static long entry(final int tag, final int route)
    {
        return (long)tag << Integer.SIZE | route + 1 & REF_MASK;
    }

    private static int tagOf(final long entry)
    {
        return (int)(entry >>> Integer.SIZE);
    }

    private static int route(final long entry)
    {
        return (int)entry - 1;
    }

    private int next(final int route)
    {
        return slab.getInt(route, CHAIN_NEXT);
    }

    private void next(final int route, final int next)
    {
        slab.putInt(route, CHAIN_NEXT, next);
    }

    private boolean hasKey(final int route, final DirectBuffer key, final int offset, final int length)
    {
        return length == slab.getInt(route, KEY_LENGTH) && slab.bytesEqual(route, KEY, key, offset, length);
    }
}
