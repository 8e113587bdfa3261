package io.fluxon.engine.config;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * What an agent's thread does when it finds nothing to do.
 */
public enum IdleStrategyName
{
    /** Spins a little, yields a little, then parks for 1 microsecond, doubling to 1 millisecond. */
    BACKOFF,
    /** Sleeps for 1 millisecond. */
    SLEEPING,
    /** Yields the processor. For a thread that nearly has a processor of its own. */
    YIELDING,
    /** Spins. Only for a thread pinned to a processor of its own. */
    BUSY_SPIN;

    private static final long MAX_SPINS = 10;
    private static final long MAX_YIELDS = 10;
    private static final long MIN_PARK_NS = 1_000;
    private static final long MAX_PARK_NS = 1_000_000;

    /**
     * A new strategy for one thread.
     *
     * @return idle strategy.
     */
    public IdleStrategy create()
    {
        return switch (this)
        {
            case BACKOFF -> new BackoffIdleStrategy(MAX_SPINS, MAX_YIELDS, MIN_PARK_NS, MAX_PARK_NS);
            case SLEEPING -> new SleepingMillisIdleStrategy(1);
            case YIELDING -> YieldingIdleStrategy.INSTANCE;
            case BUSY_SPIN -> BusySpinIdleStrategy.INSTANCE;
        };
    }
}
