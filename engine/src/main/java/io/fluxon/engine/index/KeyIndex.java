package io.fluxon.engine.index;

import net.openhft.chronicle.core.values.LongValue;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.values.Values;
import org.agrona.DirectBuffer;

import java.util.function.LongConsumer;

/**
 * Off-heap map from a key to a record ref (a number that is not negative): 128-bit digest to the first record of that
 * digest, then the chain through the {@link ChainStore}. Confined to one thread; allocates nothing in {@code get},
 * {@code putIfAbsent}, {@code remove} and {@code replace} (contract ZERO-1). In memory only: it can be rebuilt from
 * the records at any time.
 * <p>
 * Bound (contract BOUND-1): at {@link #capacity()} records {@code putIfAbsent} answers {@link #FULL} and changes
 * nothing.
 */
public final class KeyIndex implements AutoCloseable
{
    /** No record. */
    public static final long NONE = -1;

    /** The index holds as many records as it may. */
    public static final long FULL = -2;

    private static final double BLOAT_FACTOR = 2.0;

    private final ChronicleMap<DigestKey, LongValue> map;
    private final ChainStore store;
    private final long capacity;
    private final DigestKey digest;
    private final LongValue found;
    private final LongValue written;
    private long size;

    /**
     * An empty index.
     *
     * @param name     for the map's own messages.
     * @param capacity most records that it will hold, at least 1.
     * @param store    of the records.
     */
    public KeyIndex(final String name, final long capacity, final ChainStore store)
    {
        if (capacity < 1)
        {
            throw new IllegalArgumentException("capacity: " + capacity + " is less than 1");
        }

        this.capacity = capacity;
        this.store = store;
        generateClasses();
        digest = Values.newHeapInstance(DigestKey.class);
        found = Values.newHeapInstance(LongValue.class);
        written = Values.newHeapInstance(LongValue.class);
        map = ChronicleMap.of(DigestKey.class, LongValue.class)
            .name(name)
            .entries(Math.max(capacity, 64))
            .maxBloatFactor(BLOAT_FACTOR)
            .putReturnsNull(true)
            .removeReturnsNull(true)
            .create();
    }

    /**
     * The library generates and compiles these classes at their first use, and cannot do so in two threads at once:
     * what fails then fails for ever.
     */
    private static void generateClasses()
    {
        synchronized (DigestKey.class)
        {
            Values.heapClassFor(DigestKey.class);
            Values.nativeClassFor(DigestKey.class);
            Values.heapClassFor(LongValue.class);
            Values.nativeClassFor(LongValue.class);
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
        long ref = first(low, high);
        while (NONE != ref && !store.keyEquals(ref, key, offset, length))
        {
            ref = store.next(ref);
        }

        return ref;
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
        final long head = first(low, high);
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
            writeFirst(ref);
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
        return unlink(low, high, ref);
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
        long other = first(low, high);
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
     * Memory of the index, which is allocated as it fills.
     *
     * @return bytes outside the Java heap, the records' not included.
     */
    public long memoryBytes()
    {
        return map.offHeapMemoryUsed();
    }

    /**
     * Visits every record, in no order. For audits and tests: walks the whole map, may allocate. The index must not be
     * changed meanwhile.
     *
     * @param consumer of the refs.
     */
    public void forEach(final LongConsumer consumer)
    {
        map.forEachEntry(
            (entry) ->
            {
                for (long ref = entry.value().get().getValue(); NONE != ref; ref = store.next(ref))
                {
                    consumer.accept(ref);
                }
            });
    }

    /** Frees the memory; repeated calls do nothing. */
    @Override
    public void close()
    {
        map.close();
    }

    private long first(final long low, final long high)
    {
        digest.setLow(low);
        digest.setHigh(high);

        return null == map.getUsing(digest, found) ? NONE : found.getValue();
    }

    private void writeFirst(final long ref)
    {
        written.setValue(ref);
        map.put(digest, written);
    }

    private boolean unlink(final long low, final long high, final long ref)
    {
        long previous = NONE;
        long current = first(low, high);
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
            writeFirst(successor);
        }
        else
        {
            map.remove(digest);
        }

        return true;
    }
}
