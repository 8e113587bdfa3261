package io.fluxon.tools.bench.transfer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.cluster.ManagedProcess;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A process that is told what to do line by line, and whose lines are waited for within a bound.
 */
final class Child implements AutoCloseable
{
    private static final long EXIT_WAIT_MS = 5_000;
    private static final String END = "";

    private final ManagedProcess process;
    private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

    private Child(final ManagedProcess process)
    {
        this.process = process;
    }

    static Child start(final String name, final List<String> command, final Path log)
    {
        final Child child = new Child(ManagedProcess.start(name, command, log, true));
        Thread.ofPlatform().daemon().name("reader-of-" + name).start(child::read);
        return child;
    }

    /** Sends it a line. */
    void send(final String line)
    {
        try
        {
            process.input().write((line + '\n').getBytes(UTF_8));
            process.input().flush();
        }
        catch (final IOException ex)
        {
            throw failed("does not listen");
        }
    }

    /** Waits for a line; others are dropped. */
    String await(final Predicate<String> isWanted, final long timeoutMs)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        try
        {
            while (true)
            {
                final String line = lines.poll(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
                if (null == line)
                {
                    throw failed("has said nothing for " + timeoutMs + " ms");
                }
                if (END.equals(line))
                {
                    throw failed("has ended too early");
                }
                if (isWanted.test(line))
                {
                    return line;
                }
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted");
        }
    }

    /** Lets it end, by its own when its input ends, else by force. */
    @Override
    public void close()
    {
        try
        {
            process.input().close();
        }
        catch (final IOException ex)
        {
            process.terminate();
        }
        if (!process.awaitEnd(EXIT_WAIT_MS))
        {
            process.kill();
        }
    }

    /** Ends it at once. */
    void kill()
    {
        process.kill();
    }

    private ClusterException failed(final String what)
    {
        return new ClusterException(process.name() + ' ' + what + '\n' + process.logTail());
    }

    private void read()
    {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(process.output(), UTF_8)))
        {
            for (String line = in.readLine(); null != line; line = in.readLine())
            {
                if (!END.equals(line))
                {
                    lines.add(line);
                }
            }
        }
        catch (final IOException ex)
        {
            process.awaitEnd(EXIT_WAIT_MS);
        }
        lines.add(END);
    }
}
