package io.fluxon.tools.replay;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.cuda.CopySettings;
import io.fluxon.cuda.client.CopyClient;
import io.fluxon.cuda.copy.CopyLimits;
import io.fluxon.cuda.device.CudaCopyConfig;
import io.fluxon.ipc.client.ClientContext;
import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.LocalSegment;
import io.fluxon.ipc.client.core.WaitStage;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.tools.page.KvCache;
import io.fluxon.tools.report.Latencies;
import io.fluxon.tools.report.Operation;
import io.fluxon.tools.report.PageCounts;
import io.fluxon.tools.trace.Trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * The life of a worker process: does what the lines of its standard input say, one request at a time, and tells what
 * came of it. Commits are not awaited as long as fewer than {@value #MAX_PENDING} are under way. Ends when its input
 * ends, so it does not outlive its coordinator.
 */
public final class WorkerLoop
{
    /** Most commits under way. */
    public static final int MAX_PENDING = 16;

    /** Most pages of a batch of a round. */
    public static final int MAX_PAGES_OF_ROUND = 64;

    private static final long COMMIT_TIMEOUT_NS = SECONDS.toNanos(60);
    private static final long POLL_MS = 1;
    private static final long ATTACH_TIMEOUT_NS = SECONDS.toNanos(30);
    private static final long ATTACH_RETRY_MS = 100;
    private static final long RELEASE_FLUSH_MS = 20;
    private static final long MAX_CACHE_BYTES = 64L << 20;
    private static final CopyLimits COPY_LIMITS = new CopyLimits(16, 8, 16, 64 << 20, 256 << 20);

    private final WorkerSettings settings;
    private final Trace trace;
    private final BufferedReader in;
    private final PrintStream out;
    private final Latencies latencies = new Latencies();
    private final ArrayDeque<PendingPut> pending = new ArrayDeque<>();
    private final KvCache cache;
    private FluxonClient client;
    private PageMover mover;
    private RequestRunner runner;

    /**
     * Constructs the loop of this process.
     *
     * @param settings of the worker.
     * @param trace    that requests are taken from.
     * @param in       lines of the coordinator.
     * @param out      where events go.
     */
    public WorkerLoop(
        final WorkerSettings settings, final Trace trace, final BufferedReader in, final PrintStream out)
    {
        this.settings = settings;
        this.trace = trace;
        this.in = in;
        this.out = out;
        cache = new KvCache(KvCache.geometryOf(settings.pageBytes()),
            Math.clamp(MAX_CACHE_BYTES / settings.pageBytes(), 1,
                Math.max(trace.maxBlocksOfRequest(), MAX_PAGES_OF_ROUND)), settings.place());
    }

    /**
     * Attaches, and serves lines until the input ends or says so.
     *
     * @throws IOException          if the input cannot be read.
     * @throws InterruptedException if this thread is interrupted.
     */
    public void run() throws IOException, InterruptedException
    {
        attach();
        String line = nextLine();
        while (null != line && !WorkerWire.EXIT.equals(line))
        {
            onLine(WorkerWire.words(line));
            line = nextLine();
        }
        settleAll();
        detach();
        cache.close();
    }

    private String nextLine() throws IOException, InterruptedException
    {
        while (!pending.isEmpty() && !in.ready())
        {
            awaitOldest();
            settleDone();
        }
        return in.readLine();
    }

    private void onLine(final String[] words) throws InterruptedException
    {
        switch (words[0])
        {
            case WorkerWire.RUN -> runRequest(Integer.parseInt(words[1]));
            case WorkerWire.ROUND ->
                runRound(Long.parseLong(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
            case WorkerWire.QUIESCE -> quiesce();
            case WorkerWire.LATENCIES -> tellLatencies();
            case WorkerWire.ATTACH -> attach();
            default -> throw new IllegalArgumentException("unknown command: " + words[0]);
        }
    }

    private void runRequest(final int request) throws InterruptedException
    {
        final PageCounts pages = new PageCounts();
        if (null == client)
        {
            tell(new WorkerEvent.Next(request));
            tellDone(request, pages, new FluxonException(ErrorCode.TRANSPORT, WaitStage.CONNECT, "not attached"));
            return;
        }
        try
        {
            final PendingPut put = runner.run(request, pages);
            pending.add(put);
            tell(new WorkerEvent.Next(request));
            settleDone();
            while (pending.size() >= MAX_PENDING)
            {
                awaitOldest();
                settleDone();
            }
        }
        catch (final FluxonException ex)
        {
            tell(new WorkerEvent.Next(request));
            tellDone(request, pages, ex);
            detachIfLost(ex);
        }
    }

    private void runRound(final long firstBlock, final int batches, final int pages)
    {
        try
        {
            tell(new LocalRound(client, mover, settings, latencies).run(firstBlock, batches, pages));
        }
        catch (final FluxonException ex)
        {
            tell(new WorkerEvent.Detached(ex.getMessage()));
        }
    }

    private void awaitOldest() throws InterruptedException
    {
        final PendingPut oldest = pending.peek();
        if (null != oldest && !oldest.isDone())
        {
            try
            {
                oldest.future().await(POLL_MS, MILLISECONDS);
            }
            catch (final FluxonException ex)
            {
                Thread.sleep(0, 1);
            }
        }
    }

    private void settleDone()
    {
        final long nowNs = System.nanoTime();
        for (final Iterator<PendingPut> puts = pending.iterator(); puts.hasNext();)
        {
            final PendingPut put = puts.next();
            if (put.isDone() || nowNs - put.commitNs() > COMMIT_TIMEOUT_NS)
            {
                puts.remove();
                settle(put, nowNs);
            }
        }
    }

    private void settle(final PendingPut put, final long nowNs)
    {
        if (null == put.future())
        {
            tellDone(put.request(), put.pages(), null);
            return;
        }
        if (!put.isDone())
        {
            tellDone(put.request(), put.pages(), new FluxonException(
                ErrorCode.TRANSPORT, WaitStage.PUBLISH, "the commit has no result"));
            return;
        }
        try
        {
            int refused = ErrorCode.OK;
            for (final int result : put.future().results())
            {
                if (ErrorCode.OK == result)
                {
                    put.pages().written++;
                }
                else
                {
                    refused = -result;
                }
            }
            latencies.record(Operation.PUT_COMMIT_GLOBAL, nowNs - put.commitNs());
            tellDone(put.request(), put.pages(), ErrorCode.OK == refused ? null :
                new FluxonException(refused, WaitStage.NONE, "a page was refused at commit"));
        }
        catch (final FluxonException ex)
        {
            tellDone(put.request(), put.pages(), ex);
        }
    }

    private void settleAll() throws InterruptedException
    {
        while (!pending.isEmpty())
        {
            awaitOldest();
            settleDone();
        }
    }

    private void quiesce() throws InterruptedException
    {
        settleAll();
        Thread.sleep(RELEASE_FLUSH_MS);
        tell(new WorkerEvent.Quiet());
    }

    private void tellLatencies()
    {
        for (final Operation operation : Operation.values())
        {
            tell(new WorkerEvent.Latency(operation, latencies.encode(operation)));
        }
    }

    private void attach() throws InterruptedException
    {
        detach();
        final long deadlineNs = System.nanoTime() + ATTACH_TIMEOUT_NS;
        while (null == client)
        {
            try
            {
                connect();
            }
            catch (final FluxonException ex)
            {
                if (System.nanoTime() - deadlineNs >= 0)
                {
                    tell(new WorkerEvent.Detached(ex.getMessage()));
                    return;
                }
                Thread.sleep(ATTACH_RETRY_MS);
            }
        }
    }

    private void connect()
    {
        final FluxonClient connected = FluxonClient.connect(new ClientContext()
            .ownerDirectory(settings.ownerDirectory().toString())
            .driverTimeoutNs(MILLISECONDS.toNanos(settings.driverTimeoutMs()))
            .clientName(settings.name()));
        try
        {
            final LocalSegment segment = connected.waitLocalSegmentsReady().getFirst();
            mover = new PageMover(CopyClient.open(
                connected, new CopySettings(settings.place(), 0, CudaCopyConfig.DEFAULT, COPY_LIMITS),
                System.err::println), cache);
            runner = new RequestRunner(connected, trace, settings, latencies, mover);
            client = connected;
            tell(new WorkerEvent.Ready(segment.generation()));
        }
        finally
        {
            if (null == client)
            {
                connected.close();
            }
        }
    }

    private void detachIfLost(final FluxonException cause) throws InterruptedException
    {
        try
        {
            client.waitLocalSegmentsReady();
        }
        catch (final FluxonException ex)
        {
            settleAll();
            detach();
            tell(new WorkerEvent.Detached(cause.getMessage()));
        }
    }

    private void detach()
    {
        if (null != client)
        {
            client.close();
            client = null;
        }
    }

    private void tellDone(final int request, final PageCounts pages, final FluxonException failure)
    {
        tell(null == failure ?
            new WorkerEvent.Done(request, ErrorCode.OK, WaitStage.NONE.name(), pages, "") :
            new WorkerEvent.Done(
                request, failure.errorCode(), failure.stage().name(), pages, failure.getMessage()));
    }

    private void tell(final WorkerEvent event)
    {
        out.println(WorkerWire.encode(event));
        out.flush();
    }
}
