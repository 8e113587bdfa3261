package io.fluxon.tools.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A process that this one started and will end. What it writes to standard error goes to a log file, and its standard
 * output too unless that is read here. Closing its standard input tells it that its parent has gone.
 */
public final class ManagedProcess
{
    private static final int LOG_TAIL_LINES = 12;
    private static final long KILL_WAIT_MS = SECONDS.toMillis(10);

    private final String name;
    private final Path log;
    private final Process process;
    private volatile boolean isPaused;

    private ManagedProcess(final String name, final Path log, final Process process)
    {
        this.name = name;
        this.log = log;
        this.process = process;
    }

    /**
     * Starts a process.
     *
     * @param name       of the process, for messages.
     * @param command    line.
     * @param log        file that is appended to.
     * @param readOutput true if its standard output is read here.
     * @return the process.
     * @throws ClusterException if it cannot be started.
     */
    public static ManagedProcess start(
        final String name, final List<String> command, final Path log, final boolean readOutput)
    {
        final ProcessBuilder builder = new ProcessBuilder(command);
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.redirectOutput(readOutput ?
            ProcessBuilder.Redirect.PIPE : ProcessBuilder.Redirect.appendTo(log.toFile()));
        try
        {
            return new ManagedProcess(name, log, builder.start());
        }
        catch (final IOException ex)
        {
            throw new ClusterException("cannot start " + name + ": " + ex.getMessage());
        }
    }

    /**
     * Name of the process.
     *
     * @return the name.
     */
    public String name()
    {
        return name;
    }

    /**
     * Id of the process.
     *
     * @return process id.
     */
    public long pid()
    {
        return process.pid();
    }

    /**
     * Is the process running?
     *
     * @return true if it is.
     */
    public boolean isAlive()
    {
        return process.isAlive();
    }

    /**
     * Its standard input.
     *
     * @return the stream to write to.
     */
    public OutputStream input()
    {
        return process.getOutputStream();
    }

    /**
     * Its standard output, if that is read here.
     *
     * @return the stream to read.
     */
    public InputStream output()
    {
        return process.getInputStream();
    }

    /**
     * Waits for the process to end.
     *
     * @param timeoutMs longest wait.
     * @return true if it has ended.
     */
    public boolean awaitEnd(final long timeoutMs)
    {
        try
        {
            return process.waitFor(Math.max(timeoutMs, 0), MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * How the process ended.
     *
     * @return exit code; 128 + the signal's number if a signal ended it.
     */
    public int exitCode()
    {
        return process.exitValue();
    }

    /** Ends the process at once (SIGKILL) and waits until it is gone. */
    public void kill()
    {
        process.destroyForcibly();
        awaitEnd(KILL_WAIT_MS);
    }

    /** Stops the process (SIGSTOP): none of its threads runs until {@link #resume()}. */
    public void pause()
    {
        signal("STOP");
        isPaused = true;
    }

    /** Lets a stopped process go on (SIGCONT). */
    public void resume()
    {
        signal("CONT");
        isPaused = false;
    }

    private void signal(final String signal)
    {
        try
        {
            final Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
            if (!kill.waitFor(KILL_WAIT_MS, MILLISECONDS) || 0 != kill.exitValue())
            {
                throw new ClusterException("cannot send SIG" + signal + " to " + name);
            }
        }
        catch (final IOException ex)
        {
            throw new ClusterException("cannot send SIG" + signal + " to " + name + ": " + ex.getMessage());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted");
        }
    }

    /** Asks the process to end (SIGTERM). */
    public void terminate()
    {
        if (isPaused && isAlive())
        {
            resume();
        }
        process.destroy();
    }

    /**
     * The last lines of its log.
     *
     * @return the lines, each indented; empty if there are none.
     */
    public String logTail()
    {
        try (BufferedReader reader = Files.newBufferedReader(log, UTF_8))
        {
            final List<String> lines = reader.lines().toList();
            final StringBuilder tail = new StringBuilder();
            for (final String line : lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()))
            {
                tail.append("  | ").append(line).append('\n');
            }
            return tail.toString();
        }
        catch (final IOException | UncheckedIOException ex)
        {
            return "";
        }
    }
}
