package io.fluxon.engine.master;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

/**
 * The {@link MasterCounter}s of one master, written by its agent only.
 */
public final class MasterCounters
{
    private final AtomicCounter[] counters;

    /**
     * Allocates all counters.
     *
     * @param manager of the process's counters file.
     */
    public MasterCounters(final CountersManager manager)
    {
        final MasterCounter[] all = MasterCounter.values();
        counters = new AtomicCounter[all.length];
        for (final MasterCounter counter : all)
        {
            counters[counter.ordinal()] = manager.newCounter(counter.label(), counter.typeId());
        }
    }

    /**
     * Value of a counter.
     *
     * @param counter which.
     * @return its value.
     */
    public long get(final MasterCounter counter)
    {
        return counters[counter.ordinal()].get();
    }

    void increment(final MasterCounter counter)
    {
        counters[counter.ordinal()].incrementRelease();
    }

    void add(final MasterCounter counter, final long value)
    {
        if (0 != value)
        {
            counters[counter.ordinal()].getAndAddRelease(value);
        }
    }

    void set(final MasterCounter counter, final long value)
    {
        final AtomicCounter target = counters[counter.ordinal()];
        if (value != target.getPlain())
        {
            target.setRelease(value);
        }
    }

    /** Raises a counter to a value if that is higher. */
    void raise(final MasterCounter counter, final long value)
    {
        final AtomicCounter target = counters[counter.ordinal()];
        if (value > target.getPlain())
        {
            target.setRelease(value);
        }
    }

    void error(final int code)
    {
        if (0 != code)
        {
            increment(MasterCounter.ofError(code));
        }
    }
}
