package io.fluxon.engine.host;

import io.fluxon.ipc.counters.CountersFile;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;

import java.util.ArrayDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What owner and master have in common as processes: resources that are closed in reverse order, agents on threads of
 * their own, errors in the distinct error log, and one failure that ends everything.
 */
final class ProcessHost implements AutoCloseable
{
    private static final int AGENT_CLOSE_TIMEOUT_MS = 3_000;

    private final ArrayDeque<AutoCloseable> resources = new ArrayDeque<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final CountDownLatch failed = new CountDownLatch(1);
    private volatile CountersFile countersFile;
    private volatile boolean isClosing;

    /**
     * Takes a resource over.
     *
     * @param resource that is closed after all that are taken over later.
     * @param <T>      of the resource.
     * @return the resource.
     */
    <T extends AutoCloseable> T own(final T resource)
    {
        resources.push(resource);
        return resource;
    }

    void countersFile(final CountersFile countersFile)
    {
        this.countersFile = countersFile;
    }

    /** Records an error that the process survives. */
    void onError(final Throwable error)
    {
        final CountersFile file = countersFile;
        if (null == file || !file.errorLog().record(error))
        {
            error.printStackTrace();
        }
    }

    /** Records an error that ends the process. */
    void onFailure(final Throwable error)
    {
        if (!isClosing)
        {
            onError(error);
            failure.compareAndSet(null, error);
            failed.countDown();
        }
    }

    /**
     * Handler of the errors of an Aeron client: when it has lost its driver nothing works any more.
     *
     * @return handler.
     */
    ErrorHandler aeronErrorHandler()
    {
        return (error) ->
        {
            if (error instanceof io.aeron.exceptions.TimeoutException)
            {
                onFailure(error);
            }
            else
            {
                onError(error);
            }
        };
    }

    void start(final Agent agent, final IdleStrategy idleStrategy)
    {
        final AgentRunner runner = new AgentRunner(
            idleStrategy, this::onError, null, new FailFastAgent(agent, this::onFailure));
        own(() -> runner.close(AGENT_CLOSE_TIMEOUT_MS, (thread) -> onStuck(agent, thread)));
        AgentRunner.startOnThread(runner, ProcessHost::newThread);
    }

    Throwable awaitFailure(final long timeoutMs) throws InterruptedException
    {
        return failed.await(timeoutMs, TimeUnit.MILLISECONDS) ? failure.get() : null;
    }

    @Override
    public void close()
    {
        isClosing = true;
        while (!resources.isEmpty())
        {
            try
            {
                resources.pop().close();
            }
            catch (final Exception ex)
            {
                ex.printStackTrace();
            }
        }
    }

    private static Thread newThread(final Runnable runnable)
    {
        final Thread thread = new Thread(runnable);
        thread.setDaemon(true);
        return thread;
    }

    private static void onStuck(final Agent agent, final Thread thread)
    {
        final StringBuilder text = new StringBuilder("agent ").append(agent.roleName()).append(" does not end:");
        for (final StackTraceElement element : thread.getStackTrace())
        {
            text.append(System.lineSeparator()).append("    at ").append(element);
        }
        System.err.println(text);
    }
}
