package io.fluxon.ipc.aeron;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

import java.util.concurrent.TimeUnit;

/**
 * Idle strategies by their names in a configuration.
 */
public final class IdleStrategies
{
    /** Spins, yields, then parks for 1 µs to 1 ms: the default, kind to small machines. */
    public static final String BACKOFF = "backoff";
    /** Never gives the core away: for pinned cores. */
    public static final String BUSY_SPIN = "busy_spin";
    /** Yields each time. */
    public static final String YIELD = "yield";
    /** Sleeps 1 ms each time. */
    public static final String SLEEP = "sleep";

    private static final long MAX_SPINS = 10;
    private static final long MAX_YIELDS = 20;

    private IdleStrategies()
    {
    }

    /**
     * A new strategy of a name; an agent needs its own.
     *
     * @param name one of this class's constants.
     * @return the strategy.
     * @throws IllegalArgumentException for another name; the message lists those that are known.
     */
    public static IdleStrategy byName(final String name)
    {
        return switch (name)
        {
            case BACKOFF -> new BackoffIdleStrategy(
                MAX_SPINS, MAX_YIELDS, TimeUnit.MICROSECONDS.toNanos(1), TimeUnit.MILLISECONDS.toNanos(1));
            case BUSY_SPIN -> new BusySpinIdleStrategy();
            case YIELD -> new YieldingIdleStrategy();
            case SLEEP -> new SleepingMillisIdleStrategy(1);
            default -> throw new IllegalArgumentException("idle strategy '" + name + "' is not known, allowed are " +
                String.join(", ", BACKOFF, BUSY_SPIN, YIELD, SLEEP));
        };
    }
}
