package io.fluxon.engine.host;

import java.nio.file.Path;

/**
 * A running owner or master. Closing it is a clean shutdown: all its threads end and its files go.
 */
public interface HostedProcess extends AutoCloseable
{
    /**
     * What it says on its standard output once it is ready.
     *
     * @return one line that begins with {@code ready}.
     */
    String readyLine();

    /**
     * What an operator should know although it is ready.
     *
     * @return one line, null when there is nothing.
     */
    default String warning()
    {
        return null;
    }

    /**
     * Directory of its files, which holds its descriptor.
     *
     * @return absolute path.
     */
    Path directory();

    /**
     * Waits for a failure that ends the process: an agent has stopped, a broken invariant for example.
     *
     * @param timeoutMs longest wait.
     * @return what happened, null when nothing did.
     * @throws InterruptedException when the waiting thread is interrupted.
     */
    Throwable awaitFailure(long timeoutMs) throws InterruptedException;

    /** Ends it; repeated calls do nothing. */
    @Override
    void close();
}
