package io.fluxon.engine.owner;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

/**
 * The {@link OwnerCounter}s and {@link ClassCounter}s of one owner. Written by the owner agent only, except
 * {@link OwnerCounter#SUBMISSIONS}, which belongs to the transfer agent.
 */
public final class OwnerCounters
{
    private final AtomicCounter[] counters;
    private final AtomicCounter[][] ofClasses = new AtomicCounter[ClassCounter.MAX_CLASSES][];

    /**
     * Allocates all counters.
     *
     * @param manager of the process's counters file.
     */
    public OwnerCounters(final CountersManager manager)
    {
        final OwnerCounter[] all = OwnerCounter.values();
        counters = new AtomicCounter[all.length];
        for (final OwnerCounter counter : all)
        {
            counters[counter.ordinal()] = manager.newCounter(counter.label(), counter.typeId());
        }

        final ClassCounter[] allOfClass = ClassCounter.values();
        for (int i = 0; i < ofClasses.length; i++)
        {
            ofClasses[i] = new AtomicCounter[allOfClass.length];
            for (final ClassCounter counter : allOfClass)
            {
                ofClasses[i][counter.ordinal()] = manager.newCounter(counter.label(i), counter.typeId(i));
            }
        }
    }

    /**
     * One counter, to be handed to the agent that writes it.
     *
     * @param counter which.
     * @return the counter.
     */
    public AtomicCounter counter(final OwnerCounter counter)
    {
        return counters[counter.ordinal()];
    }

    /**
     * Value of a counter.
     *
     * @param counter which.
     * @return its value.
     */
    public long get(final OwnerCounter counter)
    {
        return counters[counter.ordinal()].get();
    }

    /**
     * Value of a counter of a slot class.
     *
     * @param classIndex from 0 to {@link ClassCounter#MAX_CLASSES} - 1.
     * @param counter    which.
     * @return its value.
     */
    public long get(final int classIndex, final ClassCounter counter)
    {
        return ofClasses[classIndex][counter.ordinal()].get();
    }

    void increment(final OwnerCounter counter)
    {
        counters[counter.ordinal()].incrementRelease();
    }

    void add(final OwnerCounter counter, final long value)
    {
        counters[counter.ordinal()].getAndAddRelease(value);
    }

    void set(final OwnerCounter counter, final long value)
    {
        counters[counter.ordinal()].setRelease(value);
    }

    void set(final int classIndex, final ClassCounter counter, final long value)
    {
        ofClasses[classIndex][counter.ordinal()].setRelease(value);
    }

    /** One more of a thing that has an "open" and an "opened" counter. */
    void opened(final OwnerCounter now, final OwnerCounter opened)
    {
        increment(now);
        increment(opened);
    }

    /** One less of a thing that has an "open" and a "closed" counter. */
    void closed(final OwnerCounter now, final OwnerCounter closed)
    {
        add(now, -1);
        increment(closed);
    }

    void error(final int code)
    {
        if (0 != code)
        {
            increment(OwnerCounter.ofError(code));
        }
    }
}
