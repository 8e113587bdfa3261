package io.fluxon.sim.cluster;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * How often each kind of fault was done to a cluster.
 */
public final class FaultTally
{
    private final long[] counts = new long[FaultKind.values().length];
    private Consumer<FaultKind> observer = (kind) -> {};

    /**
     * Has somebody learn of every fault from now on.
     *
     * @param newObserver of the faults.
     */
    public void observe(final Consumer<FaultKind> newObserver)
    {
        observer = newObserver;
    }

    /**
     * Counts one fault.
     *
     * @param kind of it.
     */
    public void count(final FaultKind kind)
    {
        counts[kind.ordinal()]++;
        observer.accept(kind);
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
