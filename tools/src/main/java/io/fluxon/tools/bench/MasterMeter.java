package io.fluxon.tools.bench;

import io.fluxon.engine.master.MasterCounter;

import org.agrona.concurrent.status.CountersManager;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/**
 * Looks at a master in this JVM from outside: its counters, and the processor time of its thread.
 */
final class MasterMeter
{
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int NO_COUNTER = -1;

    private final CycleMeter cycleMeter;
    private final CountersManager counters;
    private final int[] ids = new int[MasterCounter.values().length];

    MasterMeter(final CountersManager counters, final CycleMeter cycleMeter)
    {
        this.cycleMeter = cycleMeter;
        this.counters = counters;
        for (final MasterCounter counter : MasterCounter.values())
        {
            ids[counter.ordinal()] = NO_COUNTER;
        }
        counters.forEach((id, label) ->
        {
            final int ordinal = counters.getCounterTypeId(id) - MasterCounter.TYPE_ID_BASE;
            if (ordinal >= 0 && ordinal < ids.length)
            {
                ids[ordinal] = id;
            }
        });
    }

    long get(final MasterCounter counter)
    {
        return counters.getCounterValue(ids[counter.ordinal()]);
    }

    /** Duty cycles so far over 1 ms. */
    LongCycles longCycles()
    {
        return new LongCycles(get(MasterCounter.CYCLES_LONG), cycleMeter.longCycles());
    }

    /** Processor time of the calling thread, in nanoseconds. */
    static long cpuNsOfThisThread()
    {
        return THREADS.getCurrentThreadCpuTime();
    }

    /** Processor time of the thread of a name, in nanoseconds; 0 when there is none. */
    static long cpuNs(final String threadName)
    {
        for (final ThreadInfo thread : THREADS.getThreadInfo(THREADS.getAllThreadIds()))
        {
            if (null != thread && threadName.equals(thread.getThreadName()))
            {
                return THREADS.getThreadCpuTime(thread.getThreadId());
            }
        }

        return 0;
    }
}
