package io.fluxon.cuda.client;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStatus;
import io.fluxon.cuda.CopySegment;
import io.fluxon.cuda.CopySettings;
import io.fluxon.cuda.CopyWorker;
import io.fluxon.cuda.copy.CopyListener;
import io.fluxon.cuda.copy.LayerEvents;
import io.fluxon.cuda.kernel.CommandWriter;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.FluxonClient;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.SegmentUser;
import io.fluxon.ipc.client.core.ClientOperation;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WaitStage;
import org.agrona.concurrent.IdleStrategy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Copies beside a {@link FluxonClient}, thread-safe: {@link #backup} and {@link #restore} move the pages of a plan and
 * then commit or release it, and when that fails abort or release it, so that nothing stays held. The segment is
 * registered when this is opened, before the first plan (contract REG-1). Whoever waits for a copy drives the copies; a
 * background thread does when nobody waits. Closed with its client at the latest: before the segment is unmapped all
 * copies have ended.
 */
public final class CopyClient implements AutoCloseable
{
    /** How long a close waits for copies that are in flight. */
    public static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    private static final int MOST_JOBS = 1024;
    private static final int POLL_LIMIT = 256;
    private static final long REST_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ReentrantLock lock = new ReentrantLock();
    private final FluxonClient client;
    private final CopyWorker worker;
    private final int mostJobs;
    private final long closeTimeoutNs;
    private final SegmentUser user = this::end;
    private final CommandWriter writer = new CommandWriter();
    private final CopyListener listener = new Ends();
    private final List<CopyJob> jobs = new ArrayList<>();
    private final ArrayDeque<CopyJob> free = new ArrayDeque<>();
    private final List<CopyJob> active = new ArrayList<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile int inFlight;
    private volatile boolean isClosing;
    private volatile boolean isClosed;
    private RuntimeException broken;
    private boolean isEventless;
    private boolean isWorkerClosed;

    /**
     * Copies that a worker makes.
     *
     * @param client         whose plans are copied.
     * @param opening        makes the worker for its segment, which is closed with this.
     * @param mostCopies     in flight at once.
     * @param closeTimeoutNs how long a close waits for copies that are in flight.
     */
    CopyClient(
        final FluxonClient client,
        final Supplier<CopyWorker> opening,
        final int mostCopies,
        final long closeTimeoutNs)
    {
        this.client = client;
        this.closeTimeoutNs = closeTimeoutNs;
        mostJobs = Math.min(mostCopies, MOST_JOBS);
        lock.lock();
        try
        {
            client.addSegmentUser(user);
            worker = opening.get();
            Thread.ofPlatform().daemon().name("fluxon-copy-" + client.name()).start(this::progress);
        }
        catch (final RuntimeException ex)
        {
            isWorkerClosed = true;
            client.removeSegmentUser(user);
            throw ex;
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Registers a client's segment, on a device, and begins to take copies.
     *
     * @param client   whose plans are copied; it ends this, too, when it is closed.
     * @param settings of the copies.
     * @param notice   told once, in one line, where copies are made and why.
     * @return the copies.
     * @throws IllegalStateException             when a device is asked for and there is none.
     * @throws io.fluxon.cuda.driver.CudaFailure when the device refuses, above all to register the segment (contract
     *                                           REG-1).
     * @throws FluxonException                   when the client's session has ended, or it is being closed.
     */
    public static CopyClient open(
        final FluxonClient client, final CopySettings settings, final Consumer<String> notice)
    {
        return new CopyClient(
            client,
            () -> CopyWorker.open(CopySegment.of(client.waitLocalSegmentsReady().getFirst()), settings, notice),
            settings.limits().tasks(),
            CLOSE_TIMEOUT_NS);
    }

    /**
     * The client whose plans are copied.
     *
     * @return the client.
     */
    public FluxonClient client()
    {
        return client;
    }

    /**
     * Copies pages to the values of a put plan and commits it; when the copy fails the plan is aborted. From here on
     * the plan is not the caller's any more.
     *
     * @param plan    that was started, not committed; value i is for page i of the list.
     * @param pools   that the pages lie in.
     * @param pages   as many as the plan has values.
     * @param options of the copy.
     * @return the future of the copy and the commit.
     * @throws FluxonException when nothing was begun: the plan is as it was (contract API-1).
     */
    public BackupFuture backup(
        final PutPlan plan, final PagePools pools, final PageList pages, final CopyOptions options)
    {
        final BackupFuture future = new BackupFuture(this, layersOf(pools));
        begin(CopyDirection.BACKUP, plan, 0, pools, pages, options, true, future);
        return future;
    }

    /**
     * Copies the values of a read plan to pages and releases it, also when the copy fails. From here on the plan is not
     * the caller's any more.
     *
     * @param plan    that is readable; value i is for page i of the list.
     * @param pools   that the pages lie in.
     * @param pages   as many as the plan has values.
     * @param options of the copy.
     * @return the future of the copy and the release.
     * @throws FluxonException when nothing was begun: the plan is as it was (contract API-1).
     */
    public CopyFuture restore(
        final GetHandle plan, final PagePools pools, final PageList pages, final CopyOptions options)
    {
        final CopyFuture future = new CopyFuture(this, layersOf(pools));
        begin(CopyDirection.RESTORE, plan, 0, pools, pages, options, true, future);
        return future;
    }

    /**
     * Copies pages to some values of a put plan. The plan stays the caller's, who can neither commit nor abort it
     * before the copy has ended.
     *
     * @param plan    that was started, not committed.
     * @param first   value that is for page 0 of the list.
     * @param pools   that the pages lie in.
     * @param pages   no more than the plan has values from the first on.
     * @param options of the copy.
     * @return the future of the copy.
     * @throws FluxonException when nothing was begun.
     */
    public CopyFuture backupPart(
        final PutPlan plan, final int first, final PagePools pools, final PageList pages, final CopyOptions options)
    {
        final CopyFuture future = new CopyFuture(this, layersOf(pools));
        begin(CopyDirection.BACKUP, plan, first, pools, pages, options, false, future);
        return future;
    }

    /**
     * Copies some values of a read plan to pages. The plan stays the caller's, who cannot release it before the copy
     * has ended.
     *
     * @param plan    that is readable.
     * @param first   value that is for page 0 of the list.
     * @param pools   that the pages lie in.
     * @param pages   no more than the plan has values from the first on.
     * @param options of the copy.
     * @return the future of the copy.
     * @throws FluxonException when nothing was begun.
     */
    public CopyFuture restorePart(
        final GetHandle plan, final int first, final PagePools pools, final PageList pages, final CopyOptions options)
    {
        final CopyFuture future = new CopyFuture(this, layersOf(pools));
        begin(CopyDirection.RESTORE, plan, first, pools, pages, options, false, future);
        return future;
    }

    /**
     * Copies that have not ended, or whose plan is not settled.
     *
     * @return number of copies.
     */
    public int inFlight()
    {
        return inFlight;
    }

    /**
     * Waits for the copies in flight, aborts the puts among them, releases the reads, and takes the registration back;
     * the client stays open. Repeated calls do nothing.
     *
     * @throws FluxonException                   when copies do not end in time: all stays mapped and registered.
     * @throws io.fluxon.cuda.driver.CudaFailure when the device does not take something back. After both, it can be
     *                                           closed again, which repeats what threw.
     */
    @Override
    public void close()
    {
        end();
        client.removeSegmentUser(user);
    }

    /** Drives the copies, unless another thread does. */
    int step()
    {
        if (!lock.tryLock())
        {
            return 0;
        }
        try
        {
            return isClosed ? 0 : work();
        }
        finally
        {
            lock.unlock();
        }
    }

    /** Drives the copies until a condition is true or the time is over; an interrupt is kept for the caller. */
    boolean await(final BooleanSupplier condition, final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        final IdleStrategy idle = client.newIdleStrategy();
        boolean interrupted = false;
        waiting.incrementAndGet();
        try
        {
            while (!condition.getAsBoolean())
            {
                final boolean isLast = System.nanoTime() - startNs >= timeoutNs;
                final int work = step();
                if (isLast)
                {
                    return condition.getAsBoolean();
                }
                idle.idle(work);
                interrupted |= Thread.interrupted();
            }
            return true;
        }
        finally
        {
            waiting.decrementAndGet();
            if (interrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void begin(
        final CopyDirection direction,
        final ClientOperation plan,
        final int first,
        final PagePools pools,
        final PageList pages,
        final CopyOptions options,
        final boolean isWhole,
        final CopyFuture future)
    {
        lock.lock();
        try
        {
            checkOpen();
            PlanCheck.check(client, plan, first, pools, pages, isWhole);
            final CopyJob job = claim();
            boolean isBegun = false;
            try
            {
                client.beginCopy(plan, isWhole);
                isBegun = true;
                job.set(plan, isWhole, options, future);
                job.command(writer, direction, PlanCheck.count(plan), first, pools, pages);
                if (job.isShortOfEvents())
                {
                    job.events(newEvents(job.layers()));
                }
                if (!job.offer(worker.proxy(), direction))
                {
                    throw refusal(ErrorCode.BACK_PRESSURED, "the copy worker has too many copies to make");
                }
            }
            catch (final RuntimeException ex)
            {
                free.addLast(job);
                if (isBegun)
                {
                    client.endCopy(plan, isWhole, () -> {});
                }
                throw ex;
            }
            active.add(job);
            inFlight = active.size();
            work();
        }
        finally
        {
            lock.unlock();
        }
    }

    private void checkOpen()
    {
        if (isClosing)
        {
            throw refusal(ErrorCode.SHUTDOWN, "the copies are closed");
        }
        if (null != broken)
        {
            throw new FluxonException(
                ErrorCode.UNKNOWN, WaitStage.NONE, "the copy worker has failed: " + broken, broken);
        }
    }

    private LayerEvents newEvents(final int layers)
    {
        worker.enter();
        try
        {
            return worker.layerEvents(layers);
        }
        finally
        {
            worker.leave();
        }
    }

    private CopyJob claim()
    {
        if (free.isEmpty())
        {
            if (jobs.size() >= mostJobs)
            {
                throw refusal(ErrorCode.BACK_PRESSURED, mostJobs + " copies are in flight, which is the most allowed");
            }
            jobs.add(new CopyJob(jobs.size()));
            free.addLast(jobs.getLast());
        }
        return free.pollFirst();
    }

    private int work()
    {
        int work = 0;
        try
        {
            work += null == broken ? drive() : 0;
        }
        catch (final RuntimeException ex)
        {
            giveUp(ex);
        }
        for (int i = active.size() - 1; i >= 0; i--)
        {
            work += active.get(i).hasEnded() ? settleAndForget(i) : 0;
        }
        return work;
    }

    private int drive()
    {
        worker.enter();
        try
        {
            int work = worker.agent().doWork() + worker.proxy().poll(listener, POLL_LIMIT);
            for (int i = 0; i < active.size(); i++)
            {
                work += active.get(i).pollLayers(worker.agent(), client);
            }
            return work;
        }
        finally
        {
            worker.leave();
        }
    }

    /** The worker makes no copy any more. Plans are given back when it is closed: nothing touches their pages then. */
    private void giveUp(final RuntimeException reason)
    {
        try
        {
            closeWorker();
        }
        catch (final RuntimeException ex)
        {
            reason.addSuppressed(ex);
        }
        broken = reason;
        for (final CopyJob job : active)
        {
            if (!job.hasEnded())
            {
                job.ended(refusal(ErrorCode.TRANSPORT, "the copy failed: " + reason));
            }
        }
    }

    private void closeWorker()
    {
        if (!isEventless)
        {
            closeEvents();
        }
        worker.close();
        isWorkerClosed = true;
    }

    private void closeEvents()
    {
        worker.enter();
        try
        {
            jobs.forEach(CopyJob::close);
            isEventless = true;
        }
        finally
        {
            worker.leave();
        }
    }

    private int settleAndForget(final int index)
    {
        final CopyJob job = active.get(index);
        final CopyFuture future = job.future();
        if (!settle(job))
        {
            return 0;
        }
        final FluxonException failure = job.failure();
        active.remove(index);
        inFlight = active.size();
        job.clear();
        free.addLast(job);
        future.end(failure);
        return 1;
    }

    /** Ends the plan where that is to be done; false when there is no room for the message now. */
    private boolean settle(final CopyJob job)
    {
        if (null == job.failure() && isClosing && job.isWhole())
        {
            job.ended(refusal(ErrorCode.SHUTDOWN, "the copies were closed while this one was in flight"));
        }
        try
        {
            client.endCopy(job.operation(), job.isWhole(), () -> settlePlan(job));
        }
        catch (final FluxonException ex)
        {
            if (ErrorCode.BACK_PRESSURED == ex.errorCode())
            {
                return false;
            }
            job.ended(null == job.failure() ? ex : job.failure());
        }
        catch (final RuntimeException ex)
        {
            job.ended(null == job.failure() ? refusal(ErrorCode.UNKNOWN, "the plan cannot be ended: " + ex) :
                job.failure());
        }
        return true;
    }

    private void settlePlan(final CopyJob job)
    {
        if (!job.isWhole())
        {
            if (!job.isPlanOf(client))
            {
                throw refusal(ErrorCode.TRANSPORT, "the plan has ended while it was copied");
            }
        }
        else if (job.operation() instanceof final GetHandle read)
        {
            client.releaseViews(read);
        }
        else if (null != job.failure())
        {
            client.startPutAbort((PutPlan)job.operation());
        }
        else
        {
            final long nowNs = System.nanoTime();
            ((BackupFuture)job.future()).committed(client.localFastPutCommit((PutPlan)job.operation()), nowNs);
        }
    }

    private void progress()
    {
        final IdleStrategy idle = client.newIdleStrategy();
        while (!isClosed)
        {
            if (0 == inFlight || waiting.get() > 0)
            {
                LockSupport.parkNanos(REST_NS);
            }
            else
            {
                idle.idle(step());
            }
        }
    }

    private void end()
    {
        beginClosing();
        if (!await(() -> 0 == inFlight, closeTimeoutNs))
        {
            throw refusal(ErrorCode.TRANSPORT, inFlight + " copies did not end within " +
                TimeUnit.NANOSECONDS.toMillis(closeTimeoutNs) + " ms: the segment stays mapped and registered");
        }
        lock.lock();
        try
        {
            if (!isClosed)
            {
                if (!isWorkerClosed)
                {
                    closeWorker();
                }
                isClosed = true;
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    /** From here on no copy begins: one that is beginning is in flight before. */
    private void beginClosing()
    {
        lock.lock();
        isClosing = true;
        lock.unlock();
    }

    private static int layersOf(final PagePools pools)
    {
        int layers = 0;
        for (int i = 0; i < pools.geometry().parts().size(); i++)
        {
            layers = Math.max(layers, pools.geometry().parts().get(i).layers());
        }
        return layers;
    }

    private static FluxonException refusal(final int code, final String text)
    {
        return new FluxonException(code, WaitStage.NONE, text);
    }

    /** Called with the lock held, from {@link #work()}. */
    private final class Ends implements CopyListener
    {
        @Override
        public void onCopied(final long token, final CopyStatus status, final String reason)
        {
            jobs.get((int)token).ended(switch (status)
            {
                case DONE -> null;
                case REFUSED -> refusal(ErrorCode.INVALID_ARGUMENT, "the copy was refused: " + reason);
                default -> refusal(ErrorCode.TRANSPORT, "the copy failed: " + reason);
            });
        }

        @Override
        public void onRecorded(final long token)
        {
            jobs.get((int)token).recorded();
        }
    }
}
