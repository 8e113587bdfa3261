package io.fluxon.jmh.cluster;

import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

import java.nio.ByteBuffer;

/**
 * Counters that belong to no process.
 */
public final class Counters
{
    private static final int MAX_COUNTERS = 1024;

    private Counters()
    {
    }

    /**
     * A manager of counters in memory.
     *
     * @return new manager.
     */
    public static CountersManager newManager()
    {
        return new CountersManager(
            new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_COUNTERS * CountersManager.METADATA_LENGTH)),
            new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_COUNTERS * CountersManager.COUNTER_LENGTH)));
    }

    /**
     * A counter in memory.
     *
     * @return new counter.
     */
    public static AtomicCounter newCounter()
    {
        return newManager().newCounter("bench");
    }
}
