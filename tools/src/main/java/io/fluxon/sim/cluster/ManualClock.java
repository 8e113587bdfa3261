package io.fluxon.sim.cluster;

import org.agrona.concurrent.NanoClock;

/**
 * A clock that stands still until it is moved.
 */
public final class ManualClock implements NanoClock
{
    private long nowNs;

    /**
     * Creates the clock.
     *
     * @param startNs first time that it shows.
     */
    public ManualClock(final long startNs)
    {
        nowNs = startNs;
    }

    @Override
    public long nanoTime()
    {
        return nowNs;
    }

    /**
     * Moves the clock forward.
     *
     * @param deltaNs not negative.
     */
    public void advance(final long deltaNs)
    {
        if (deltaNs < 0)
        {
            throw new IllegalArgumentException("deltaNs=" + deltaNs + ", allowed: >= 0");
        }
        nowNs += deltaNs;
    }
}
