package io.fluxon.engine.owner;

import org.agrona.DeadlineTimerWheel;
import org.agrona.collections.Long2ObjectHashMap;

import java.util.concurrent.TimeUnit;

/**
 * All timers of the core: one wheel, moved by the time of the duty cycle. Timers run out in the order of their ticks of
 * about a millisecond.
 */
final class OwnerTimers implements DeadlineTimerWheel.TimerHandler
{
    /** No timer. */
    static final long NONE = Long.MIN_VALUE;

    private static final long TICK_NS = 1L << 20;
    private static final int TICKS_PER_WHEEL = 1024;
    private static final int EXPIRY_LIMIT = 64;

    private final DeadlineTimerWheel wheel;
    private final Long2ObjectHashMap<TimerListener> listeners = new Long2ObjectHashMap<>();

    OwnerTimers(final long startTimeNs)
    {
        wheel = new DeadlineTimerWheel(TimeUnit.NANOSECONDS, startTimeNs, TICK_NS, TICKS_PER_WHEEL);
    }

    /**
     * Receives the end of a timer.
     */
    interface TimerListener
    {
        /**
         * The timer has run out; it is no longer known.
         *
         * @param timerId of the timer.
         * @param nowNs   time of this duty cycle.
         */
        void onTimer(long timerId, long nowNs);
    }

    long schedule(final long deadlineNs, final TimerListener listener)
    {
        final long timerId = wheel.scheduleTimer(deadlineNs);
        listeners.put(timerId, listener);

        return timerId;
    }

    void cancel(final long timerId)
    {
        if (NONE != timerId && wheel.cancelTimer(timerId))
        {
            listeners.remove(timerId);
        }
    }

    int doWork(final long nowNs)
    {
        int expired = 0;
        for (int i = 0; i < TICKS_PER_WHEEL && expired < EXPIRY_LIMIT; i++)
        {
            expired += wheel.poll(nowNs, this, EXPIRY_LIMIT - expired);
            if (wheel.currentTickTime() > nowNs)
            {
                break;
            }
        }

        return expired;
    }

    long count()
    {
        return wheel.timerCount();
    }

    /** {@inheritDoc} */
    @Override
    public boolean onTimerExpiry(final TimeUnit timeUnit, final long now, final long timerId)
    {
        listeners.remove(timerId).onTimer(timerId, now);

        return true;
    }
}
