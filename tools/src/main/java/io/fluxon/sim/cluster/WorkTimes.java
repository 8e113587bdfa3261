package io.fluxon.sim.cluster;

import org.agrona.concurrent.NanoClock;

/**
 * When the work of one worker thread ends, and when it takes none.
 */
final class WorkTimes
{
    private static final int ITEM_CHOICES = 16;

    private final String name;
    private final NanoClock clock;
    private final Choices.Stream choices;
    private final FaultTally tally;
    private final WorkerFaults faults;
    private final FaultKind late;

    WorkTimes(final VirtualCluster cluster, final String name, final WorkerFaults faults, final FaultKind late)
    {
        this.name = name;
        clock = cluster.clock();
        choices = cluster.choices().stream(name);
        tally = cluster.faults();
        this.faults = faults;
        this.late = late;
    }

    boolean isFull()
    {
        final boolean isFull = choices.chance(faults.fullRate);
        if (isFull)
        {
            tally.count(FaultKind.QUEUE_FULL, name);
        }
        return isFull;
    }

    long endNs()
    {
        choices.align(ITEM_CHOICES);
        long delayNs = choices.between(faults.minDelayNs, Math.max(faults.minDelayNs, faults.maxDelayNs));
        if (choices.chance(faults.longDelayRate))
        {
            tally.count(late, name);
            delayNs += choices.between(1, faults.longDelayNs);
        }
        return clock.nanoTime() + delayNs;
    }

    /** A time between now and an end. */
    long beforeNs(final long endNs)
    {
        return clock.nanoTime() + choices.between(0, endNs - clock.nanoTime());
    }
}
