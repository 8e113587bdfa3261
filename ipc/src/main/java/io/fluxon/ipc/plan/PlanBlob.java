package io.fluxon.ipc.plan;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * View of a plan blob (contract PLAN-1): plain memory that a copy kernel reads, native byte order, addresses of the
 * calling process.
 * <pre>
 *   +---------------------------------------------------------------+
 *   |               u64 magic = 0x4658504C414E5631                  |   0
 *   +---------------------------------------------------------------+
 *   |               u64 count                                       |   8
 *   +---------------------------------------------------------------+
 *   |               u64 valuePtr[count]                             |  16
 *  ...                                                             ...
 *   +---------------------------------------------------------------+
 * </pre>
 */
public final class PlanBlob
{
    /** Magic of a plan, "FXPLANV1" read as a big endian number. */
    public static final long MAGIC = 0x4658504C414E5631L;
    /** Offset of the magic. */
    public static final int MAGIC_OFFSET = 0;
    /** Offset of the count. */
    public static final int COUNT_OFFSET = 8;
    /** Offset of the first value pointer. */
    public static final int VALUES_OFFSET = 16;

    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private long address;
    private int count;

    /**
     * Bytes of a plan.
     *
     * @param count of values, 0 or more.
     * @return length in bytes, a multiple of 8.
     */
    public static long length(final int count)
    {
        return VALUES_OFFSET + (long) count * Long.BYTES;
    }

    /**
     * Writes magic and count of a new plan and wraps it; pointers are to be written next.
     *
     * @param address of the blob, a multiple of 8, {@link #length} bytes.
     * @param count   of values, 0 or more.
     * @return this.
     */
    public PlanBlob init(final long address, final int count)
    {
        if (count < 0 || length(count) > Integer.MAX_VALUE || 0 == address || 0 != (address & (Long.BYTES - 1)))
        {
            throw new IllegalArgumentException("no plan of " + count + " values at address " + address);
        }

        buffer.wrap(address, (int) length(count));
        buffer.putLong(MAGIC_OFFSET, MAGIC);
        buffer.putLong(COUNT_OFFSET, count);
        this.address = address;
        this.count = count;

        return this;
    }

    /**
     * Wraps a plan that exists.
     *
     * @param address        of the blob, a multiple of 8.
     * @param capacityBytes  that may be read there.
     * @return this.
     * @throws IllegalArgumentException when there is no plan that ends within the capacity.
     */
    public PlanBlob wrap(final long address, final long capacityBytes)
    {
        if (0 == address || 0 != (address & (Long.BYTES - 1)) || capacityBytes < VALUES_OFFSET)
        {
            throw new IllegalArgumentException("no plan at address " + address + " of " + capacityBytes + " bytes");
        }

        buffer.wrap(address, (int) Math.min(capacityBytes, Integer.MAX_VALUE - Long.BYTES));
        final long magic = buffer.getLong(MAGIC_OFFSET);
        final long values = buffer.getLong(COUNT_OFFSET);
        if (MAGIC != magic || values < 0 || values > (buffer.capacity() - VALUES_OFFSET) / Long.BYTES)
        {
            throw new IllegalArgumentException("no plan at address " + address + ": magic " + magic +
                ", count " + values + ", capacity " + capacityBytes);
        }
        this.address = address;
        this.count = (int) values;

        return this;
    }

    /**
     * Address of the blob.
     *
     * @return address given.
     */
    public long address()
    {
        return address;
    }

    /**
     * Number of values.
     *
     * @return count.
     */
    public int count()
    {
        return count;
    }

    /**
     * Reads the address of a value.
     *
     * @param index of the value.
     * @return address.
     */
    public long valuePtr(final int index)
    {
        return buffer.getLong(valueOffset(index));
    }

    /**
     * Writes the address of a value.
     *
     * @param index        of the value.
     * @param valueAddress to write.
     * @return this.
     */
    public PlanBlob valuePtr(final int index, final long valueAddress)
    {
        buffer.putLong(valueOffset(index), valueAddress);
        return this;
    }

    private int valueOffset(final int index)
    {
        if (index < 0 || index >= count)
        {
            throw new IndexOutOfBoundsException("index " + index + " of " + count + " values");
        }

        return VALUES_OFFSET + index * Long.BYTES;
    }
}
