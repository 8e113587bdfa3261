package io.fluxon.engine.config;

import io.fluxon.ipc.aeron.IdleStrategies;
import org.agrona.concurrent.IdleStrategy;

/**
 * What an agent's thread does when it finds nothing to do.
 */
public enum IdleStrategyName
{
    /** Spins a little, yields a little, then parks for 1 microsecond, doubling to 1 millisecond. */
    BACKOFF(IdleStrategies.BACKOFF),
    /** Sleeps for 1 millisecond. */
    SLEEP(IdleStrategies.SLEEP),
    /** Yields the processor. For a thread that nearly has a processor of its own. */
    YIELD(IdleStrategies.YIELD),
    /** Spins. Only for a thread pinned to a processor of its own. */
    BUSY_SPIN(IdleStrategies.BUSY_SPIN);

    private final String strategyName;

    IdleStrategyName(final String strategyName)
    {
        this.strategyName = strategyName;
    }

    /**
     * Its name in {@link IdleStrategies}.
     *
     * @return name.
     */
    public String strategyName()
    {
        return strategyName;
    }

    /**
     * A new strategy for one thread.
     *
     * @return idle strategy.
     */
    public IdleStrategy create()
    {
        return IdleStrategies.byName(strategyName);
    }
}
