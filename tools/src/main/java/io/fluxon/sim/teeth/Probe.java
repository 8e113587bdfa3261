package io.fluxon.sim.teeth;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts how often the places were reached at which a fault would show.
 */
public final class Probe
{
    private static final Map<String, LongAdder> COUNTS = new ConcurrentHashMap<>();

    private Probe()
    {
    }

    /**
     * The place of a fault is reached.
     *
     * @param fault that would show here.
     */
    public static void reached(final String fault)
    {
        COUNTS.computeIfAbsent(fault, (name) -> new LongAdder()).increment();
    }

    static long count(final String fault)
    {
        final LongAdder count = COUNTS.get(fault);
        return null == count ? 0 : count.sum();
    }

    static void reset()
    {
        COUNTS.clear();
    }
}
