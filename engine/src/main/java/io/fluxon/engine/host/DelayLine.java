package io.fluxon.engine.host;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.ExpandableRingBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Messages that wait for their time, in order.
 */
final class DelayLine
{
    /** Takes a message out. */
    @FunctionalInterface
    interface Taker
    {
        /**
         * A message is due.
         *
         * @param connectionId it came with.
         * @param buffer       that holds it.
         * @param offset       of its first byte.
         * @param length       in bytes.
         * @return false to leave it, and those behind it, where they are.
         */
        boolean onDue(long connectionId, DirectBuffer buffer, int offset, int length);
    }

    private static final int DUE_OFFSET = 0;
    private static final int CONNECTION_OFFSET = DUE_OFFSET + Long.BYTES;
    private static final int MESSAGE_OFFSET = CONNECTION_OFFSET + Long.BYTES;
    private static final int INITIAL_CAPACITY = 4096;

    private final long delayNs;
    private final int maxBytes;
    private final ExpandableRingBuffer ring = new ExpandableRingBuffer(
        INITIAL_CAPACITY, ExpandableRingBuffer.MAX_CAPACITY, false);
    private final ExpandableArrayBuffer record = new ExpandableArrayBuffer();
    private final ExpandableRingBuffer.MessageConsumer consumer = this::onRecord;
    private long nowNs;
    private Taker taker;

    /**
     * An empty line.
     *
     * @param delayNs  of each message.
     * @param maxBytes from which on it has no room; the message that reaches it is still taken.
     */
    DelayLine(final long delayNs, final int maxBytes)
    {
        this.delayNs = delayNs;
        this.maxBytes = maxBytes;
    }

    boolean hasRoom()
    {
        return ring.size() < maxBytes;
    }

    void put(
        final long nowNs, final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        record.putLong(DUE_OFFSET, nowNs + delayNs);
        record.putLong(CONNECTION_OFFSET, connectionId);
        record.putBytes(MESSAGE_OFFSET, buffer, offset, length);
        if (!ring.append(record, 0, MESSAGE_OFFSET + length))
        {
            throw new IllegalStateException("a delay line is full beyond its bound");
        }
    }

    void clear()
    {
        ring.reset(INITIAL_CAPACITY);
    }

    int take(final long nowNs, final int limit, final Taker taker)
    {
        this.nowNs = nowNs;
        this.taker = taker;
        return ring.consume(consumer, limit);
    }

    private boolean onRecord(
        final MutableDirectBuffer buffer, final int offset, final int length, final int headOffset)
    {
        return buffer.getLong(offset + DUE_OFFSET) - nowNs <= 0 && taker.onDue(
            buffer.getLong(offset + CONNECTION_OFFSET), buffer, offset + MESSAGE_OFFSET, length - MESSAGE_OFFSET);
    }
}
