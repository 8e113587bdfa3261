package io.fluxon.engine.master;

import io.fluxon.engine.boundary.PageSource;
import io.fluxon.engine.memory.InvariantViolation;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.Arrays;

/**
 * Off-heap memory for records of 1 to {@value #MAX_LINES} lines of 64 bytes, in chunks that are added on demand. A
 * record is named by the number of its first line, never lies across two chunks and is never moved; a freed record is
 * used again for one of its size, or split for a smaller one.
 * <pre>
 *   0        4        8                        64 * lines
 *  +--------+--------+-------- ... -----------+
 *  |tag     |        fields of the record     |
 *  +--------+--------+-------- ... -----------+
 *   tag = type &lt;&lt; 8 | lines; type 0 = free, then the next free record of the size is at 4
 * </pre>
 * A slab that has come to {@value #SMALL_CHUNKS} chunks takes huge pages for those that follow. Allocates Java
 * objects only when a chunk is added. Confined to one thread.
 */
final class LineSlab implements AutoCloseable
{
    /** No record. */
    static final int NONE = -1;

    /** Bytes of a line. */
    static final int LINE_LENGTH = 64;

    /** Longest record in lines. */
    static final int MAX_LINES = 16;

    /** First byte of a record that its type may use. */
    static final int FIELDS_OFFSET = 4;

    /** Number of record types, 0 is that of free ones. */
    static final int TYPES = 8;

    private static final int FREE = 0;
    private static final int LINES_PER_CHUNK_BITS = 14;
    private static final int LINES_PER_CHUNK = 1 << LINES_PER_CHUNK_BITS;
    private static final int LINE_MASK = LINES_PER_CHUNK - 1;
    private static final int LINE_BITS = 6;
    private static final int CHUNK_LENGTH = LINES_PER_CHUNK * LINE_LENGTH;
    private static final int MAX_CHUNKS = Integer.MAX_VALUE >> LINES_PER_CHUNK_BITS;
    private static final int SMALL_CHUNKS = 32;
    private static final int CHUNKS_PER_PAGE = PageSource.PAGE_LENGTH / CHUNK_LENGTH;

    private final int[] freeHeads = new int[MAX_LINES + 1];
    private final long[] live = new long[TYPES];
    private final long[] counted = new long[TYPES];
    private final ArrayList<UnsafeBuffer> chunkList = new ArrayList<>();
    private final PageSource pages;
    private UnsafeBuffer[] chunks = new UnsafeBuffer[16];
    private long[] addresses = new long[16];
    private int nextLine;
    private int countCursor = NONE;

    LineSlab(final PageSource pages)
    {
        this.pages = pages;
        Arrays.fill(freeHeads, NONE);
    }

    static int linesFor(final int lengthBytes)
    {
        return (lengthBytes + LINE_LENGTH - 1) >> LINE_BITS;
    }

    int allocate(final int type, final int lines)
    {
        int ref = freeHeads[lines];
        if (NONE != ref)
        {
            freeHeads[lines] = getInt(ref, FIELDS_OFFSET);
        }
        else
        {
            ref = split(lines);
            if (NONE == ref)
            {
                ref = grow(lines);
            }
        }

        putInt(ref, 0, type << 8 | lines);
        live[type]++;
        if (isCounted(ref))
        {
            counted[type]++;
        }

        return ref;
    }

    void free(final int ref)
    {
        final int type = type(ref);
        if (FREE == type)
        {
            throw new InvariantViolation("a record was freed twice");
        }

        live[type]--;
        if (isCounted(ref))
        {
            counted[type]--;
        }
        pushFree(ref, lines(ref));
    }

    int type(final int ref)
    {
        return getInt(ref, 0) >>> 8;
    }

    int lines(final int ref)
    {
        return getInt(ref, 0) & 0xFF;
    }

    /** Records of a type that are allocated. */
    long live(final int type)
    {
        return live[type];
    }

    /** Bytes taken from the system. */
    long memoryBytes()
    {
        final int chunkCount = chunkList.size();

        return (long)CHUNK_LENGTH * (chunkCount <= SMALL_CHUNKS ?
            chunkCount : BitUtil.align(chunkCount, CHUNKS_PER_PAGE));
    }

    UnsafeBuffer buffer(final int ref)
    {
        return chunks[ref >>> LINES_PER_CHUNK_BITS];
    }

    int offset(final int ref)
    {
        return (ref & LINE_MASK) << LINE_BITS;
    }

    /** Reads every line of a record, so that it is near when it is needed; what it returns means nothing. */
    int touch(final int ref)
    {
        final long address = address(ref);
        int seen = 0;
        for (int i = 0, lines = lines(ref); i < lines; i++)
        {
            seen += UnsafeApi.getInt(address + ((long)i << LINE_BITS));
        }

        return seen;
    }

    int getInt(final int ref, final int field)
    {
        return UnsafeApi.getInt(address(ref) + field);
    }

    void putInt(final int ref, final int field, final int value)
    {
        UnsafeApi.putInt(address(ref) + field, value);
    }

    long getLong(final int ref, final int field)
    {
        return UnsafeApi.getLong(address(ref) + field);
    }

    void putLong(final int ref, final int field, final long value)
    {
        UnsafeApi.putLong(address(ref) + field, value);
    }

    void putBytes(final int ref, final int field, final DirectBuffer source, final int offset, final int length)
    {
        buffer(ref).putBytes(offset(ref) + field, source, offset, length);
    }

    boolean bytesEqual(
        final int ref, final int field, final DirectBuffer other, final int otherOffset, final int length)
    {
        other.boundsCheck(otherOffset, length);
        final byte[] array = other.byteArray();
        final long otherAddress = other.addressOffset() + otherOffset;
        final long address = address(ref) + field;
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES)
        {
            if (UnsafeApi.getLong(address + i) != UnsafeApi.getLong(array, otherAddress + i))
            {
                return false;
            }
        }

        for (; i < length; i++)
        {
            if (UnsafeApi.getByte(address + i) != UnsafeApi.getByte(array, otherAddress + i))
            {
                return false;
            }
        }

        return true;
    }

    /** Begins to count all records by looking at each of them. */
    void beginCount()
    {
        Arrays.fill(counted, 0);
        countCursor = 0;
    }

    /** Is a count under way that has passed this record? A change to it now has to be told to the one who counts. */
    boolean isCounted(final int ref)
    {
        return ref < countCursor;
    }

    /** Next record of the count, free ones included, or {@link #NONE} at the end. */
    int countNext()
    {
        if (countCursor >= nextLine)
        {
            return NONE;
        }

        final int ref = countCursor;
        countCursor += lines(ref);
        counted[type(ref)]++;

        return ref;
    }

    /** Records of a type found by the count; what changed behind its cursor is taken into account. */
    long counted(final int type)
    {
        return counted[type];
    }

    /** Next record of a type behind this one, or the first one for {@link #NONE}; {@link #NONE} at the end. */
    int nextOf(final int type, final int ref)
    {
        int next = NONE == ref ? 0 : ref + lines(ref);
        while (next < nextLine && type != type(next))
        {
            next += lines(next);
        }

        return next < nextLine ? next : NONE;
    }

    void endCount()
    {
        countCursor = NONE;
    }

    @Override
    public void close()
    {
        for (int i = 0, size = chunkList.size(); i < size; i++)
        {
            if (i < SMALL_CHUNKS)
            {
                UnsafeApi.freeMemory(addresses[i]);
            }
            else if (isFirstOfPage(i))
            {
                pages.giveBack(addresses[i]);
            }
        }
        chunkList.clear();
        chunks = new UnsafeBuffer[0];
        addresses = new long[0];
    }

    private long address(final int ref)
    {
        return addresses[ref >>> LINES_PER_CHUNK_BITS] + ((long)(ref & LINE_MASK) << LINE_BITS);
    }

    private int split(final int lines)
    {
        for (int larger = lines + 1; larger <= MAX_LINES; larger++)
        {
            final int ref = freeHeads[larger];
            if (NONE != ref)
            {
                freeHeads[larger] = getInt(ref, FIELDS_OFFSET);
                pushFree(ref + lines, larger - lines);
                return ref;
            }
        }

        return NONE;
    }

    private int grow(final int lines)
    {
        final int room = (chunkList.size() << LINES_PER_CHUNK_BITS) - nextLine;
        if (room < lines)
        {
            addChunk();
            if (room > 0)
            {
                pushFree(nextLine, room);
                nextLine += room;
            }
        }

        final int ref = nextLine;
        nextLine += lines;

        return ref;
    }

    private void addChunk()
    {
        final int index = chunkList.size();
        if (MAX_CHUNKS == index)
        {
            throw new IllegalStateException("a slab has no more than " + MAX_CHUNKS + " chunks");
        }

        final UnsafeBuffer chunk = new UnsafeBuffer(chunkMemory(index), CHUNK_LENGTH);
        chunkList.add(chunk);
        if (index == chunks.length)
        {
            chunks = Arrays.copyOf(chunks, index * 2);
            addresses = Arrays.copyOf(addresses, index * 2);
        }
        chunks[index] = chunk;
        addresses[index] = chunk.addressOffset();
    }

    private long chunkMemory(final int index)
    {
        if (index < SMALL_CHUNKS)
        {
            return UnsafeApi.allocateMemory(CHUNK_LENGTH);
        }

        return isFirstOfPage(index) ?
            pages.take() : addresses[index - 1] + CHUNK_LENGTH;
    }

    private static boolean isFirstOfPage(final int index)
    {
        return 0 == index % CHUNKS_PER_PAGE;
    }

    private void pushFree(final int ref, final int lines)
    {
        putInt(ref, 0, lines);
        putInt(ref, FIELDS_OFFSET, freeHeads[lines]);
        freeHeads[lines] = ref;
    }
}
