package io.fluxon.jmh.cluster;

import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;

/**
 * Bytes that this thread has allocated on the Java heap, apart for each kind of core (contract ZERO-1).
 */
public final class AllocationMeter
{
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    private long clientBytes;
    private long ownerBytes;
    private long masterBytes;

    /**
     * Bytes allocated by the calling thread since it began; reading it allocates nothing.
     *
     * @return bytes.
     */
    public static long now()
    {
        return THREADS.getCurrentThreadAllocatedBytes();
    }

    /** Starts from zero. */
    public void clear()
    {
        clientBytes = 0;
        ownerBytes = 0;
        masterBytes = 0;
    }

    /**
     * Counts what was allocated since a reading.
     *
     * @param before the reading.
     * @return a new reading.
     */
    public long addClient(final long before)
    {
        final long now = now();
        clientBytes += now - before;
        return now;
    }

    /**
     * Counts what was allocated since a reading.
     *
     * @param before the reading.
     * @return a new reading.
     */
    long addOwner(final long before)
    {
        final long now = now();
        ownerBytes += now - before;
        return now;
    }

    /**
     * Counts what was allocated since a reading.
     *
     * @param before the reading.
     * @return a new reading.
     */
    long addMaster(final long before)
    {
        final long now = now();
        masterBytes += now - before;
        return now;
    }

    /**
     * Allocated in duty cycles and calls of clients.
     *
     * @return bytes.
     */
    public long clientBytes()
    {
        return clientBytes;
    }

    /**
     * Allocated in duty cycles of owners.
     *
     * @return bytes.
     */
    public long ownerBytes()
    {
        return ownerBytes;
    }

    /**
     * Allocated in duty cycles of masters.
     *
     * @return bytes.
     */
    public long masterBytes()
    {
        return masterBytes;
    }
}
