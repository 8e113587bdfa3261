package io.fluxon.engine.index;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * Off-heap map from a key to a record ref (a number that is not negative): a digest to the first record of that digest,
 * then the chain through the {@link ChainStore}, where the full key decides (contract ID-1). Confined to one thread;
 * allocates nothing on the Java heap in {@code get}, {@code putIfAbsent} and {@code remove} (contract ZERO-1). In
 * memory only: it can be rebuilt from the records at any time.
 * <p>
 * The upper bits of the digest choose a segment, the lower ones a slot; a slot that is taken sends on to the next one.
 * Each segment grows by itself, from {@value #MIN_SLOTS} slots up to about {@value #KEYS_PER_SEGMENT} records at
 * capacity, so memory follows the records and no call takes longer than a few microseconds to make room (contract G10).
 * <pre>
 *   0                 8                 16
 *  +-----------------+-----------------+
 *  |digest           |ref + 1, 0 = free|   a slot
 *  +-----------------+-----------------+
 * </pre>
 * Bound (contract BOUND-1): at {@link #capacity()} records {@code putIfAbsent} answers {@link #FULL} and changes
 * nothing.
 */
public final class KeyIndex implements AutoCloseable
{
    /** No record. */
    public static final long NONE = -1;

    /** The index holds as many records as it may. */
    public static final long FULL = -2;

    private static final int KEYS_PER_SEGMENT = 1024;
    private static final int MIN_SLOTS = 16;
    private static final int MAX_SEGMENT_BITS = 20;
    private static final int SLOT_BITS = 4;
    private static final int REF_OFFSET = Long.BYTES;
    private static final long HIGH_MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final ChainStore store;
    private final long capacity;
    private final int segmentShift;
    private long[] tables;
    private final int[] masks;
    private final int[] used;
    private long memoryBytes;
    private long size;

    /**
     * An empty index.
     *
     * @param name     of what is indexed.
     * @param capacity most records that it will hold, at least 1.
     * @param store    of the records.
     */
    public KeyIndex(final String name, final long capacity, final ChainStore store)
    {
        if (capacity < 1)
        {
            throw new IllegalArgumentException("capacity: " + capacity + " of index " + name + " is less than 1");
        }

        this.capacity = capacity;
        this.store = store;
        final int segmentBits = Math.min(MAX_SEGMENT_BITS, Long.SIZE - Long.numberOfLeadingZeros(
            (capacity - 1) / KEYS_PER_SEGMENT));
        segmentShift = Long.SIZE - segmentBits;
        tables = new long[1 << segmentBits];
        masks = new int[tables.length];
        used = new int[tables.length];
        Arrays.fill(masks, MIN_SLOTS - 1);
        for (int i = 0; i < tables.length; i++)
        {
            tables[i] = newTable(MIN_SLOTS);
        }
    }

    /**
     * Looks a key up.
     *
     * @param low    word of the key's digest.
     * @param high   word of the key's digest.
     * @param key    buffer that holds the key.
     * @param offset of the key's first byte.
     * @param length of the key in bytes.
     * @return the record's ref, or {@link #NONE}.
     */
    public long get(final long low, final long high, final DirectBuffer key, final int offset, final int length)
    {
        long ref = first(word(low, high));
        while (NONE != ref && !store.keyEquals(ref, key, offset, length))
        {
            ref = store.next(ref);
        }

        return ref;
    }

    /**
     * The record that a look-up would compare its key with first. Reads no record, so the records of many keys can be
     * found before the first of them is read.
     *
     * @param low  word of the key's digest.
     * @param high word of the key's digest.
     * @return the record's ref, or {@link #NONE} when no record has the key.
     */
    public long candidate(final long low, final long high)
    {
        return first(word(low, high));
    }

    /**
     * Puts a record in unless its key is there. The record's link is overwritten.
     *
     * @param low    word of the key's digest.
     * @param high   word of the key's digest.
     * @param key    buffer that holds the key.
     * @param offset of the key's first byte.
     * @param length of the key in bytes.
     * @param ref    of the record, not negative, with the same key.
     * @return {@link #NONE} when the record was put in, {@link #FULL}, or the ref of the record that is there.
     */
    public long putIfAbsent(
        final long low, final long high, final DirectBuffer key, final int offset, final int length, final long ref)
    {
        final long word = word(low, high);
        final long head = first(word);
        for (long other = head; NONE != other; other = store.next(other))
        {
            if (store.keyEquals(other, key, offset, length))
            {
                return other;
            }
        }

        if (size == capacity)
        {
            return FULL;
        }

        if (NONE == head)
        {
            store.next(ref, NONE);
            insert(word, ref);
        }
        else
        {
            store.next(ref, store.next(head));
            store.next(head, ref);
        }
        size++;

        return NONE;
    }

    /**
     * Takes exactly this record out; another record of the same key is left alone.
     *
     * @param low  word of the key's digest.
     * @param high word of the key's digest.
     * @param ref  of the record.
     * @return true when it was in the index.
     */
    public boolean remove(final long low, final long high, final long ref)
    {
        return unlink(word(low, high), ref);
    }

    /**
     * Is exactly this record in the index?
     *
     * @param low  word of the key's digest.
     * @param high word of the key's digest.
     * @param ref  of the record.
     * @return true when it is.
     */
    public boolean contains(final long low, final long high, final long ref)
    {
        long other = first(word(low, high));
        while (NONE != other && ref != other)
        {
            other = store.next(other);
        }

        return NONE != other;
    }

    /**
     * Number of records in the index.
     *
     * @return from 0 to {@link #capacity()}.
     */
    public long size()
    {
        return size;
    }

    /**
     * Most records that the index holds.
     *
     * @return number of records.
     */
    public long capacity()
    {
        return capacity;
    }

    /**
     * Memory of the index, which grows with its records.
     *
     * @return bytes outside the Java heap, the records' not included.
     */
    public long memoryBytes()
    {
        return memoryBytes;
    }

    /**
     * Visits every record, in no order. For audits and tests: walks the whole index. It must not be
     * changed meanwhile.
     *
     * @param consumer of the refs.
     */
    public void forEach(final LongConsumer consumer)
    {
        for (int segment = 0; segment < tables.length; segment++)
        {
            for (int slot = 0; slot <= masks[segment]; slot++)
            {
                for (long ref = ref(address(segment, slot)); NONE != ref; ref = store.next(ref))
                {
                    consumer.accept(ref);
                }
            }
        }
    }

    /** Frees the memory; repeated calls do nothing. */
    @Override
    public void close()
    {
        for (final long table : tables)
        {
            UnsafeApi.freeMemory(table);
        }
        tables = new long[0];
        memoryBytes = 0;
    }

    private static long word(final long low, final long high)
    {
        return low ^ high * HIGH_MULTIPLIER;
    }

    private long first(final long word)
    {
        final int segment = segment(word);
        return ref(address(segment, find(word, segment)));
    }

    /** The slot of a digest, or the free one where it would go. */
    private int find(final long word, final int segment)
    {
        final long table = tables[segment];
        final int mask = masks[segment];
        int slot = (int) word & mask;
        long address = table + ((long) slot << SLOT_BITS);
        while (0 != UnsafeApi.getLong(address + REF_OFFSET) && word != UnsafeApi.getLong(address))
        {
            slot = slot + 1 & mask;
            address = table + ((long) slot << SLOT_BITS);
        }

        return slot;
    }

    private void insert(final long word, final long ref)
    {
        final int segment = segment(word);
        final int slots = masks[segment] + 1;
        if (used[segment] >= slots - (slots >> 2))
        {
            grow(segment);
        }
        write(address(segment, find(word, segment)), word, ref);
        used[segment]++;
    }

    private void grow(final int segment)
    {
        final long oldTable = tables[segment];
        final int oldSlots = masks[segment] + 1;
        tables[segment] = newTable(oldSlots << 1);
        masks[segment] = (oldSlots << 1) - 1;
        for (int slot = 0; slot < oldSlots; slot++)
        {
            final long address = oldTable + ((long) slot << SLOT_BITS);
            final long ref = ref(address);
            if (NONE != ref)
            {
                final long word = UnsafeApi.getLong(address);
                write(address(segment, find(word, segment)), word, ref);
            }
        }
        UnsafeApi.freeMemory(oldTable);
        memoryBytes -= (long) oldSlots << SLOT_BITS;
    }

    private boolean unlink(final long word, final long ref)
    {
        final int segment = segment(word);
        final int slot = find(word, segment);
        long previous = NONE;
        long current = ref(address(segment, slot));
        while (NONE != current && ref != current)
        {
            previous = current;
            current = store.next(current);
        }

        if (NONE == current)
        {
            return false;
        }

        final long successor = store.next(ref);
        size--;
        if (NONE != previous)
        {
            store.next(previous, successor);
        }
        else if (NONE != successor)
        {
            write(address(segment, slot), word, successor);
        }
        else
        {
            free(segment, slot);
        }

        return true;
    }

    /** Frees a slot; those behind it that only stand there because it was taken move up. */
    private void free(final int segment, final int slot)
    {
        final int mask = masks[segment];
        int hole = slot;
        int next = slot + 1 & mask;
        long address = address(segment, next);
        while (0 != UnsafeApi.getLong(address + REF_OFFSET))
        {
            final long word = UnsafeApi.getLong(address);
            final int home = (int) word & mask;
            if ((next - home & mask) >= (next - hole & mask))
            {
                write(address(segment, hole), word, ref(address));
                hole = next;
            }
            next = next + 1 & mask;
            address = address(segment, next);
        }
        write(address(segment, hole), 0, NONE);
        used[segment]--;
    }

    private int segment(final long word)
    {
        // a shift by 64 would be one by 0
        return (int) (word >>> 1 >>> segmentShift - 1);
    }

    private long address(final int segment, final int slot)
    {
        return tables[segment] + ((long) slot << SLOT_BITS);
    }

    private static long ref(final long address)
    {
        return UnsafeApi.getLong(address + REF_OFFSET) - 1;
    }

    private static void write(final long address, final long word, final long ref)
    {
        UnsafeApi.putLong(address, word);
        UnsafeApi.putLong(address + REF_OFFSET, ref + 1);
    }

    private long newTable(final int slots)
    {
        final long length = (long) slots << SLOT_BITS;
        final long address = UnsafeApi.allocateMemory(length);
        UnsafeApi.setMemory(address, length, (byte) 0);
        memoryBytes += length;

        return address;
    }
}
