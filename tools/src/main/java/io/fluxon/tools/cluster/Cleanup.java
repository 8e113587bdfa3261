package io.fluxon.tools.cluster;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Closes what was opened, the last first, exactly once, also when this process is told to end. Thread-safe.
 */
public final class Cleanup implements AutoCloseable
{
    private static final long SHUTDOWN_POLL_MS = 1_000;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Object closing = new Object();
    private final Thread hook = new Thread(this::onShutdown, "cleanup");
    private boolean isClosed;
    private volatile boolean isShuttingDown;

    /** Opens nothing yet, but sees from now on that this process is told to end. */
    public Cleanup()
    {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /**
     * Adds something to close; closes it at once if this is closed already.
     *
     * @param closeable to close.
     * @param <T>       of it.
     * @return the same.
     */
    public <T extends AutoCloseable> T add(final T closeable)
    {
        final boolean isLate;
        synchronized (this)
        {
            isLate = isClosed;
            if (!isLate)
            {
                opened.push(closeable);
            }
        }
        if (isLate)
        {
            close(closeable);
        }
        return closeable;
    }

    /**
     * Is the process being ended from outside?
     *
     * @return true if it is.
     */
    public boolean isShuttingDown()
    {
        return isShuttingDown;
    }

    /** Does not return while this process is being ended from outside: it has nothing more to say then. */
    public void awaitShutdown()
    {
        while (isShuttingDown)
        {
            try
            {
                Thread.sleep(SHUTDOWN_POLL_MS);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void onShutdown()
    {
        isShuttingDown = true;
        closeAll();
    }

    @Override
    public void close()
    {
        closeAll();
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException ex)
        {
            // the process is being ended: the hook runs, and finds nothing left to close
            return;
        }
    }

    void closeAll()
    {
        // who comes second waits for the first: the process may end when the hook has returned
        synchronized (closing)
        {
            AutoCloseable next = takeNext();
            while (null != next)
            {
                close(next);
                next = takeNext();
            }
        }
    }

    private synchronized AutoCloseable takeNext()
    {
        isClosed = true;
        return opened.poll();
    }

    private static void close(final AutoCloseable closeable)
    {
        try
        {
            closeable.close();
        }
        catch (final Exception ex)
        {
            System.err.println("cleaning up: " + ex);
        }
    }
}
