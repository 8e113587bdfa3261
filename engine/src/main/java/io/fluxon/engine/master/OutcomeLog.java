package io.fluxon.engine.master;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The recorded outcomes of one owner generation's operations: each is the answer's bytes, kept until the owner
 * acknowledges it by its watermark, so that a repeated operation id gets the same answer and executes nothing (contract
 * T1). An operation that has been taken but not executed to its end is pending. No more than {@code maxOpen} ids above
 * the watermark are known. Confined to one thread.
 * <pre>
 *   0        4        8                16
 *  +--------+--------+-----------------+------------------- ... ---+
 *  |state   |length  |tenure           |answer                     |
 *  +--------+--------+-----------------+------------------- ... ---+
 * </pre>
 */
final class OutcomeLog implements AutoCloseable
{
    /** What is known of an operation id. */
    enum Known
    {
        /** Never seen, or not taken: it may be executed. */
        NO,
        /** Being executed. */
        PENDING,
        /** Its answer is recorded. */
        RECORDED,
        /** At or below the watermark: the owner has its answer. */
        ACKNOWLEDGED,
        /** So far above the watermark that it cannot be taken now. */
        BEYOND
    }

    private static final int PENDING = 1;
    private static final int RECORDED = 2;
    private static final int ORPHANED = 3;

    private static final int STATE_OFFSET = 0;
    private static final int LENGTH_OFFSET = 4;
    private static final int TENURE_OFFSET = 8;
    private static final int HEADER_LENGTH = 16;
    private static final int MIN_CAPACITY = 64;

    private final UnsafeBuffer record = new UnsafeBuffer(0, 0);
    private final BytePool pool;
    private final int maxOpen;
    private long[] ring = new long[MIN_CAPACITY];
    private long tenure;
    private long watermark;
    private long highestId;
    private int held;

    OutcomeLog(final BytePool pool, final int maxOpen)
    {
        this.pool = pool;
        this.maxOpen = maxOpen;
    }

    /** What is taken from now on belongs to another tenure of the owner. */
    void tenure(final long newTenure)
    {
        tenure = newTenure;
    }

    /** Was a recorded outcome reached in an earlier tenure? What it brought to the routes went with that. */
    boolean isOutlived(final long operationId)
    {
        wrapHeader(address(operationId));
        return tenure != record.getLong(TENURE_OFFSET);
    }

    /** Forgets a recorded outcome, so that its id may come again. */
    void forget(final long operationId)
    {
        discard(operationId, address(operationId) + HEADER_LENGTH);
    }

    Known known(final long operationId)
    {
        if (operationId <= watermark)
        {
            return Known.ACKNOWLEDGED;
        }

        if (operationId - watermark > maxOpen)
        {
            return Known.BEYOND;
        }

        final long address = address(operationId);
        if (BytePool.NONE == address)
        {
            return Known.NO;
        }
        wrapHeader(address);

        return RECORDED == record.getInt(STATE_OFFSET) ? Known.RECORDED : Known.PENDING;
    }

    /**
     * Takes an operation: its outcome is pending.
     *
     * @param operationId  that {@link #known(long)} answers {@link Known#NO} for.
     * @param answerLength exact length of the answer in bytes.
     * @return address of the room for the answer, or {@link BytePool#NONE} when no memory is left.
     */
    long begin(final long operationId, final int answerLength)
    {
        final long address = pool.allocate(HEADER_LENGTH + answerLength);
        if (BytePool.NONE == address)
        {
            return BytePool.NONE;
        }

        wrapHeader(address);
        record.putInt(STATE_OFFSET, PENDING);
        record.putInt(LENGTH_OFFSET, answerLength);
        record.putLong(TENURE_OFFSET, tenure);
        ensureCapacity(operationId);
        ring[index(operationId)] = address;
        highestId = Math.max(highestId, operationId);
        held++;

        return address + HEADER_LENGTH;
    }

    /**
     * The answer is whole now; one that the owner has acknowledged meanwhile is still readable until {@link #settle}.
     */
    void record(final long answerAddress)
    {
        wrapHeader(answerAddress - HEADER_LENGTH);
        if (PENDING == record.getInt(STATE_OFFSET))
        {
            record.putInt(STATE_OFFSET, RECORDED);
        }
    }

    /** The answer has been sent: frees it when the owner has acknowledged it already. */
    void settle(final long answerAddress)
    {
        final long address = answerAddress - HEADER_LENGTH;
        wrapHeader(address);
        if (ORPHANED == record.getInt(STATE_OFFSET))
        {
            free(address);
        }
    }

    /** The operation will not be executed: forgets it, so that its id may come again. */
    void discard(final long operationId, final long answerAddress)
    {
        final long address = answerAddress - HEADER_LENGTH;
        wrapHeader(address);
        if (ORPHANED != record.getInt(STATE_OFFSET))
        {
            ring[index(operationId)] = BytePool.NONE;
        }
        free(address);
    }

    /** Wraps the recorded answer of an operation. */
    void wrapAnswer(final long operationId, final UnsafeBuffer answer)
    {
        final long address = address(operationId);
        wrapHeader(address);
        answer.wrap(address + HEADER_LENGTH, record.getInt(LENGTH_OFFSET));
    }

    /** Every operation id up to here has its answer: forgets their outcomes. Never goes back. */
    void acknowledge(final long newWatermark)
    {
        if (newWatermark <= watermark)
        {
            return;
        }

        final long last = Math.min(newWatermark, highestId);
        for (long id = watermark + 1; id <= last; id++)
        {
            final int index = index(id);
            if (BytePool.NONE != ring[index])
            {
                release(ring[index]);
                ring[index] = BytePool.NONE;
            }
        }
        watermark = newWatermark;
    }

    /**
     * A heartbeat names a watermark: counts as far as ids have been seen here. Nothing above has an outcome to forget,
     * so a wrong one cannot make operations that are still to come look answered; those bring their own watermark.
     */
    void acknowledgeSeen(final long newWatermark)
    {
        acknowledge(Math.min(newWatermark, highestId));
    }

    long watermark()
    {
        return watermark;
    }

    /** Outcomes and pending operations that are held. */
    int held()
    {
        return held;
    }

    /** Forgets everything; pending operations must have been discarded. */
    @Override
    public void close()
    {
        acknowledge(Math.max(watermark, highestId));
    }

    private void release(final long address)
    {
        wrapHeader(address);
        if (PENDING == record.getInt(STATE_OFFSET))
        {
            record.putInt(STATE_OFFSET, ORPHANED);
        }
        else
        {
            free(address);
        }
    }

    private void free(final long address)
    {
        wrapHeader(address);
        pool.free(address, HEADER_LENGTH + record.getInt(LENGTH_OFFSET));
        held--;
    }

    private long address(final long operationId)
    {
        return operationId > highestId ? BytePool.NONE : ring[index(operationId)];
    }

    private int index(final long operationId)
    {
        return (int)operationId & ring.length - 1;
    }

    private void ensureCapacity(final long operationId)
    {
        final long needed = operationId - watermark;
        if (needed > ring.length)
        {
            final long[] old = ring;
            ring = new long[BitUtil.findNextPositivePowerOfTwo((int)needed)];
            final long last = Math.min(highestId, watermark + old.length);
            for (long id = watermark + 1; id <= last; id++)
            {
                ring[index(id)] = old[(int)id & old.length - 1];
            }
        }
    }

    private void wrapHeader(final long address)
    {
        record.wrap(address, HEADER_LENGTH);
    }
}
