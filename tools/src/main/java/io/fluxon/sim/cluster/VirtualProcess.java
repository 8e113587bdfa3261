package io.fluxon.sim.cluster;

/**
 * A process of a run: it does a duty cycle when it is due, soon again while it finds work, later and later while it
 * finds none, and at once when something arrives.
 */
public abstract class VirtualProcess
{
    private static final long LEAST_CYCLE_NS = 200;
    private static final long LONGEST_CYCLE_NS = 4_000;
    private static final long FIRST_IDLE_NS = 100_000;
    private static final long LAST_IDLE_NS = 20_000_000;

    /** Share of duty cycles after which the process does not get the processor for a while. */
    public double stallRate;
    /** Longest time without the processor, in nanoseconds. */
    public long maxStallNs = 1_000_000;

    private final String name;
    private final VirtualCluster cluster;
    private final Choices.Stream choices;
    private final long cycleNs;
    private long nextNs;
    private long stalledUntilNs;
    private long idleNs = FIRST_IDLE_NS;
    private long cycles;
    private boolean paused;
    private boolean dead;

    VirtualProcess(final VirtualCluster cluster, final String name)
    {
        this.cluster = cluster;
        this.name = name;
        choices = cluster.choices().stream(name);
        cycleNs = choices.magnitude(LEAST_CYCLE_NS, LONGEST_CYCLE_NS);
        nextNs = cluster.clock().nanoTime();
    }

    abstract int doWork();

    /** When the next thing arrives that it has not taken yet; {@link Long#MAX_VALUE} when nothing is on its way. */
    abstract long earliestNs();

    /**
     * Name in the run, unique.
     *
     * @return the name.
     */
    public final String name()
    {
        return name;
    }

    @Override
    public final String toString()
    {
        return name;
    }

    /**
     * Has the process do a duty cycle not later than at a time.
     *
     * @param atNs of the duty cycle.
     */
    public final void wake(final long atNs)
    {
        nextNs = Math.min(nextNs, Math.max(stalledUntilNs, atNs));
    }

    /**
     * Stops or continues the process.
     *
     * @param value true to stop it.
     */
    public final void paused(final boolean value)
    {
        paused = value;
        wake(cluster.clock().nanoTime());
    }

    /**
     * Is it stopped?
     *
     * @return true while it is.
     */
    public final boolean isPaused()
    {
        return paused;
    }

    /**
     * Is it gone?
     *
     * @return true after it was killed.
     */
    public final boolean isDead()
    {
        return dead;
    }

    /**
     * Duty cycles so far.
     *
     * @return their number.
     */
    public final long cycles()
    {
        return cycles;
    }

    final void dead(final boolean value)
    {
        dead = value;
        paused = false;
        nextNs = cluster.clock().nanoTime();
    }

    final long nextNs()
    {
        return paused || dead ? Long.MAX_VALUE : nextNs;
    }

    final void run(final long nowNs)
    {
        cycles++;
        nextNs = Long.MAX_VALUE;
        final boolean isBusy = doWork() > 0;
        idleNs = isBusy ? FIRST_IDLE_NS : Math.min(LAST_IDLE_NS, 2 * idleNs);
        choices.align(2);
        if (choices.chance(stallRate))
        {
            cluster.faults().count(FaultKind.STALL, this);
            stalledUntilNs = nowNs + choices.between(0, maxStallNs);
        }
        final long idleUntilNs = Math.min(nowNs + idleNs, earliestNs());
        nextNs = Math.max(nowNs + cycleNs, Math.max(stalledUntilNs, isBusy ? nowNs : Math.min(nextNs, idleUntilNs)));
    }
}
