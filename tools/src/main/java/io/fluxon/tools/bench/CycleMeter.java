package io.fluxon.tools.bench;

import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;

/**
 * Runs an agent and counts its long duty cycles by the processor time of its thread: a cycle in which the thread was
 * kept from running is not a long one. Reading that time is a call of the system, so it is read at most every {@value
 * #MARK_NS} ns and after a cycle that was long by the clock: what is counted includes at most so much of the cycles
 * before. Written by the agent's thread, read by any.
 */
final class CycleMeter implements Agent
{
    /** A cycle longer than that is counted, in nanoseconds. */
    static final long LONG_CYCLE_NS = 1_000_000;

    /** Longest time of the clock between two looks at the processor time before a cycle. */
    static final long MARK_NS = 50_000;

    private final Agent agent;
    private final NanoClock clock;
    private final NanoClock cpuClock;
    private long markNs;
    private long markCpuNs;
    private boolean hasMark;
    private volatile long longCycles;

    /**
     * A meter.
     *
     * @param agent    that is run.
     * @param clock    the time.
     * @param cpuClock the processor time of the calling thread.
     */
    CycleMeter(final Agent agent, final NanoClock clock, final NanoClock cpuClock)
    {
        this.agent = agent;
        this.clock = clock;
        this.cpuClock = cpuClock;
    }

    /** Duty cycles so far that took more than 1 ms of processor time. */
    long longCycles()
    {
        return longCycles;
    }

    @Override
    public void onStart()
    {
        agent.onStart();
    }

    @Override
    public int doWork() throws Exception
    {
        final long beginNs = clock.nanoTime();
        if (!hasMark || beginNs - markNs > MARK_NS)
        {
            mark(beginNs, cpuClock.nanoTime());
        }
        final int work = agent.doWork();
        final long endNs = clock.nanoTime();
        if (endNs - beginNs > LONG_CYCLE_NS)
        {
            final long cpuNs = cpuClock.nanoTime();
            if (cpuNs - markCpuNs > LONG_CYCLE_NS)
            {
                count();
            }
            mark(endNs, cpuNs);
        }
        return work;
    }

    @Override
    public void onClose()
    {
        agent.onClose();
    }

    @Override
    public String roleName()
    {
        return agent.roleName();
    }

    private void mark(final long nowNs, final long cpuNs)
    {
        hasMark = true;
        markNs = nowNs;
        markCpuNs = cpuNs;
    }

    private void count()
    {
        final long before = longCycles;
        longCycles = before + 1;
    }
}
