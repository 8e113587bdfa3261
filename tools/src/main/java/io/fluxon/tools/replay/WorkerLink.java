package io.fluxon.tools.replay;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fluxon.tools.cluster.ManagedProcess;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.util.concurrent.BlockingQueue;

/**
 * The coordinator's end of the two pipes to a worker process. A thread reads events and queues them; the last one says
 * that the process has ended.
 */
final class WorkerLink
{
    private static final long EXIT_WAIT_MS = 5_000;
    private static final int NOT_ENDED = -1;

    private final int worker;
    private final ManagedProcess process;
    private final BlockingQueue<WorkerMessage> events;
    private final BufferedWriter out;

    WorkerLink(final int worker, final ManagedProcess process, final BlockingQueue<WorkerMessage> events)
    {
        this.worker = worker;
        this.process = process;
        this.events = events;
        out = new BufferedWriter(new OutputStreamWriter(process.input(), UTF_8));
        Thread.ofPlatform().daemon().name("reader-of-" + process.name()).start(this::readEvents);
    }

    int worker()
    {
        return worker;
    }

    ManagedProcess process()
    {
        return process;
    }

    /** Sends a line; that the process has gone is told by its last event, not here. */
    void send(final Object... words)
    {
        try
        {
            out.write(WorkerWire.line(words));
            out.newLine();
            out.flush();
        }
        catch (final IOException ex)
        {
            process.awaitEnd(0);
        }
    }

    /** Lets the process end: first by its own, then by SIGTERM, then by SIGKILL. */
    void end()
    {
        send(WorkerWire.EXIT);
        if (!process.awaitEnd(EXIT_WAIT_MS))
        {
            process.terminate();
            if (!process.awaitEnd(EXIT_WAIT_MS))
            {
                process.kill();
            }
        }
    }

    private void readEvents()
    {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(process.output(), UTF_8)))
        {
            String line = in.readLine();
            while (null != line)
            {
                final WorkerEvent event = WorkerWire.decode(line);
                if (null != event)
                {
                    events.add(new WorkerMessage(this, event));
                }
                line = in.readLine();
            }
        }
        catch (final IOException ex)
        {
            process.awaitEnd(EXIT_WAIT_MS);
        }
        final boolean ended = process.awaitEnd(EXIT_WAIT_MS);
        events.add(new WorkerMessage(this, new WorkerEvent.Ended(ended ? process.exitCode() : NOT_ENDED)));
    }
}
