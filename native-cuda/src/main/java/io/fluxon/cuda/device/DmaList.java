package io.fluxon.cuda.device;

import io.fluxon.cuda.driver.CudaStream;
import io.fluxon.cuda.kernel.RowConsumer;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies for the copy engines, collected and given to a stream with one call. Those that continue each other on both
 * sides become one, unless that would straddle two registrations. Belongs to one thread.
 */
final class DmaList implements RowConsumer, AutoCloseable
{
    private static final int CAPACITY = 1 << 15;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment sources = array();
    private final MemorySegment targets = array();
    private final MemorySegment lengths = array();
    private final PinnedMemory pinned;
    private final boolean isHostSource;
    private CudaStream stream;
    private int count;
    private long source;
    private long target;
    private long length;

    DmaList(final PinnedMemory pinned, final boolean isHostSource)
    {
        this.pinned = pinned;
        this.isHostSource = isHostSource;
    }

    DmaList begin(final CudaStream on)
    {
        stream = on;
        count = 0;
        length = 0;
        return this;
    }

    @Override
    public void onRow(final long rowSource, final long rowTarget, final long rowLength)
    {
        if (length > 0 && source + length == rowSource && target + length == rowTarget &&
            pinned.isTogether(isHostSource ? source : target, length + rowLength))
        {
            length += rowLength;
            return;
        }
        put();
        source = rowSource;
        target = rowTarget;
        length = rowLength;
    }

    void end()
    {
        put();
        send();
    }

    private void put()
    {
        if (length > 0)
        {
            if (CAPACITY == count)
            {
                send();
            }
            sources.setAtIndex(ValueLayout.JAVA_LONG, count, source);
            targets.setAtIndex(ValueLayout.JAVA_LONG, count, target);
            lengths.setAtIndex(ValueLayout.JAVA_LONG, count, length);
            count++;
            length = 0;
        }
    }

    private void send()
    {
        if (1 == count)
        {
            stream.copy(
                targets.get(ValueLayout.JAVA_LONG, 0), sources.get(ValueLayout.JAVA_LONG, 0),
                lengths.get(ValueLayout.JAVA_LONG, 0));
        }
        else if (count > 1)
        {
            stream.copyBatch(targets, sources, lengths, count);
        }
        count = 0;
    }

    private MemorySegment array()
    {
        return arena.allocate((long)CAPACITY * Long.BYTES, Long.BYTES);
    }

    @Override
    public void close()
    {
        arena.close();
    }
}
