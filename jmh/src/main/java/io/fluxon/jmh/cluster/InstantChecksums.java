package io.fluxon.jmh.cluster;

import io.fluxon.engine.boundary.ChecksumListener;
import io.fluxon.engine.boundary.ChecksumQueue;

/**
 * Answers at the next poll, every value with the same checksum: what an owner core costs without its values.
 */
final class InstantChecksums implements ChecksumQueue
{
    private static final int CAPACITY = 1 << 13;
    private static final long CHECKSUM = 0x1234_5678;

    private final long[] tokens = new long[CAPACITY];
    private int head;
    private int tail;

    @Override
    public boolean offer(final long token, final long offset, final long length)
    {
        if (CAPACITY == tail - head)
        {
            return false;
        }
        tokens[tail++ & CAPACITY - 1] = token;
        return true;
    }

    @Override
    public int poll(final ChecksumListener listener, final int limit)
    {
        int count = 0;
        while (count < limit && head != tail)
        {
            listener.onChecksumCompleted(tokens[head++ & CAPACITY - 1], CHECKSUM);
            count++;
        }
        return count;
    }
}
