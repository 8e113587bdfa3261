package io.fluxon.tools.fault;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Sees whether the machine itself stands still: a thread that wants to wake up often takes the time until it does. What
 * takes long meanwhile says nothing about those who do it.
 */
final class MachineWatch implements AutoCloseable
{
    private static final long PAUSE_MS = 5;
    private static final long NOTICED_NS = MILLISECONDS.toNanos(50);

    private final Thread thread = new Thread(this::run, "watch of the machine");
    private volatile boolean isRunning = true;
    private volatile long stoodStillNs;

    MachineWatch()
    {
        thread.start();
    }

    /** All that was noticed so far. */
    long stoodStillMs()
    {
        return NANOSECONDS.toMillis(stoodStillNs);
    }

    private void run()
    {
        try
        {
            while (isRunning)
            {
                final long startNs = System.nanoTime();
                Thread.sleep(PAUSE_MS);
                final long tookNs = System.nanoTime() - startNs;
                stoodStillNs += tookNs > NOTICED_NS ? tookNs : 0;
            }
        }
        catch (final InterruptedException ex)
        {
            stoodStillNs = Long.MAX_VALUE;
        }
    }

    @Override
    public void close() throws InterruptedException
    {
        isRunning = false;
        thread.join(SECONDS.toMillis(60));
    }
}
