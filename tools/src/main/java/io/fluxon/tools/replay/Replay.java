package io.fluxon.tools.replay;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.tools.cluster.ClusterException;
import io.fluxon.tools.cluster.Host;
import io.fluxon.tools.cluster.JavaCommand;
import io.fluxon.tools.cluster.ManagedProcess;
import io.fluxon.tools.report.Operation;
import io.fluxon.tools.report.RunReport;
import io.fluxon.tools.trace.Trace;

import org.agrona.collections.IntHashSet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/**
 * Hands the requests of a trace to worker processes: request i to worker {@code i mod workers}, in order. Sequentially,
 * a request is handed out when the one before it has ended, its commit's future included; else each worker always has
 * one request at work and one at hand. What comes back is added to a report. Belongs to one thread.
 */
public final class Replay implements AutoCloseable
{
    private static final int WINDOW = 2;
    private static final int HEAP_MEGABYTES = 192;
    private static final int MAX_FAILURES_IN_A_ROW = 64;
    private static final long TICK_MS = 5;
    private static final long START_TIMEOUT_NS = SECONDS.toNanos(90);
    private static final long STALL_NS = SECONDS.toNanos(150);

    private final Trace trace;
    private final Path logDirectory;
    private final boolean isSequential;
    private final RunReport report;
    private final LinkedBlockingQueue<WorkerMessage> events = new LinkedBlockingQueue<>();
    private final List<WorkerSlot> workers = new ArrayList<>();
    private IntFunction<Host> hosts = worker -> Host.LOCAL;
    private Disturbance disturbance;
    private int ended;
    private int nextInSequence;
    private boolean isRunning;
    private BooleanSupplier isOver;
    private volatile boolean isClosed;

    /**
     * Constructs a replay; starts nothing.
     *
     * @param trace        that requests are taken from.
     * @param settings     of each worker, in order.
     * @param logDirectory where workers write their logs.
     * @param isSequential true if one request follows the other.
     * @param report       that is added to.
     */
    public Replay(
        final Trace trace,
        final List<WorkerSettings> settings,
        final Path logDirectory,
        final boolean isSequential,
        final RunReport report)
    {
        this.trace = trace;
        this.logDirectory = logDirectory;
        this.isSequential = isSequential;
        this.report = report;
        for (int i = 0; i < settings.size(); i++)
        {
            workers.add(new WorkerSlot(settings.get(i), i));
        }
    }

    /**
     * Says where workers run, before they are started; all on this machine where nothing is said.
     *
     * @param hosts of the workers, by their index.
     */
    public void hosts(final IntFunction<Host> hosts)
    {
        this.hosts = hosts;
    }

    /**
     * Starts all workers and waits until they are attached.
     *
     * @throws ClusterException if one is not in time.
     */
    public void start()
    {
        for (int i = 0; i < workers.size(); i++)
        {
            startWorker(i);
        }
        await("all workers to attach", START_TIMEOUT_NS, () -> workers.stream().allMatch(worker -> worker.isReady));
    }

    private void startWorker(final int index)
    {
        final WorkerSlot worker = workers.get(index);
        final String name = worker.settings.name();
        if (isClosed)
        {
            throw new ClusterException("the replay is closed");
        }
        worker.onStarted(new WorkerLink(index, ManagedProcess.start(
            name,
            hosts.apply(index).run(JavaCommand.of(HEAP_MEGABYTES, worker.settings.toArguments())),
            logDirectory.resolve(name + ".log"),
            true), events));
    }

    /**
     * Runs all requests.
     *
     * @param progress called with the number of requests that have ended, often.
     * @param what     happens to the run, or null.
     * @throws ClusterException if the run cannot go on.
     */
    public void run(final IntConsumer progress, final Disturbance what)
    {
        disturbance = what;
        isRunning = true;
        final long startNs = System.nanoTime();
        long endNs = startNs;
        long lastEventNs = startNs;
        while (!isAllEnded() || !(null == disturbance || disturbance.isDone()))
        {
            dispatch();
            final int endedBefore = ended;
            final boolean isEvent = pollEvent();
            final long nowNs = System.nanoTime();
            lastEventNs = isEvent ? nowNs : lastEventNs;
            endNs = ended > endedBefore ? nowNs : endNs;
            if (nowNs - lastEventNs > STALL_NS)
            {
                throw new ClusterException("no worker said anything for " + NANOSECONDS.toSeconds(STALL_NS) + " s; " +
                    (null == isOver ? trace.requestCount() - ended : "some") + " requests have not ended");
            }
            if (null != disturbance)
            {
                disturbance.step(nowNs, ended, trace.requestCount());
            }
            progress.accept(ended);
        }
        isRunning = false;
        report.seconds((endNs - startNs) / (double) SECONDS.toNanos(1));
    }

    /**
     * Runs the requests of the trace lap after lap, and those that are under way at last to their end.
     *
     * @param isEnough true when no further request is to be handed out, from then on; asked often.
     * @param progress called with the number of requests that have ended, often.
     * @throws ClusterException         if the run cannot go on.
     * @throws IllegalArgumentException if a lap is not for all workers alike, so that a session would change workers.
     */
    public void runLaps(final BooleanSupplier isEnough, final IntConsumer progress)
    {
        if (isSequential || 0 != trace.requestCount() % workers.size())
        {
            throw new IllegalArgumentException("laps are not sequential, and have as many requests for each worker");
        }
        isOver = isEnough;
        run(progress, null);
    }

    private boolean isAllEnded()
    {
        return null == isOver ? ended >= trace.requestCount() :
            isOver.getAsBoolean() && workers.stream().allMatch(worker -> worker.outstanding.isEmpty());
    }

    private boolean hasRequest(final WorkerSlot worker)
    {
        return null == isOver ? worker.nextRequest < trace.requestCount() : !isOver.getAsBoolean();
    }

    private void dispatch()
    {
        if (null != disturbance && disturbance.isHolding())
        {
            return;
        }
        if (isSequential)
        {
            final WorkerSlot worker = workers.get(nextInSequence % workers.size());
            if (nextInSequence == ended && nextInSequence < trace.requestCount() && worker.isReady)
            {
                nextInSequence++;
                handOut(worker);
            }
            return;
        }
        for (final WorkerSlot worker : workers)
        {
            while (worker.isReady && worker.ahead < WINDOW && hasRequest(worker))
            {
                handOut(worker);
            }
        }
    }

    private void handOut(final WorkerSlot worker)
    {
        final int request = worker.nextRequest;
        worker.nextRequest += workers.size();
        worker.nextRequest -= null != isOver && worker.nextRequest >= trace.requestCount() ? trace.requestCount() : 0;
        worker.outstanding.add(request);
        worker.ahead++;
        worker.link.send(WorkerWire.RUN, request);
    }

    private boolean pollEvent()
    {
        try
        {
            WorkerMessage message = events.poll(TICK_MS, MILLISECONDS);
            final boolean isEvent = null != message;
            while (null != message)
            {
                onMessage(message);
                message = events.poll();
            }
            return isEvent;
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted");
        }
    }

    private void onMessage(final WorkerMessage message)
    {
        final WorkerSlot worker = workers.get(message.link().worker());
        if (worker.link != message.link())
        {
            return;
        }
        switch (message.event())
        {
            case WorkerEvent.Ready ignored -> worker.isReady = true;
            case WorkerEvent.Detached detached -> onDetached(worker, detached);
            case WorkerEvent.Next ignored -> worker.ahead--;
            case WorkerEvent.Done done -> onDone(worker, done);
            case WorkerEvent.Quiet ignored -> worker.isQuiet = true;
            case WorkerEvent.Latency latency ->
            {
                report.latencies().addEncoded(latency.operation(), latency.histogram());
                worker.latenciesMissing--;
            }
            case WorkerEvent.Round round -> worker.round = round;
            case WorkerEvent.Ended end -> onEnded(worker, end);
        }
    }

    private void onDetached(final WorkerSlot worker, final WorkerEvent.Detached detached)
    {
        worker.isReady = false;
        worker.failuresInARow++;
        if (null == disturbance || worker.failuresInARow > MAX_FAILURES_IN_A_ROW)
        {
            throw new ClusterException(worker.settings.name() + " lost its owner: " + detached.message());
        }
        worker.link.send(WorkerWire.ATTACH);
    }

    private void onDone(final WorkerSlot worker, final WorkerEvent.Done done)
    {
        if (worker.outstanding.remove(done.request()))
        {
            report.pages().add(done.pages());
            countRequest(worker, done.code());
            if (ErrorCode.OK != done.code() && null == disturbance && 1 == report.failed())
            {
                report.incident("first failed request: " + done.request() + ": " + done.message());
            }
        }
    }

    private void countRequest(final WorkerSlot worker, final int code)
    {
        ended++;
        report.onRequest(code);
        worker.failuresInARow = ErrorCode.OK == code ? 0 : worker.failuresInARow + 1;
        if (worker.failuresInARow > MAX_FAILURES_IN_A_ROW)
        {
            throw new ClusterException(worker.settings.name() + ": " + worker.failuresInARow +
                " requests failed one after the other, the last with " + ErrorCode.name(code));
        }
        if (null != disturbance)
        {
            disturbance.onDone(worker.link.worker(), code);
        }
    }

    private void onEnded(final WorkerSlot worker, final WorkerEvent.Ended end)
    {
        worker.isReady = false;
        if (!isRunning)
        {
            throw new ClusterException(worker.settings.name() + " ended with code " + end.exitCode() + "\n" +
                worker.link.process().logTail());
        }
        final IntHashSet lost = new IntHashSet();
        lost.addAll(worker.outstanding);
        worker.outstanding.clear();
        lost.forEach(request -> countRequest(worker, ErrorCode.TRANSPORT));
        final int index = worker.link.worker();
        if (null == disturbance || !disturbance.onWorkerEnded(index))
        {
            throw new ClusterException(worker.settings.name() + " ended on its own with code " + end.exitCode() +
                "\n" + worker.link.process().logTail());
        }
        startWorker(index);
    }

    /**
     * Waits until every worker's commits have their results and everything is released.
     *
     * @throws ClusterException if one is not in time.
     */
    public void quiesce()
    {
        for (final WorkerSlot worker : workers)
        {
            worker.isQuiet = false;
            worker.link.send(WorkerWire.QUIESCE);
        }
        await("all workers to be quiet", START_TIMEOUT_NS, () -> workers.stream().allMatch(worker -> worker.isQuiet));
    }

    /**
     * Adds the durations that all workers recorded to the report.
     *
     * @throws ClusterException if one does not tell them in time.
     */
    public void collectLatencies()
    {
        for (final WorkerSlot worker : workers)
        {
            worker.latenciesMissing = Operation.values().length;
            worker.link.send(WorkerWire.LATENCIES);
        }
        await("all workers to tell durations", START_TIMEOUT_NS,
            () -> workers.stream().allMatch(worker -> 0 == worker.latenciesMissing));
    }

    /**
     * Lets one worker do a round of wholly local work.
     *
     * @param index      of the worker.
     * @param firstBlock id of the first block; none of them may have been used.
     * @param batches    that are put and read back.
     * @param pages      of a batch.
     * @return what it took.
     * @throws ClusterException if the round fails or is not done in time.
     */
    public WorkerEvent.Round round(final int index, final long firstBlock, final int batches, final int pages)
    {
        final WorkerSlot worker = workers.get(index);
        worker.round = null;
        worker.link.send(WorkerWire.ROUND, firstBlock, batches, pages);
        await("a round to end", STALL_NS, () -> null != worker.round);
        return worker.round;
    }

    /**
     * Process of a worker.
     *
     * @param index of the worker.
     * @return its present process.
     */
    public ManagedProcess process(final int index)
    {
        return workers.get(index).link.process();
    }

    private void await(final String what, final long timeoutNs, final BooleanSupplier isDone)
    {
        final long deadlineNs = System.nanoTime() + timeoutNs;
        while (!isDone.getAsBoolean())
        {
            if (System.nanoTime() - deadlineNs >= 0)
            {
                throw new ClusterException("waited " + NANOSECONDS.toSeconds(timeoutNs) + " s for " + what);
            }
            pollEvent();
        }
    }

    /** Ends all workers. */
    @Override
    public void close()
    {
        isClosed = true;
        final List<WorkerLink> links =
            workers.stream().map(worker -> worker.link).filter(Objects::nonNull).toList();
        links.forEach(link -> link.send(WorkerWire.EXIT));
        links.forEach(WorkerLink::end);
    }
}
