package io.fluxon.sim.cluster;

import org.agrona.DirectBuffer;

/**
 * One number for everything that happened in a run, in order: two runs with the same number were the same run.
 */
public final class RunDigest
{
    private static final long PRIME = 0x9E3779B97F4A7C15L;

    private long value;

    void add(final long item)
    {
        value = Long.rotateLeft(value ^ item, 23) * PRIME;
    }

    void add(final long connectionId, final long nowNs, final DirectBuffer message)
    {
        add(connectionId);
        add(nowNs);
        int i = 0;
        for (; i + Long.BYTES <= message.capacity(); i += Long.BYTES)
        {
            add(message.getLong(i));
        }
        for (; i < message.capacity(); i++)
        {
            add(message.getByte(i));
        }
    }

    /**
     * The number so far.
     *
     * @return the number.
     */
    public long value()
    {
        return value;
    }
}
