package io.fluxon.jmh.cluster;

import org.agrona.concurrent.NanoClock;

/**
 * A clock that stands still until it is moved.
 */
public final class StepClock implements NanoClock
{
    private long nowNs = 1_000_000_000;

    @Override
    public long nanoTime()
    {
        return nowNs;
    }

    /**
     * Moves the clock.
     *
     * @param deltaNs not negative.
     */
    public void advance(final long deltaNs)
    {
        nowNs += deltaNs;
    }
}
