package io.fluxon.jmh.cluster;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;

/**
 * Processor time of single steps of the calling thread: not lengthened by others who want the processor too.
 */
public final class CpuSamples
{
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int INITIAL_CAPACITY = 1 << 16;
    private static final double NS_PER_US = 1_000;

    private long[] samplesNs = new long[INITIAL_CAPACITY];
    private int size;

    /**
     * Processor time of the calling thread.
     *
     * @return time in nanoseconds.
     */
    public static long nowNs()
    {
        return THREADS.getCurrentThreadCpuTime();
    }

    /** Forgets everything. */
    public void clear()
    {
        size = 0;
    }

    /**
     * Adds one step.
     *
     * @param startNs reading before it.
     * @return its duration in nanoseconds.
     */
    public long addSince(final long startNs)
    {
        final long durationNs = nowNs() - startNs;
        add(durationNs);
        return durationNs;
    }

    /**
     * Adds one step.
     *
     * @param durationNs of it.
     */
    public void add(final long durationNs)
    {
        if (size == samplesNs.length)
        {
            samplesNs = Arrays.copyOf(samplesNs, 2 * size);
        }
        samplesNs[size++] = durationNs;
    }

    /**
     * Number of steps.
     *
     * @return their number.
     */
    public int size()
    {
        return size;
    }

    /**
     * A percentile of the steps.
     *
     * @param percent from 0 to 100.
     * @return time in nanoseconds, 0 without a step.
     */
    public long percentileNs(final double percent)
    {
        if (0 == size)
        {
            return 0;
        }
        Arrays.sort(samplesNs, 0, size);
        return samplesNs[Math.clamp((long)Math.ceil(size * percent / 100) - 1, 0, size - 1)];
    }

    @Override
    public String toString()
    {
        return String.format("%,d steps, processor time p50 %.1f us, p99 %.1f us, p99.9 %.1f us, max %.1f us",
            size, percentileNs(50) / NS_PER_US, percentileNs(99) / NS_PER_US, percentileNs(99.9) / NS_PER_US,
            percentileNs(100) / NS_PER_US);
    }
}
