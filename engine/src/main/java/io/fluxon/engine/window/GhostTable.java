package io.fluxon.engine.window;

import java.lang.foreign.MemorySegment;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * Key hashes of pages that went, each with a value, in lists by age; when the table is full the caller drops the oldest
 * of a list. Chained hashing in native memory that is given in. Confined to one thread; every operation is O(1) on
 * average and allocates nothing.
 */
final class GhostTable
{
    static final int NONE = SlotLists.NONE;

    private static final int HASH_OFFSET = 0;
    private static final int VALUE_OFFSET = 8;
    private static final int NEXT_OFFSET = 16;
    private static final int RECORD_LENGTH = 24;

    private final MemorySegment records;
    private final MemorySegment buckets;
    private final SlotLists lists;
    private final int bucketMask;
    private final int freeList;
    private final int entryCount;
    private int usedEntries;

    GhostTable(final MemoryCarver memory, final int entryCount, final int listCount)
    {
        records = memory.next((long)entryCount * RECORD_LENGTH);
        buckets = memory.next((long)bucketCount(entryCount) * Integer.BYTES);
        lists = new SlotLists(
            memory.next(SlotLists.requiredLength(entryCount)), entryCount, listCount + 1);
        bucketMask = bucketCount(entryCount) - 1;
        freeList = listCount;
        this.entryCount = entryCount;
    }

    static long requiredLength(final int entryCount)
    {
        return MemoryCarver.align((long)entryCount * RECORD_LENGTH) +
            MemoryCarver.align((long)bucketCount(entryCount) * Integer.BYTES) + SlotLists.requiredLength(entryCount);
    }

    private static int bucketCount(final int entryCount)
    {
        return Integer.highestOneBit(Math.max(1, entryCount - 1)) << 1;
    }

    int find(final long keyHash)
    {
        int entry = head(keyHash);
        while (NONE != entry && keyHash != records.get(JAVA_LONG, offset(entry) + HASH_OFFSET))
        {
            entry = next(entry);
        }
        return entry;
    }

    int listOf(final int entry)
    {
        return lists.listOf(entry);
    }

    int size(final int list)
    {
        return lists.size(list);
    }

    boolean isFull()
    {
        return usedEntries == entryCount && 0 == lists.size(freeList);
    }

    long value(final int entry)
    {
        return records.get(JAVA_LONG, offset(entry) + VALUE_OFFSET);
    }

    void value(final int entry, final long value)
    {
        records.set(JAVA_LONG, offset(entry) + VALUE_OFFSET, value);
    }

    /** The entry. Precondition: the table is not full, and the hash is not in it. */
    int add(final int list, final long keyHash, final long value)
    {
        final int entry = 0 < lists.size(freeList) ? lists.unlinkOldest(freeList) : usedEntries++;
        records.set(JAVA_LONG, offset(entry) + HASH_OFFSET, keyHash);
        records.set(JAVA_LONG, offset(entry) + VALUE_OFFSET, value);
        records.set(JAVA_INT, offset(entry) + NEXT_OFFSET, head(keyHash) + 1);
        head(keyHash, entry);
        lists.append(list, entry);
        return entry;
    }

    void removeOldest(final int list)
    {
        remove(lists.oldest(list));
    }

    void remove(final int entry)
    {
        final long keyHash = records.get(JAVA_LONG, offset(entry) + HASH_OFFSET);
        int previous = NONE;
        for (int other = head(keyHash); other != entry; other = next(other))
        {
            previous = other;
        }
        if (NONE == previous)
        {
            head(keyHash, next(entry));
        }
        else
        {
            records.set(JAVA_INT, offset(previous) + NEXT_OFFSET, next(entry) + 1);
        }
        lists.unlink(entry);
        lists.append(freeList, entry);
    }

    private int head(final long keyHash)
    {
        return buckets.get(JAVA_INT, bucketOffset(keyHash)) - 1;
    }

    private void head(final long keyHash, final int entry)
    {
        buckets.set(JAVA_INT, bucketOffset(keyHash), entry + 1);
    }

    private int next(final int entry)
    {
        return records.get(JAVA_INT, offset(entry) + NEXT_OFFSET) - 1;
    }

    private long bucketOffset(final long keyHash)
    {
        return (long)((int)(keyHash ^ keyHash >>> 32) & bucketMask) * Integer.BYTES;
    }

    private static long offset(final int entry)
    {
        return (long)entry * RECORD_LENGTH;
    }
}
