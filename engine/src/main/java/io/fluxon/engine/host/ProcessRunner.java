package io.fluxon.engine.host;

import io.fluxon.engine.config.ConfigException;
import io.fluxon.ipc.segment.SegmentException;

import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Runs a hosted process as the whole of this JVM: says {@code ready}, waits for SIGTERM, SIGINT or a failure, shuts
 * down within a bound.
 */
public final class ProcessRunner
{
    /** Exit code after a clean shutdown. */
    public static final int EXIT_OK = 0;
    /** Exit code when the process could not start, failed, or did not shut down within the bound. */
    public static final int EXIT_FAILED = 1;

    private static final long SHUTDOWN_TIMEOUT_MS = TimeUnit.SECONDS.toMillis(15);
    private static final long FAILURE_POLL_MS = 50;

    private final CountDownLatch stopRequested = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final PrintStream out;
    private final PrintStream err;
    private volatile int exitCode = EXIT_FAILED;

    private ProcessRunner(final PrintStream out, final PrintStream err)
    {
        this.out = out;
        this.err = err;
    }

    /**
     * Runs a process until it is told to end or fails. On a signal the JVM exits with the returned code, whatever else
     * happens; otherwise the caller exits with it.
     *
     * @param name     for messages.
     * @param launcher that returns the process once it is ready.
     * @param out      for the line that says it is ready.
     * @param err      for warnings, and the last line when something went wrong.
     * @return {@link #EXIT_OK} or {@link #EXIT_FAILED}.
     */
    public static int run(
        final String name,
        final Supplier<? extends HostedProcess> launcher,
        final PrintStream out,
        final PrintStream err)
    {
        final ProcessRunner runner = new ProcessRunner(out, err);
        final Thread hook = new Thread(runner::onSignal, "shutdown-" + name);
        Runtime.getRuntime().addShutdownHook(hook);
        try
        {
            runner.exitCode = runner.runToEnd(name, launcher);
        }
        finally
        {
            runner.ended.countDown();
            runner.forget(hook);
        }
        return runner.exitCode;
    }

    private int runToEnd(final String name, final Supplier<? extends HostedProcess> launcher)
    {
        try (HostedProcess process = launcher.get())
        {
            if (null != process.warning())
            {
                err.println(name + ": " + process.warning());
            }
            out.println(process.readyLine());
            out.flush();
            final Throwable failure = await(process);
            if (null == failure)
            {
                return closeInTime(process, EXIT_OK);
            }
            closeInTime(process, EXIT_FAILED);
            return fail(name + " failed: " + failure, failure);
        }
        catch (final ConfigException | HostException | SegmentException ex)
        {
            return fail(name + " cannot start: " + ex.getMessage(), null);
        }
        catch (final RuntimeException | Error ex)
        {
            return fail(name + " failed: " + ex, ex);
        }
    }

    private Throwable await(final HostedProcess process)
    {
        try
        {
            Throwable failure = null;
            while (null == failure && stopRequested.getCount() > 0)
            {
                failure = process.awaitFailure(FAILURE_POLL_MS);
            }
            return failure;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    private int closeInTime(final HostedProcess process, final int code)
    {
        final Thread watchdog = new Thread(() -> haltUnlessEnded(SHUTDOWN_TIMEOUT_MS), "shutdown-watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
        process.close();
        return code;
    }

    private void onSignal()
    {
        stopRequested.countDown();
        haltUnlessEnded(SHUTDOWN_TIMEOUT_MS);
        // the JVM would exit with a code that stands for the signal
        Runtime.getRuntime().halt(exitCode);
    }

    private void haltUnlessEnded(final long timeoutMs)
    {
        try
        {
            if (!ended.await(timeoutMs, TimeUnit.MILLISECONDS))
            {
                err.println("shutdown did not end within " + timeoutMs + " ms");
                Runtime.getRuntime().halt(EXIT_FAILED);
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private int fail(final String lastLine, final Throwable failure)
    {
        if (null != failure)
        {
            failure.printStackTrace(err);
        }
        err.println(lastLine);
        err.flush();
        return EXIT_FAILED;
    }

    private void forget(final Thread hook)
    {
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException ex)
        {
            // the hook is running: it ends the JVM
            awaitHalt(hook);
        }
    }

    private static void awaitHalt(final Thread hook)
    {
        try
        {
            hook.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
