package io.fluxon.ipc.client;

import io.fluxon.codecs.control.InspectResponseDecoder;
import io.fluxon.codecs.control.InspectSubject;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.aeron.IdleStrategies;
import io.fluxon.ipc.client.core.AtomicGroups;
import io.fluxon.ipc.client.core.ClientOperation;
import io.fluxon.ipc.client.core.DeleteCall;
import io.fluxon.ipc.client.core.ExistsCall;
import io.fluxon.ipc.client.core.GetHandle;
import io.fluxon.ipc.client.core.InspectCall;
import io.fluxon.ipc.client.core.KeyBatch;
import io.fluxon.ipc.client.core.PutOptions;
import io.fluxon.ipc.client.core.PutPlan;
import io.fluxon.ipc.client.core.WaitStage;
import io.fluxon.ipc.client.core.WorkerClient;
import io.fluxon.ipc.segment.SegmentException;
import io.fluxon.ipc.segment.SegmentMapping;

import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The worker's client in blocking form, thread-safe. A background thread keeps the session alive and futures moving;
 * every wait is bounded; failures are {@link FluxonException}s (contract section 2, API-8).
 */
public final class FluxonClient implements AutoCloseable
{
    private static final long MIN_PARK_NS = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long MAX_PARK_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long SLACK_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long CLOSE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_SPINS = 10;
    private static final int MAX_YIELDS = 5;

    private final ReentrantLock lock = new ReentrantLock();
    private final ClientContext ctx;
    private final OwnerConnection connection;
    private final WorkerClient worker;
    private final Thread progress;
    private final AtomicInteger waiting = new AtomicInteger();
    private final SegmentUsers users = new SegmentUsers();
    private volatile boolean running = true;

    private FluxonClient(final ClientContext ctx, final OwnerConnection connection)
    {
        this.ctx = ctx;
        this.connection = connection;
        worker = connection.worker();
        progress = Thread.ofPlatform().daemon().name("fluxon-client-" + ctx.clientName()).unstarted(this::progress);
    }

    /**
     * Attaches to an owner of this machine.
     *
     * @param ctx names the owner.
     * @return a client whose session is ready.
     * @throws FluxonException when there is no such directory, the driver does not run, or the owner does not answer in
     *                         time, refuses, or speaks another protocol version.
     */
    public static FluxonClient connect(final ClientContext ctx)
    {
        final FluxonClient client = new FluxonClient(ctx.conclude(), OwnerConnection.open(ctx));
        try
        {
            client.awaitReady();
            client.progress.start();
            return client;
        }
        catch (final RuntimeException ex)
        {
            client.close();
            throw ex;
        }
    }

    /**
     * The owner's memory in this process.
     *
     * @return exactly one segment.
     */
    public List<LocalSegment> waitLocalSegmentsReady()
    {
        lock.lock();
        try
        {
            checkReady();
            final long address = worker.segmentAddress();
            final SegmentMapping mapping = connection.mapping();
            return List.of(new LocalSegment(LocalSegment.EXTERNAL_OWNER, address, address, worker.segmentLength(),
                worker.generation(), worker.nodeId(), mapping.grantsOffset() - mapping.mapOffset(),
                mapping.grantQuantum()));
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Claims one writable slot per key, all or nothing; publishes nothing.
     *
     * @param keys        of the batch, without duplicates.
     * @param valueLength of every value, in bytes.
     * @param options     of the put, null = the defaults.
     * @return the plan, to be committed or aborted.
     */
    public PutPlan localFastPutStart(final KeyBatch keys, final long valueLength, final PutOptions options)
    {
        final PutPlan plan = new PutPlan(Math.max(keys.size(), 1));
        lock.lock();
        try
        {
            check(worker.putStart(plan, keys, valueLength, options));
        }
        finally
        {
            lock.unlock();
        }
        awaitAnswer(plan, ctx.putTimeoutNs());
        return plan;
    }

    /**
     * The slots are written: makes the values readable on this owner and starts the global publish.
     *
     * @param plan from {@link #localFastPutStart}.
     * @return the future of the global commit.
     */
    public PutFuture localFastPutCommit(final PutPlan plan)
    {
        lock.lock();
        try
        {
            check(worker.putCommit(plan));
            return new PutFuture(this, plan);
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Gives slots and reservations back.
     *
     * @param plan from {@link #localFastPutStart}, not committed.
     */
    public void putAbort(final PutPlan plan)
    {
        startPutAbort(plan);
        awaitAnswer(plan, ctx.putTimeoutNs());
    }

    /**
     * Gives slots and reservations back without waiting for the owner's answer, which is seen to all the same.
     *
     * @param plan from {@link #localFastPutStart}, not committed.
     */
    public void startPutAbort(final PutPlan plan)
    {
        lock.lock();
        try
        {
            check(worker.putAbort(plan));
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Finds the restorable prefix and starts to bring it here.
     *
     * @param keys             of the batch.
     * @param prefixBestEffort false = all keys or nothing.
     * @param groups           that are all or nothing, null = one group of all keys.
     * @return the handle with the result, to be transferred or cancelled.
     */
    public GetHandle getStart(final KeyBatch keys, final boolean prefixBestEffort, final AtomicGroups groups)
    {
        final GetHandle get = new GetHandle(Math.max(keys.size(), 1));
        lock.lock();
        try
        {
            check(worker.getStart(get, keys, prefixBestEffort, groups));
        }
        finally
        {
            lock.unlock();
        }
        awaitAnswer(get, ctx.getTimeoutNs());
        return get;
    }

    /**
     * Waits for everything transferable to be readable here; consumes the handle.
     *
     * @param handle from {@link #getStart}.
     * @return the same object as read plan, to be released.
     */
    public GetHandle getTransfer(final GetHandle handle)
    {
        return transfer(handle, WorkerClient.ALL_TRANSFERABLE);
    }

    /**
     * Waits for a prefix to be readable here; consumes the handle, unless the length is not allowed (contract API-5).
     *
     * @param handle           from {@link #getStart}.
     * @param consumePrefixLen number of keys: &gt; 0, at most transferableLen, a group boundary.
     * @return the same object as read plan, to be released.
     */
    public GetHandle getTransfer(final GetHandle handle, final int consumePrefixLen)
    {
        if (consumePrefixLen < 0)
        {
            throw new FluxonException(ErrorCode.INVALID_ARGUMENT, WaitStage.NONE,
                "consumePrefixLen must be positive: " + consumePrefixLen);
        }
        return transfer(handle, consumePrefixLen);
    }

    /**
     * Gives everything of a handle back.
     *
     * @param handle from {@link #getStart}, not transferred.
     */
    public void cancelGetTransfer(final GetHandle handle)
    {
        lock.lock();
        try
        {
            check(worker.cancelGetTransfer(handle));
        }
        finally
        {
            lock.unlock();
        }
        awaitAnswer(handle, ctx.getTimeoutNs());
    }

    /**
     * Ends a read plan; the holders go.
     *
     * @param plan from {@link #getTransfer(GetHandle)}.
     */
    public void releaseViews(final GetHandle plan)
    {
        lock.lock();
        try
        {
            check(worker.releaseViews(plan));
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * The operation whose plan blob lies at an address: a {@link PutPlan} or a {@link GetHandle}.
     *
     * @param planAddress address of the blob.
     * @return the operation, or null when no plan is valid there.
     */
    public ClientOperation planAt(final long planAddress)
    {
        lock.lock();
        try
        {
            return worker.planAt(planAddress);
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Something begins to copy a plan's values by address: until {@link #endCopy} the plan is neither committed,
     * aborted nor released, and its object not used again; who tries it gets INVALID_ARGUMENT.
     *
     * @param plan    whose blob is valid.
     * @param isWhole true when the end of the copy ends the plan: it is then the only copy of it.
     * @throws FluxonException INVALID_ARGUMENT when the plan is not valid, or being copied in a way that excludes this.
     */
    public void beginCopy(final ClientOperation plan, final boolean isWhole)
    {
        whileMapped(() -> check(worker.beginCopy(plan, isWhole)));
    }

    /**
     * The copy has ended: does what is to be done with the plan, before anyone else can.
     *
     * @param plan    of {@link #beginCopy}.
     * @param isWhole as it was said there.
     * @param then    calls of this client that do not wait, such as a commit or a release. When they throw
     *                BACK_PRESSURED the plan is being copied as before, and this can be called again.
     */
    public void endCopy(final ClientOperation plan, final boolean isWhole, final Runnable then)
    {
        lock.lock();
        try
        {
            worker.endCopy(plan);
            then.run();
        }
        catch (final FluxonException ex)
        {
            if (ErrorCode.BACK_PRESSURED == ex.errorCode())
            {
                check(worker.beginCopy(plan, isWhole));
            }
            throw ex;
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Asks which keys exist.
     *
     * @param keys of the batch.
     * @return leading count and flags.
     */
    public ExistsResult exists(final KeyBatch keys)
    {
        final ExistsCall call = new ExistsCall(Math.max(keys.size(), 1));
        lock.lock();
        try
        {
            check(worker.exists(call, keys));
        }
        finally
        {
            lock.unlock();
        }
        awaitAnswer(call, ctx.getTimeoutNs());
        final boolean[] flags = new boolean[call.count()];
        for (int i = 0; i < flags.length; i++)
        {
            flags[i] = call.exists(i);
        }
        return new ExistsResult(call.leadingCount(), flags);
    }

    /**
     * Deletes the values of keys on all owners. A value goes with its atomic group and TP cohort there, as it does when
     * it is evicted (contract EVICT-2).
     *
     * @param keys of the batch.
     * @return a code for each key.
     * @throws FluxonException when it is not known which keys are gone: GET_TIMEOUT with stage MASTER_AWAY or REMOVAL.
     */
    public DeleteResult delete(final KeyBatch keys)
    {
        final DeleteCall call = new DeleteCall(Math.max(keys.size(), 1));
        lock.lock();
        try
        {
            check(worker.delete(call, keys));
        }
        finally
        {
            lock.unlock();
        }
        awaitAnswer(call, ctx.getTimeoutNs());
        final int[] codes = new int[call.count()];
        for (int i = 0; i < codes.length; i++)
        {
            codes[i] = call.code(i);
        }
        return new DeleteResult(codes);
    }

    /**
     * Deletes one value on all owners.
     *
     * @param key of the value.
     * @return 0 when it is gone, or the negative error code of {@link DeleteResult}.
     */
    public int delete(final String key)
    {
        return delete(batchOf(key)).code(0);
    }

    /**
     * Asks what the owner, and the master, have of a key.
     *
     * @param key of the value.
     * @return its slots here, and its route; none when there is none.
     */
    public Inspection inspectKey(final String key)
    {
        return inspect(InspectSubject.KEY, batchOf(key), -1, -1);
    }

    /**
     * Asks what goes with a key's value on the owner (contract EVICT-1).
     *
     * @param key of the value.
     * @return the slots of its cohort.
     * @throws FluxonException KEY_NOT_FOUND when the owner has no committed value of the key.
     */
    public Inspection inspectCohort(final String key)
    {
        return inspect(InspectSubject.COHORT, batchOf(key), -1, -1);
    }

    /**
     * Asks for one slot of the owner.
     *
     * @param grantId   from 0.
     * @param slotIndex from 0.
     * @return the slot, and its grant.
     * @throws FluxonException INVALID_ARGUMENT when there is no such grant or slot, KEY_NOT_FOUND when the slot was
     *                         never used.
     */
    public Inspection inspectSlot(final int grantId, final int slotIndex)
    {
        return inspect(InspectSubject.SLOT, null, grantId, slotIndex);
    }

    /**
     * Asks for a grant of the owner.
     *
     * @param grantId from 0.
     * @return the grant, and its slots that are used.
     * @throws FluxonException INVALID_ARGUMENT when there is no such grant.
     */
    public Inspection inspectGrant(final int grantId)
    {
        return inspect(InspectSubject.GRANT, null, grantId, -1);
    }

    /**
     * Asks whether one key exists.
     *
     * @param key of the value.
     * @return true when it exists.
     */
    public boolean exists(final String key)
    {
        return exists(batchOf(key)).exists(0);
    }

    /**
     * Reads one value into the heap.
     *
     * @param key of the value.
     * @return the bytes, or null when there is no such value.
     */
    public byte[] get(final String key)
    {
        final GetHandle get = getStart(batchOf(key), false, null);
        if (0 == get.transferableLen())
        {
            cancelGetTransfer(get);
            return null;
        }
        getTransfer(get);
        try
        {
            final byte[] value = new byte[Math.toIntExact(get.valueLength(0))];
            whileMapped(() -> new UnsafeBuffer(get.valueAddress(0), value.length).getBytes(0, value));
            return value;
        }
        finally
        {
            releaseViews(get);
        }
    }

    /**
     * Writes one value and waits for its global commit.
     *
     * @param key   of the value.
     * @param value its bytes, at least one.
     * @return 0, or the negative error code of the key's result.
     */
    public int put(final String key, final byte[] value)
    {
        final PutPlan plan = localFastPutStart(batchOf(key), value.length, null);
        whileMapped(() -> new UnsafeBuffer(plan.valueAddress(0), value.length).putBytes(0, value));
        final PutFuture future = localFastPutCommit(plan);
        if (!future.await(ctx.publishTimeoutNs(), TimeUnit.NANOSECONDS))
        {
            throw new FluxonException(ErrorCode.TRANSPORT, WaitStage.PUBLISH,
                "the value is readable on this owner, but the global commit has no result within " +
                    TimeUnit.NANOSECONDS.toMillis(ctx.publishTimeoutNs()) + " ms");
        }
        return future.result(0);
    }

    /**
     * Says that something else reads and writes the segment by address: it is ended before the segment is unmapped.
     *
     * @param user that is told.
     * @throws FluxonException SHUTDOWN when the client is being closed, or is closed.
     */
    public void addSegmentUser(final SegmentUser user)
    {
        users.add(user);
    }

    /**
     * A user touches the segment no more.
     *
     * @param user that was added.
     */
    public void removeSegmentUser(final SegmentUser user)
    {
        users.remove(user);
    }

    /**
     * How those wait who wait for something beside this client: as it does itself.
     *
     * @return a new strategy, for one thread.
     */
    public IdleStrategy newIdleStrategy()
    {
        return null == ctx.idleStrategy() ? idleStrategy() : IdleStrategies.byName(ctx.idleStrategy());
    }

    /**
     * Name of this client, for the threads of those who work for it.
     *
     * @return the name.
     */
    public String name()
    {
        return ctx.clientName();
    }

    /**
     * Ends the session and unmaps the segment: no address of a plan or a view may be used any more. What was added by
     * {@link #addSegmentUser} is ended before; when that throws, the client stays open and can be closed again.
     */
    @Override
    public void close()
    {
        users.end();
        running = false;
        joinProgress();
        try
        {
            closeWorker();
        }
        finally
        {
            lock.lock();
            try
            {
                connection.close();
            }
            finally
            {
                lock.unlock();
            }
        }
    }

    PutPlan.State stateOf(final PutPlan plan)
    {
        lock.lock();
        try
        {
            return plan.state();
        }
        finally
        {
            lock.unlock();
        }
    }

    boolean awaitDone(final PutFuture future, final long timeoutNs)
    {
        return await(future::isDone, timeoutNs);
    }

    boolean awaitLocalReady(final PutFuture future, final long timeoutNs)
    {
        return await(() -> future.isLocalReady() || future.isDone(), timeoutNs);
    }

    /**
     * The owner keeps what this process could still write to until it is told: worth a bounded wait. Nobody else waits
     * for the lock meanwhile.
     */
    private void closeWorker()
    {
        if (tellOwner() || connection.mustTellOverAnother() && tellOverAnother())
        {
            return;
        }
        final long startNs = System.nanoTime();
        final IdleStrategy idle = idleStrategy();
        while (!tellOwner() && System.nanoTime() - startNs < CLOSE_TIMEOUT_NS)
        {
            idle.idle();
        }
    }

    private boolean tellOwner()
    {
        lock.lock();
        try
        {
            worker.close();
            return worker.isReleased();
        }
        finally
        {
            lock.unlock();
        }
    }

    private boolean tellOverAnother()
    {
        final OwnerConnection.Way another = connection.reopen();
        lock.lock();
        try
        {
            connection.tellOver(another);
        }
        finally
        {
            lock.unlock();
        }
        return tellOwner();
    }

    private Inspection inspect(
        final InspectSubject subject, final KeyBatch key, final int grantId, final int slotIndex)
    {
        final InspectCall call = new InspectCall();
        lock.lock();
        try
        {
            check(worker.inspect(call, subject, key, grantId, slotIndex));
        }
        finally
        {
            lock.unlock();
        }
        awaitAnswer(call, ctx.getTimeoutNs());
        return Inspection.of(call.answer(new InspectResponseDecoder()));
    }

    private GetHandle transfer(final GetHandle handle, final int consumePrefixLen)
    {
        lock.lock();
        try
        {
            check(worker.getTransfer(handle, consumePrefixLen));
        }
        finally
        {
            lock.unlock();
        }
        awaitAnswer(handle, ctx.getTimeoutNs());
        return handle;
    }

    /** Another thread may close this client meanwhile, and the segment is unmapped then. */
    private void whileMapped(final Runnable copy)
    {
        lock.lock();
        try
        {
            if (!running)
            {
                throw new FluxonException(ErrorCode.SHUTDOWN, WaitStage.NONE, "the client is closed");
            }
            copy.run();
        }
        finally
        {
            lock.unlock();
        }
    }

    private void awaitReady()
    {
        await(() -> WorkerClient.State.CONNECTING != worker.state(), ctx.connectTimeoutNs() + SLACK_NS);
        checkReady();
    }

    private void awaitAnswer(final ClientOperation operation, final long timeoutNs)
    {
        final boolean isAnswered = await(() -> !isPending(operation), timeoutNs + SLACK_NS);
        lock.lock();
        try
        {
            if (!isAnswered)
            {
                worker.giveUp(operation);
            }
            if (ErrorCode.OK != operation.errorCode())
            {
                throw new FluxonException(operation.errorCode(), operation.stage(), operation.errorMessage());
            }
        }
        finally
        {
            lock.unlock();
        }
    }

    /**
     * Polls until a condition is true or the time is over, and once more then: after a stop of the process what has
     * come meanwhile counts. An interrupt does not end the wait, which is bounded; it is kept for the caller.
     */
    private boolean await(final BooleanSupplier condition, final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        final IdleStrategy idle = newIdleStrategy();
        boolean interrupted = false;
        waiting.incrementAndGet();
        try
        {
            while (!condition.getAsBoolean())
            {
                final boolean isLast = System.nanoTime() - startNs >= timeoutNs;
                final int work = pollOnce();
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

    private boolean isPending(final ClientOperation operation)
    {
        lock.lock();
        try
        {
            return operation.isPending();
        }
        finally
        {
            lock.unlock();
        }
    }

    private int pollOnce()
    {
        lock.lock();
        try
        {
            return worker.poll();
        }
        catch (final RuntimeException ex)
        {
            if (connection.isLost())
            {
                worker.loseChannel("the connection to the owner's media driver is lost: " + ex);
            }
            else
            {
                worker.fail(ErrorCode.TRANSPORT, "the client failed: " + ex);
            }
            return 0;
        }
        finally
        {
            lock.unlock();
        }
    }

    private void check(final int code)
    {
        if (ErrorCode.OK != code)
        {
            throw new FluxonException(code, WaitStage.NONE, worker.refusal());
        }
    }

    private void checkReady()
    {
        // a session that is being resumed takes calls
        if (WorkerClient.State.READY != worker.state() && WorkerClient.State.RESUMING != worker.state())
        {
            final SegmentException failure = connection.mappingFailure();
            throw new FluxonException(ErrorCode.OK == worker.errorCode() ? ErrorCode.TRANSPORT : worker.errorCode(),
                worker.stage(), null == failure ? worker.errorMessage() : failure.getMessage(), failure);
        }
    }

    /** Does not contend for the lock with who waits, and polls. */
    private void progress()
    {
        final IdleStrategy idle = idleStrategy();
        while (running)
        {
            final int work = 0 == waiting.get() ? pollOnce() : 0;
            reopen();
            idle.idle(work);
        }
    }

    /** Opens another way to the owner when that is needed; nobody waits for the lock meanwhile. */
    private void reopen()
    {
        lock.lock();
        try
        {
            if (!connection.mustReopen(System.nanoTime()))
            {
                return;
            }
        }
        finally
        {
            lock.unlock();
        }
        final OwnerConnection.Way way = connection.reopen();
        final OwnerConnection.Way unused;
        lock.lock();
        try
        {
            unused = connection.take(way, System.nanoTime());
        }
        finally
        {
            lock.unlock();
        }
        if (null != unused)
        {
            unused.close(true);
        }
    }

    private void joinProgress()
    {
        boolean interrupted = false;
        while (progress.isAlive() && Thread.currentThread() != progress)
        {
            try
            {
                progress.join();
            }
            catch (final InterruptedException ex)
            {
                interrupted = true;
            }
        }
        if (interrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    private static KeyBatch batchOf(final String key)
    {
        final byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
        return new KeyBatch(1, Math.max(utf8.length, 1)).addUtf8(utf8, 0, utf8.length);
    }

    private static IdleStrategy idleStrategy()
    {
        return new BackoffIdleStrategy(MAX_SPINS, MAX_YIELDS, MIN_PARK_NS, MAX_PARK_NS);
    }
}
