package io.fluxon.ipc.segment;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Layout of a segment file. Its first page says where the rest is; lengths are multiples of the page.
 * <pre>
 *   0        4096          arena offset + arena length           total length
 *   +--------+-------------+-------------------------------------+
 *   | header | plan arena  | grants, each of the grant quantum   |
 *   +--------+-------------+-------------------------------------+
 *            ^ workers map from here (read-write)
 *                          ^ peers map from here (read-only)
 *
 *   Header, little endian
 *    0                   1                   2                   3
 *    0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *   +-------------------------------+-------------------------------+
 *   |                             Magic                             |   0
 *   +-------------------------------+-------------------------------+
 *   |        Layout version         |           Owner id            |   8
 *   +-------------------------------+-------------------------------+
 *   |                           Generation                          |  16
 *   +---------------------------------------------------------------+
 *   |                          Arena offset                         |  24
 *   +---------------------------------------------------------------+
 *   |                          Arena length                         |  32
 *   +---------------------------------------------------------------+
 *   |                          Grants offset                        |  40
 *   +---------------------------------------------------------------+
 *   |                          Grants length                        |  48
 *   +---------------------------------------------------------------+
 *   |                          Total length                         |  56
 *   +---------------------------------------------------------------+
 *   |                          Grant quantum                        |  64
 *   +---------------------------------------------------------------+
 *   |                            Owner pid                          |  72
 *   +---------------------------------------------------------------+
 *   |              Ready flag (written last, release)               |  80
 *   +---------------------------------------------------------------+
 * </pre>
 */
public final class SegmentDescriptor
{
    /** "FXSEGM01" read as a little endian long. */
    public static final long MAGIC = 0x31304D4745535846L;
    /** Version of this layout. */
    public static final int LAYOUT_VERSION = 1;
    /** Bytes of the header page, and the unit of every offset and length. */
    public static final int PAGE_LENGTH = 4096;
    /** Value of the ready flag once everything else stands. */
    public static final long READY = 1;

    /** Offset of the magic, a long. */
    public static final int MAGIC_OFFSET = 0;
    /** Offset of the layout version, an int. */
    public static final int LAYOUT_VERSION_OFFSET = 8;
    /** Offset of the owner id, an int. */
    public static final int OWNER_ID_OFFSET = 12;
    /** Offset of the generation, a long. */
    public static final int GENERATION_OFFSET = 16;
    /** Offset of the arena offset, a long. */
    public static final int ARENA_OFFSET_OFFSET = 24;
    /** Offset of the arena length, a long. */
    public static final int ARENA_LENGTH_OFFSET = 32;
    /** Offset of the grants offset, a long. */
    public static final int GRANTS_OFFSET_OFFSET = 40;
    /** Offset of the grants length, a long. */
    public static final int GRANTS_LENGTH_OFFSET = 48;
    /** Offset of the total length, a long. */
    public static final int TOTAL_LENGTH_OFFSET = 56;
    /** Offset of the grant quantum, a long. */
    public static final int GRANT_QUANTUM_OFFSET = 64;
    /** Offset of the owner's process id, a long. */
    public static final int OWNER_PID_OFFSET = 72;
    /** Offset of the ready flag, a long. */
    public static final int READY_OFFSET = 80;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG_HANDLE = LONG.varHandle();

    private SegmentDescriptor()
    {
    }

    /**
     * Rounds up to whole pages.
     *
     * @param lengthBytes 0 or more.
     * @return the least multiple of {@link #PAGE_LENGTH} not below it.
     */
    public static long alignToPage(final long lengthBytes)
    {
        return Math.addExact(lengthBytes, PAGE_LENGTH - 1) & -PAGE_LENGTH;
    }

    static int getInt(final MemorySegment header, final long offset)
    {
        return header.get(INT, offset);
    }

    static void putInt(final MemorySegment header, final long offset, final int value)
    {
        header.set(INT, offset, value);
    }

    static long getLong(final MemorySegment header, final long offset)
    {
        return header.get(LONG, offset);
    }

    static void putLong(final MemorySegment header, final long offset, final long value)
    {
        header.set(LONG, offset, value);
    }

    static long ready(final MemorySegment header)
    {
        return (long) LONG_HANDLE.getAcquire(header, (long) READY_OFFSET);
    }

    static void ready(final MemorySegment header, final long value)
    {
        LONG_HANDLE.setRelease(header, (long) READY_OFFSET, value);
    }
}
