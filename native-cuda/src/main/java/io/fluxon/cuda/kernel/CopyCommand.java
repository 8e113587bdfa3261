package io.fluxon.cuda.kernel;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * View of the parameter block of a copy kernel, native byte order, addresses of the calling process. It names n pages
 * on two sides, and sections of a page: layers of rows of bytes. The same block goes to the GPU and to the twin.
 * <pre>
 *   +---------------------------------------------------------------+
 *   |  u32 pageCount                |  u32 sectionCount             |    0
 *   |  u64 status    address of a u32 for what a GPU refuses, or 0  |    8
 *   |  u64 lengths   address of u64[pageCount], or 0: rows' bytes   |   16
 *   |  u32 flags     which arrays only the device can read          |   24
 *   +---------------------------------------------------------------+
 *   |  source: side, target: side                                   |   32, 88
 *   +---------------------------------------------------------------+
 *   |  section[0 .. {@value #MAX_SECTIONS}-1]                                             |  144
 *   +---------------------------------------------------------------+
 *
 *   side      0 u64 plan        address of a plan blob, or 0
 *             8 u64 planCount   values that the plan must have
 *            16 u64 first       value of the plan, or index, that belongs to page 0
 *            24 u64 indices     address of page indices, or 0: page i has index first + i
 *            32 u32 indexBytes  4 or 8
 *            36 u32 indexTokens tokens of a page if indices count tokens, 1 if they count pages
 *            40 u64 base        added to every address
 *            48 u64 layers      address of u64[fragments], added to the layer's addresses, or 0
 *
 *   section   0 u32 firstFragment, u32 layers        entries of the sides' tables of layers
 *             8 u32 outerRows, u32 innerRows         rows of a layer in a page
 *            16 u64 rowBytes
 *            24 source: strides, 72 target: strides
 *
 *   strides   0 u64 page, 8 u64 token, 16 u64 offset, 24 u64 layer, 32 u64 outer, 40 u64 inner
 * </pre>
 * A row of page i, layer l, outer row o, inner row r lies on a side at
 * <pre>
 *   base + page(i) + (layers ? layers[firstFragment + l] : 0) + offset + l * layer + o * outer + r * inner
 *   page(i) = plan ? valuePtr[first + i] : x / indexTokens * page + x % indexTokens * token, x the index of page i
 * </pre>
 */
public final class CopyCommand
{
    /** Sections of a command at most. */
    public static final int MAX_SECTIONS = 8;
    /** Offset of the sections. */
    public static final int SECTIONS_OFFSET = 144;
    /** Bytes of a section. */
    public static final int SECTION_LENGTH = 120;
    /** Bytes of a command with all its sections. */
    public static final int MAX_LENGTH = SECTIONS_OFFSET + MAX_SECTIONS * SECTION_LENGTH;
    /** Flag: the host cannot read the source's indices and layers. */
    public static final int SOURCE_ARRAYS_ON_DEVICE = 1;
    /** Flag: the host cannot read the target's indices and layers. */
    public static final int TARGET_ARRAYS_ON_DEVICE = 2;

    static final int STATUS_OFFSET = 8;
    static final int LENGTHS_OFFSET = 16;
    static final int FLAGS_OFFSET = 24;
    static final int SIDES_OFFSET = 32;
    static final int SIDE_LENGTH = 56;
    static final int PLAN = 0;
    static final int PLAN_COUNT = 8;
    static final int FIRST = 16;
    static final int INDICES = 24;
    static final int INDEX_BYTES = 32;
    static final int INDEX_TOKENS = 36;
    static final int BASE = 40;
    static final int LAYERS = 48;
    static final int ROW_BYTES = 16;
    static final int STRIDES = 24;
    static final int STRIDES_LENGTH = 48;

    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private MemorySegment own = MemorySegment.NULL;

    /**
     * Wraps a command.
     *
     * @param address of it, a multiple of 8; {@link #MAX_LENGTH} bytes are there.
     * @return this.
     */
    public CopyCommand wrap(final long address)
    {
        if (0 == address || 0 != (address & (Long.BYTES - 1)))
        {
            throw new IllegalArgumentException("address of a command is " + address + ", allowed: a multiple of 8");
        }
        buffer.wrap(address, MAX_LENGTH);
        return this;
    }

    /**
     * Wraps memory of its own, which lives as long as this.
     *
     * @return this.
     */
    public CopyCommand allocate()
    {
        own = Arena.ofAuto().allocate(MAX_LENGTH, Long.BYTES);
        return wrap(own.address());
    }

    /**
     * Makes a command that copies nothing.
     *
     * @return this.
     */
    public CopyCommand clear()
    {
        buffer.setMemory(0, MAX_LENGTH, (byte)0);
        indexForm(Side.SOURCE, Long.BYTES, 1);
        return indexForm(Side.TARGET, Long.BYTES, 1);
    }

    /**
     * Takes over a command.
     *
     * @param from   buffer it lies in.
     * @param index  of its first byte there.
     * @param length of it in bytes, as {@link #length} gives.
     * @return this.
     */
    public CopyCommand copyFrom(final DirectBuffer from, final int index, final int length)
    {
        if (length < SECTIONS_OFFSET || length > MAX_LENGTH)
        {
            throw new IllegalArgumentException("length of a command is " + length + " bytes, allowed: " +
                SECTIONS_OFFSET + " to " + MAX_LENGTH);
        }
        from.getBytes(index, buffer, 0, length);
        if (sectionCount() < 0 || sectionCount() > MAX_SECTIONS || length < length())
        {
            throw new IllegalArgumentException("sectionCount is " + sectionCount() + " in " + length +
                " bytes, allowed: 0 to " + MAX_SECTIONS + ", " + SECTION_LENGTH + " bytes each");
        }
        return this;
    }

    /**
     * Takes over a command.
     *
     * @param from command to copy.
     * @return this.
     */
    public CopyCommand copyFrom(final CopyCommand from)
    {
        return copyFrom(from.buffer, 0, from.length());
    }

    /**
     * Bytes of the command.
     *
     * @return length without the sections that are not used.
     */
    public int length()
    {
        return SECTIONS_OFFSET + sectionCount() * SECTION_LENGTH;
    }

    /**
     * The memory of the command.
     *
     * @return buffer of {@link #MAX_LENGTH} bytes.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /** Number of pages. @return count. */
    public int pageCount()
    {
        return buffer.getInt(0);
    }

    /** Number of sections. @return count. */
    public int sectionCount()
    {
        return buffer.getInt(Integer.BYTES);
    }

    /** Number of pages and of sections. @param pages 0 or more. @param sections 0 or more. @return this. */
    public CopyCommand counts(final int pages, final int sections)
    {
        if (pages < 0 || sections < 0 || sections > MAX_SECTIONS)
        {
            throw new IllegalArgumentException("pages are " + pages + ", sections " + sections +
                ", allowed: 0 or more pages, 0 to " + MAX_SECTIONS + " sections");
        }
        buffer.putInt(0, pages);
        buffer.putInt(Integer.BYTES, sections);
        return this;
    }

    /** Where a GPU writes what it refuses. @param address of a u32, or 0. @return this. */
    public CopyCommand status(final long address)
    {
        buffer.putLong(STATUS_OFFSET, address);
        return this;
    }

    /** Address of the lengths of rows. @return address, 0 where all rows of a section have one length. */
    public long lengths()
    {
        return buffer.getLong(LENGTHS_OFFSET);
    }

    /** Address of the lengths of rows. @param address of a u64 a page, or 0. @return this. */
    public CopyCommand lengths(final long address)
    {
        buffer.putLong(LENGTHS_OFFSET, address);
        return this;
    }

    /** Flags. @return SOURCE_ARRAYS_ON_DEVICE, TARGET_ARRAYS_ON_DEVICE. */
    public int flags()
    {
        return buffer.getInt(FLAGS_OFFSET);
    }

    /** Flags. @param flags SOURCE_ARRAYS_ON_DEVICE, TARGET_ARRAYS_ON_DEVICE. @return this. */
    public CopyCommand flags(final int flags)
    {
        buffer.putInt(FLAGS_OFFSET, flags);
        return this;
    }

    /** Can the host read this side's indices and layers? @param side of them. @return true if so. */
    public boolean isReadable(final Side side)
    {
        return 0 == (flags() & (Side.SOURCE == side ? SOURCE_ARRAYS_ON_DEVICE : TARGET_ARRAYS_ON_DEVICE));
    }

    /** Address of a side's plan. @param side it belongs to. @return address, 0 for none. */
    public long plan(final Side side)
    {
        return get(side, PLAN);
    }

    /** Values that a side's plan has. @param side it belongs to. @return count. */
    public long planCount(final Side side)
    {
        return get(side, PLAN_COUNT);
    }

    /** A plan for a side. @param side meant. @param address of it, or 0. @param count of values. @return this. */
    public CopyCommand plan(final Side side, final long address, final long count)
    {
        return put(side, PLAN, address).put(side, PLAN_COUNT, count);
    }

    /** Value or index of page 0. @param side it belongs to. @return number. */
    public long first(final Side side)
    {
        return get(side, FIRST);
    }

    /** Value or index of page 0. @param side it belongs to. @param first number. @return this. */
    public CopyCommand first(final Side side, final long first)
    {
        return put(side, FIRST, first);
    }

    /** Address of page indices. @param side they belong to. @return address, 0 for none. */
    public long indices(final Side side)
    {
        return get(side, INDICES);
    }

    /** Address of page indices. @param side they belong to. @param address of them, or 0. @return this. */
    public CopyCommand indices(final Side side, final long address)
    {
        return put(side, INDICES, address);
    }

    /** Bytes of an index. @param side it belongs to. @return 4 or 8. */
    public int indexBytes(final Side side)
    {
        return buffer.getInt(offset(side) + INDEX_BYTES);
    }

    /** Tokens of a page where indices count tokens. @param side they belong to. @return tokens, 1 for pages. */
    public int indexTokens(final Side side)
    {
        return buffer.getInt(offset(side) + INDEX_TOKENS);
    }

    /** Form of indices. @param side of them. @param bytes 4 or 8. @param tokens that a page has. @return this. */
    public CopyCommand indexForm(final Side side, final int bytes, final int tokens)
    {
        buffer.putInt(offset(side) + INDEX_BYTES, bytes);
        buffer.putInt(offset(side) + INDEX_TOKENS, tokens);
        return this;
    }

    /** Address that is added to all of a side. @param side meant. @return address. */
    public long base(final Side side)
    {
        return get(side, BASE);
    }

    /** Address that is added to all of a side. @param side meant. @param address to add. @return this. */
    public CopyCommand base(final Side side, final long address)
    {
        return put(side, BASE, address);
    }

    /** Address of a side's table of layers. @param side it belongs to. @return address, 0 for none. */
    public long layers(final Side side)
    {
        return get(side, LAYERS);
    }

    /** Address of a side's table of layers. @param side it belongs to. @param address of it, or 0. @return this. */
    public CopyCommand layers(final Side side, final long address)
    {
        return put(side, LAYERS, address);
    }

    /** Entry of a section's layer 0 in tables of layers. @param section by number. @return entry. */
    public int firstFragment(final int section)
    {
        return buffer.getInt(sectionOffset(section));
    }

    /** Layers of a section. @param section by number. @return count. */
    public int sectionLayers(final int section)
    {
        return buffer.getInt(sectionOffset(section) + 4);
    }

    /** Layers of a section. @param section by number. @param first entry. @param layers count. @return this. */
    public CopyCommand sectionLayers(final int section, final int first, final int layers)
    {
        buffer.putInt(sectionOffset(section), first);
        buffer.putInt(sectionOffset(section) + 4, layers);
        return this;
    }

    /** Outer rows of a section. @param section by number. @return count. */
    public int outerRows(final int section)
    {
        return buffer.getInt(sectionOffset(section) + 8);
    }

    /** Inner rows of a section. @param section by number. @return count. */
    public int innerRows(final int section)
    {
        return buffer.getInt(sectionOffset(section) + 12);
    }

    /** Bytes of a section's row; where lengths are given, of the longest. @param section by number. @return bytes. */
    public long rowBytes(final int section)
    {
        return buffer.getLong(sectionOffset(section) + ROW_BYTES);
    }

    /** Rows of a section. @param section by number. @param outer count. @param inner count. @param bytes of a row. */
    void rows(final int section, final int outer, final int inner, final long bytes)
    {
        buffer.putInt(sectionOffset(section) + 8, outer);
        buffer.putInt(sectionOffset(section) + 12, inner);
        buffer.putLong(sectionOffset(section) + ROW_BYTES, bytes);
    }

    /** A distance of a section. @param section by number. @param side of it. @param stride which. @return bytes. */
    public long stride(final int section, final Side side, final Stride stride)
    {
        return buffer.getLong(strideOffset(section, side, stride));
    }

    /** A distance of a section. @param section number. @param side of it. @param stride which. @param bytes of it. */
    void stride(final int section, final Side side, final Stride stride, final long bytes)
    {
        buffer.putLong(strideOffset(section, side, stride), bytes);
    }

    /**
     * Bytes of one page in all sections.
     *
     * @return sum; where lengths are given, of the longest rows.
     */
    public long pageBytes()
    {
        long bytes = 0;
        for (int i = 0; i < sectionCount(); i++)
        {
            bytes += sectionBytes(i);
        }
        return bytes;
    }

    /**
     * Bytes of one page in a section.
     *
     * @param section by number.
     * @return bytes.
     */
    public long sectionBytes(final int section)
    {
        return sectionLayers(section) * layerBytes(section);
    }

    /**
     * Bytes of one layer of one page in a section.
     *
     * @param section by number.
     * @return bytes.
     */
    public long layerBytes(final int section)
    {
        return (long)outerRows(section) * innerRows(section) * rowBytes(section);
    }

    /**
     * Bytes of one layer of one page in all sections.
     *
     * @return sum.
     */
    public long layerBytes()
    {
        long bytes = 0;
        for (int i = 0; i < sectionCount(); i++)
        {
            bytes += layerBytes(i);
        }
        return bytes;
    }

    /**
     * Bytes of one layer of one page in the section that has the longest.
     *
     * @return bytes.
     */
    public long longestLayerBytes()
    {
        long bytes = 0;
        for (int i = 0; i < sectionCount(); i++)
        {
            bytes = Math.max(bytes, layerBytes(i));
        }
        return bytes;
    }

    /**
     * Layers of all sections.
     *
     * @return sum.
     */
    public int fragmentCount()
    {
        int fragments = 0;
        for (int i = 0; i < sectionCount(); i++)
        {
            fragments += sectionLayers(i);
        }
        return fragments;
    }

    /**
     * Layers of the section that has most.
     *
     * @return count.
     */
    public int layerCount()
    {
        int layers = 0;
        for (int i = 0; i < sectionCount(); i++)
        {
            layers = Math.max(layers, sectionLayers(i));
        }
        return layers;
    }

    /**
     * Do a side's parts lie in it as in a value: the layers of each one after the other, their rows too?
     *
     * @param side to look at.
     * @return true if so.
     */
    public boolean isDense(final Side side)
    {
        for (int i = 0; i < sectionCount(); i++)
        {
            final boolean isLayer = 1 == sectionLayers(i) || layerBytes(i) == stride(i, side, Stride.LAYER);
            final boolean isOuter =
                1 == outerRows(i) || innerRows(i) * rowBytes(i) == stride(i, side, Stride.OUTER);
            final boolean isInner = 1 == innerRows(i) || rowBytes(i) == stride(i, side, Stride.INNER);
            if (!isLayer || !isOuter || !isInner)
            {
                return false;
            }
        }
        return 0 == layers(side) && 0 == lengths() && 1 == indexTokens(side) && isReadable(side);
    }

    /**
     * Address of a page in a section of a side, without the tables of layers.
     *
     * @param side    of the copy, its indices readable.
     * @param page    of the command.
     * @param section by number.
     * @return address.
     */
    public long address(final Side side, final int page, final int section)
    {
        return HostKernel.sectionAddress(this, side, page, section);
    }

    /**
     * Rows of one page in all sections.
     *
     * @return number of rows.
     */
    public long pageRows()
    {
        long rows = 0;
        for (int i = 0; i < sectionCount(); i++)
        {
            rows += (long)sectionLayers(i) * outerRows(i) * innerRows(i);
        }
        return rows;
    }

    /**
     * Copies a section of another command.
     *
     * @param section     of this command.
     * @param from        the other command.
     * @param fromSection of it.
     */
    void section(final int section, final CopyCommand from, final int fromSection)
    {
        buffer.putBytes(sectionOffset(section), from.buffer, sectionOffset(fromSection), SECTION_LENGTH);
    }

    private static int strideOffset(final int section, final Side side, final Stride stride)
    {
        return sectionOffset(section) + STRIDES + side.ordinal() * STRIDES_LENGTH + stride.ordinal() * Long.BYTES;
    }

    private static int sectionOffset(final int section)
    {
        return SECTIONS_OFFSET + section * SECTION_LENGTH;
    }

    private static int offset(final Side side)
    {
        return SIDES_OFFSET + side.ordinal() * SIDE_LENGTH;
    }

    private long get(final Side side, final int field)
    {
        return buffer.getLong(offset(side) + field);
    }

    private CopyCommand put(final Side side, final int field, final long value)
    {
        buffer.putLong(offset(side) + field, value);
        return this;
    }
}
