package io.fluxon.engine.host;

import io.fluxon.ipc.counters.CountersFile;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemEpochClock;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
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

    /**
     * Creates a directory and those above it. When the host ends, those of them that were not there before are removed
     * when they are empty, and so is the directory itself, which has the process's own name.
     *
     * @param directory to create.
     * @return absolute path.
     */
    Path createDirectory(final Path directory)
    {
        final Path absolute = directory.toAbsolutePath();
        final ArrayList<Path> removable = new ArrayList<>();
        for (Path path = absolute; null != path; path = path.getParent())
        {
            if (removable.isEmpty() || !Files.exists(path))
            {
                removable.add(path);
            }
        }
        try
        {
            Files.createDirectories(absolute);
        }
        catch (final IOException ex)
        {
            throw new HostException("cannot create directory " + absolute + ": " + ex, ex);
        }
        for (final Path path : removable.reversed())
        {
            own(() -> removeIfEmpty(path));
        }
        return absolute;
    }

    /**
     * Opens the counters file, which from then on takes the errors.
     *
     * @param instanceKey   name of the process.
     * @param directory     of the process.
     * @param configuredDir where the file goes and stays, null = the directory of the process, with which it goes.
     * @return the file.
     */
    CountersFile openCounters(final String instanceKey, final Path directory, final Path configuredDir)
    {
        final Path path = (null == configuredDir ? directory : configuredDir)
            .resolve(instanceKey + CountersFile.SUFFIX);
        final CountersFile file = CountersFile.create(
            path,
            instanceKey,
            CountersFile.DEFAULT_MAX_COUNTERS,
            CountersFile.DEFAULT_ERROR_LOG_LENGTH,
            SystemEpochClock.INSTANCE);
        countersFile = file;
        own(() ->
        {
            countersFile = null;
            file.close();
            if (null == configuredDir)
            {
                Files.deleteIfExists(path);
            }
        });
        return file;
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

    /**
     * Threads of something that must live as long as the process: when one ends before the host closes, the process
     * has failed.
     *
     * @param what the threads are of.
     * @return factory of their threads.
     */
    ThreadFactory vitalThreads(final String what)
    {
        return (runnable) -> newThread(() ->
        {
            try
            {
                runnable.run();
            }
            finally
            {
                onFailure(new HostException(
                    "thread " + Thread.currentThread().getName() + " of " + what + " has ended", null));
            }
        });
    }

    /** Handler of the errors of an embedded media driver: some end it. */
    ErrorHandler driverErrorHandler()
    {
        return (error) ->
        {
            if (error instanceof Error || error instanceof AgentTerminationException)
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
            idleStrategy, this::onAgentError, null, new FailFastAgent(agent, this::onFailure));
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

    private void onAgentError(final Throwable error)
    {
        // the failure that ended the agent has been told already
        if (!(error instanceof AgentTerminationException))
        {
            onError(error);
        }
    }

    private static void removeIfEmpty(final Path directory) throws IOException
    {
        try
        {
            Files.deleteIfExists(directory);
        }
        catch (final DirectoryNotEmptyException ex)
        {
            // others use it
            return;
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
