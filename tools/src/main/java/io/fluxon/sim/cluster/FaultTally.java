package io.fluxon.sim.cluster;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * How often each kind of fault was done to a cluster.
 */
public final class FaultTally
{
    private final long[] counts = new long[FaultKind.values().length];
    private BiConsumer<FaultKind, Object> observer = (kind, place) -> {};

    /**
     * Has somebody learn of every fault from now on.
     *
     * @param newObserver is given its kind and place.
     */
    public void observe(final BiConsumer<FaultKind, Object> newObserver)
    {
        observer = newObserver;
    }

    /**
     * Counts one fault.
     *
     * @param kind  of it.
     * @param place that it is done to: a process or link.
     */
    public void count(final FaultKind kind, final Object place)
    {
        counts[kind.ordinal()]++;
        observer.accept(kind, place);
    }

    /**
     * Adds another tally to this one.
     *
     * @param other tally.
     */
    public void add(final FaultTally other)
    {
        for (int i = 0; i < counts.length; i++)
        {
            counts[i] += other.counts[i];
        }
    }

    /**
     * Faults of a kind.
     *
     * @param kind of them.
     * @return their number.
     */
    public long get(final FaultKind kind)
    {
        return counts[kind.ordinal()];
    }

    /**
     * All faults.
     *
     * @return their number.
     */
    public long total()
    {
        long total = 0;
        for (final long count : counts)
        {
            total += count;
        }
        return total;
    }

    /**
     * Number by name of the kind, in lower case.
     *
     * @return one entry a kind, in the order of the kinds.
     */
    public Map<String, Long> byName()
    {
        final Map<String, Long> map = new LinkedHashMap<>();
        for (final FaultKind kind : FaultKind.values())
        {
            map.put(kind.name().toLowerCase(java.util.Locale.ROOT), get(kind));
        }
        return map;
    }
}
