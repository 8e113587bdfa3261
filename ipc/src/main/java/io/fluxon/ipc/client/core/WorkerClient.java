package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.InspectSubject;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageAssembler;
import io.fluxon.ipc.channel.MessageSource;

/**
 * The worker's session with its owner, in poll form: a deterministic core, confined to one thread, that reads no clock
 * but the injected one and never blocks, and allocates nothing in steady state (contract ZERO-1).
 * <p>
 * A call returns at once: 0, and its operation object changes state in a later {@link #poll()}; or an error code,
 * and nothing was changed or sent, the operation object included; {@link #refusal()} then says why (contract API-1).
 * Two codes end the handle of a {@link #getTransfer} all the same: KEY_NOT_FOUND, nothing can be had, and
 * STALE_GET_PLAN, it was not consumed in time.
 */
public final class WorkerClient implements AutoCloseable
{
    /** State of the session. */
    public enum State
    {
        /** The owner was asked and has not answered. */
        CONNECTING,
        /** Calls can be made. */
        READY,
        /**
         * The owner does not hear this client, and the session is being resumed. Calls can be made; they wait for that.
         */
        RESUMING,
        /** The session has ended; see {@link #errorCode()}. */
        CLOSED
    }

    /** Length for getTransfer: everything that is transferable. */
    public static final int ALL_TRANSFERABLE = -1;

    private static final int FLUSH_LIMIT = 64;

    private final WorkerClientContext ctx;
    private final ClientSession session;
    private final Connecting connecting;
    private final PutOperations puts;
    private final GetOperations gets;
    private final ExistsOperations existsCalls;
    private final DeleteOperations deletes;
    private final InspectOperations inspections;
    private final AnswerAdapter adapter;
    private final MessageAssembler assembler;
    private long lastKeepAliveNs;
    private long lastPollNs;
    private long silenceNs;

    /**
     * A client that begins to connect with its first duty cycle.
     *
     * @param ctx settings and boundary.
     */
    public WorkerClient(final WorkerClientContext ctx)
    {
        this.ctx = ctx.conclude();
        session = new ClientSession(this, ctx);
        connecting = new Connecting(session);
        puts = new PutOperations(session);
        gets = new GetOperations(session);
        existsCalls = new ExistsOperations(session);
        deletes = new DeleteOperations(session);
        inspections = new InspectOperations(session);
        adapter = new AnswerAdapter(session, connecting, puts, gets, existsCalls, deletes, inspections);
        assembler = new MessageAssembler(ctx.maxMessageBytes(), adapter);
        lastPollNs = ctx.nanoClock().nanoTime();
        session.nowNs = lastPollNs;
    }

    /**
     * One duty cycle: messages of the owner, deadlines and repeated requests, keep-alive, releases.
     *
     * @return number of work items done, 0 when there was nothing to do.
     */
    public int poll()
    {
        if (State.CLOSED == session.state)
        {
            return 0;
        }
        final long nowNs = ctx.nanoClock().nanoTime();
        final boolean wasReady = State.READY == session.state;
        session.nowNs = nowNs;
        final int messages = session.responses.poll(assembler, ctx.pollLimit());
        int work = messages;
        if (State.CONNECTING == session.state)
        {
            work += connecting.step();
        }
        else if (State.READY == session.state)
        {
            if (!wasReady)
            {
                lastKeepAliveNs = nowNs;
                silenceNs = 0;
            }
            work += keepSession(nowNs);
            // answers that have come are taken before a wait ends by time
            work += messages < ctx.pollLimit() ? onDeadlines(nowNs) : 0;
        }
        else if (State.RESUMING == session.state)
        {
            work += session.resuming.step(Math.min(nowNs - lastPollNs, session.keepAliveIntervalNs));
            work += messages < ctx.pollLimit() ? onDeadlines(nowNs) : 0;
        }
        lastPollNs = nowNs;
        return work + flush();
    }

    /**
     * State of the session.
     *
     * @return the state.
     */
    public State state()
    {
        return session.state;
    }

    /**
     * Why the session is closed.
     *
     * @return 0, or the code of {@link ErrorCode}.
     */
    public int errorCode()
    {
        return session.errorCode;
    }

    /**
     * Which wait ended the session by time.
     *
     * @return the stage, {@link WaitStage#NONE} when it did not end by time.
     */
    public WaitStage stage()
    {
        return session.errorStage;
    }

    /**
     * Why the session is closed, as text.
     *
     * @return the text, empty when it is not closed.
     */
    public String errorMessage()
    {
        return session.errorMessage;
    }

    /**
     * Why the last call was refused at once.
     *
     * @return the text: field, value and what is allowed.
     */
    public String refusal()
    {
        return session.refusal;
    }

    /**
     * Generation of the owner this session is with.
     *
     * @return the generation, 0 before the session is ready.
     */
    public long generation()
    {
        return session.generation;
    }

    /**
     * Id of the session.
     *
     * @return the id, 0 before the session is ready.
     */
    public long sessionId()
    {
        return session.sessionId;
    }

    /**
     * Id of the owner.
     *
     * @return the id.
     */
    public int ownerId()
    {
        return session.ownerId;
    }

    /**
     * NUMA node of the owner, as it names it.
     *
     * @return the name, empty before the session is ready.
     */
    public String nodeId()
    {
        return session.nodeId;
    }

    /**
     * Address of the mapped segment in this process.
     *
     * @return the address, 0 before the session is ready.
     */
    public long segmentAddress()
    {
        return session.segmentAddress;
    }

    /**
     * Length of the mapping.
     *
     * @return length in bytes.
     */
    public long segmentLength()
    {
        return session.mappedLength;
    }

    /**
     * Most keys of one call.
     *
     * @return number of keys, the smaller of the owner's limit and this client's.
     */
    public int maxKeysPerBatch()
    {
        return session.maxKeysPerBatch;
    }

    /**
     * Longest key.
     *
     * @return length in bytes.
     */
    public int maxKeyBytes()
    {
        return session.maxKeyBytes;
    }

    /**
     * Longest value.
     *
     * @return length in bytes.
     */
    public long maxValueBytes()
    {
        return session.maxValueBytes;
    }

    /**
     * Claims one writable slot per key, all or nothing; publishes nothing.
     *
     * @param put         object to use, must be reusable.
     * @param keys        of the batch, without duplicates.
     * @param valueLength of every value, in bytes.
     * @param options     of the put, null = the defaults.
     * @return 0 or an error code.
     */
    public int putStart(final PutPlan put, final KeyBatch keys, final long valueLength, final PutOptions options)
    {
        return putStart(put, keys, valueLength, options, ctx.putTimeoutNs());
    }

    /**
     * Claims one writable slot per key, all or nothing; publishes nothing.
     *
     * @param put         object to use, must be reusable.
     * @param keys        of the batch, without duplicates.
     * @param valueLength of every value, in bytes.
     * @param options     of the put, null = the defaults.
     * @param timeoutNs   longest wait.
     * @return 0 or an error code.
     */
    public int putStart(
        final PutPlan put,
        final KeyBatch keys,
        final long valueLength,
        final PutOptions options,
        final long timeoutNs)
    {
        return puts.start(put, keys, valueLength, options, timeoutNs);
    }

    /**
     * The slots are written: makes the values readable on this owner and starts the global publish. The plan blob ends.
     *
     * @param put in state STARTED.
     * @return 0 or an error code.
     */
    public int putCommit(final PutPlan put)
    {
        return puts.commit(put);
    }

    /**
     * Gives slots and reservations back. Possible until the commit.
     *
     * @param put in state STARTING or STARTED.
     * @return 0 or an error code.
     */
    public int putAbort(final PutPlan put)
    {
        return puts.abort(put);
    }

    /**
     * Finds the restorable prefix and starts to bring it here.
     *
     * @param get              object to use, must be reusable.
     * @param keys             of the batch.
     * @param prefixBestEffort false = all keys or nothing.
     * @param groups           that are all or nothing, null = one group of all keys.
     * @return 0 or an error code.
     */
    public int getStart(
        final GetHandle get, final KeyBatch keys, final boolean prefixBestEffort, final AtomicGroups groups)
    {
        return getStart(get, keys, prefixBestEffort, groups, ctx.getTimeoutNs());
    }

    /**
     * Finds the restorable prefix and starts to bring it here.
     *
     * @param get              object to use, must be reusable.
     * @param keys             of the batch.
     * @param prefixBestEffort false = all keys or nothing.
     * @param groups           that are all or nothing, null = one group of all keys.
     * @param timeoutNs        longest wait.
     * @return 0 or an error code.
     */
    public int getStart(
        final GetHandle get,
        final KeyBatch keys,
        final boolean prefixBestEffort,
        final AtomicGroups groups,
        final long timeoutNs)
    {
        return gets.start(get, keys, prefixBestEffort, groups, timeoutNs);
    }

    /**
     * Waits for the chosen prefix to be readable here, and consumes the handle; a wholly local one is readable at once.
     *
     * @param get              in state STARTED.
     * @param consumePrefixLen number of keys: &gt; 0, at most transferableLen, a group boundary; -1 = transferableLen.
     * @return 0 or an error code; after INVALID_ARGUMENT the handle stays as it was (contract API-5).
     */
    public int getTransfer(final GetHandle get, final int consumePrefixLen)
    {
        return getTransfer(get, consumePrefixLen, ctx.getTimeoutNs());
    }

    /**
     * Waits for the chosen prefix to be readable here, and consumes the handle; a wholly local one is readable at once.
     *
     * @param get              in state STARTED.
     * @param consumePrefixLen number of keys: &gt; 0, at most transferableLen, a group boundary; -1 = transferableLen.
     * @param timeoutNs        longest wait.
     * @return 0 or an error code; after INVALID_ARGUMENT the handle stays as it was (contract API-5).
     */
    public int getTransfer(final GetHandle get, final int consumePrefixLen, final long timeoutNs)
    {
        return gets.transfer(get, consumePrefixLen, timeoutNs);
    }

    /**
     * Ends a read plan; its holders go with the next batch of releases.
     *
     * @param get in state READABLE.
     * @return 0 or an error code.
     */
    public int releaseViews(final GetHandle get)
    {
        return gets.releaseViews(get);
    }

    /**
     * Gives everything of a handle back.
     *
     * @param get in state STARTING, STARTED or TRANSFERRING.
     * @return 0 or an error code.
     */
    public int cancelGetTransfer(final GetHandle get)
    {
        return gets.cancel(get);
    }

    /**
     * Asks which keys exist.
     *
     * @param call object to use, must be reusable.
     * @param keys of the batch.
     * @return 0 or an error code.
     */
    public int exists(final ExistsCall call, final KeyBatch keys)
    {
        return exists(call, keys, ctx.getTimeoutNs());
    }

    /**
     * Asks which keys exist.
     *
     * @param call      object to use, must be reusable.
     * @param keys      of the batch.
     * @param timeoutNs longest wait.
     * @return 0 or an error code.
     */
    public int exists(final ExistsCall call, final KeyBatch keys, final long timeoutNs)
    {
        return existsCalls.start(call, keys, timeoutNs);
    }

    /**
     * Has the values of keys deleted, on all owners.
     *
     * @param call object to use, must be reusable.
     * @param keys of the batch.
     * @return 0 or an error code.
     */
    public int delete(final DeleteCall call, final KeyBatch keys)
    {
        return delete(call, keys, ctx.getTimeoutNs());
    }

    /**
     * Has the values of keys deleted, on all owners.
     *
     * @param call      object to use, must be reusable.
     * @param keys      of the batch.
     * @param timeoutNs longest wait; when it is over it is not known which keys are gone.
     * @return 0 or an error code.
     */
    public int delete(final DeleteCall call, final KeyBatch keys, final long timeoutNs)
    {
        return deletes.start(call, keys, timeoutNs);
    }

    /**
     * Asks what the owner has of a key, slot, grant or cohort.
     *
     * @param call      object to use, must be reusable.
     * @param subject   what is asked about.
     * @param key       one, of KEY and COHORT; else null.
     * @param grantId   of GRANT and SLOT, else -1.
     * @param slotIndex of SLOT, else -1.
     * @return 0 or an error code.
     */
    public int inspect(
        final InspectCall call,
        final InspectSubject subject,
        final KeyBatch key,
        final int grantId,
        final int slotIndex)
    {
        return inspections.start(call, subject, key, grantId, slotIndex, ctx.getTimeoutNs());
    }

    /**
     * Ends the wait of an operation now, as if its time were over: for hosts that wait by a clock of their own. Its
     * late answer is given back when it comes. Nothing happens when the operation waits for nothing.
     *
     * @param operation of this client.
     */
    public void giveUp(final ClientOperation operation)
    {
        final boolean isOpen = State.READY == session.state || State.RESUMING == session.state;
        if (isOpen && operation.client == this && operation.isPending() && operation.pending.hasDeadline)
        {
            session.nowNs = ctx.nanoClock().nanoTime();
            session.deadlines.cancel(operation.pending);
            onTimeout(operation.pending);
        }
    }

    /**
     * The operation whose plan blob lies at an address: a {@link PutPlan} in state STARTED, or a {@link GetHandle} in
     * state READABLE.
     *
     * @param planAddress address of the blob.
     * @return the operation, or null when no plan is valid there.
     */
    public ClientOperation planAt(final long planAddress)
    {
        return session.planAt(planAddress);
    }

    /**
     * A copy of a plan's values begins: until it ends the plan is neither committed, aborted nor released, and its
     * object not used again.
     *
     * @param plan    whose blob is valid.
     * @param isWhole true when the end of the copy ends the plan: it is then the only copy of it.
     * @return 0 or an error code.
     */
    public int beginCopy(final ClientOperation plan, final boolean isWhole)
    {
        return session.beginCopy(plan, isWhole);
    }

    /**
     * A copy of a plan's values has ended, whatever has become of the plan meanwhile.
     *
     * @param plan of a copy that was begun.
     */
    public void endCopy(final ClientOperation plan)
    {
        session.endCopy(plan);
    }

    /**
     * Requests without an answer: those that calls wait for, commits without a global result, and those whose call gave
     * up and whose answer is awaited to give back what it brings.
     *
     * @return number of requests.
     */
    public int outstanding()
    {
        return session.requests.size() - session.requests.releases();
    }

    /**
     * Operations that are not reusable.
     *
     * @return number of operation objects.
     */
    public int liveOperations()
    {
        return session.liveOperations();
    }

    /**
     * Plan blobs in use in this session's range of the arena.
     *
     * @return number of blobs.
     */
    public int planBlobs()
    {
        return session.planBlobs();
    }

    /**
     * Holdings that wait for the next batch of releases.
     *
     * @return number of holdings.
     */
    public int unsentReleases()
    {
        return session.releases.size();
    }

    /**
     * Batches of releases that were sent and are repeated until the owner acknowledges them.
     *
     * @return number of batches.
     */
    public int unacknowledgedReleases()
    {
        return session.requests.releases();
    }

    /**
     * Messages of the owner that were not acted on: malformed, of another session or generation, or of a request that
     * has its answer.
     *
     * @return number of messages.
     */
    public long ignoredMessages()
    {
        return session.ignoredMessages + adapter.malformed();
    }

    /**
     * Answers whose content was refused: slots or values outside the segment, results that do not fit their batch.
     *
     * @return number of answers.
     */
    public long protocolErrors()
    {
        return session.protocolErrors;
    }

    /**
     * Answers that came after their call gave up; what they brought was given back (contract GET-3).
     *
     * @return number of answers.
     */
    public long lateAnswers()
    {
        return session.lateAnswers;
    }

    /**
     * Handles that ended by time (contract GET-3).
     *
     * @return number of handles.
     */
    public long expiredHandles()
    {
        return session.expiredHandles;
    }

    /**
     * Ends the session: every operation fails with SHUTDOWN, and the owner is told that this process touches nothing of
     * the session any more, also when the session had ended before: the owner may keep what this process could still
     * have written to (contract SLOT-7). Call it again, for a bounded time, while {@link #isReleased()} is false: the
     * channel is full or not connected; one that is closed must be replaced before, by {@link #tellOver}.
     */
    @Override
    public void close()
    {
        if (State.CLOSED != session.state)
        {
            session.close(ErrorCode.SHUTDOWN, WaitStage.NONE, "the client was closed");
        }
        session.release();
    }

    /**
     * Hands over another way to the owner, to tell it of the end of the session: the old one is closed.
     *
     * @param requests to the owner.
     */
    public void tellOver(final ControlChannel requests)
    {
        session.channels(requests, session.responses, session.responseStreamId);
    }

    /**
     * After {@link #close()}: was the owner told, if it has a session at all? The channel is closed then.
     *
     * @return true when nothing is left to do.
     */
    public boolean isReleased()
    {
        return State.CLOSED == session.state && !session.isCloseOwed();
    }

    /**
     * The host found its side of the boundary broken: ends the session, every operation fails. Nothing happens when it
     * has ended.
     *
     * @param code   of {@link ErrorCode}.
     * @param reason text for people.
     */
    public void fail(final int code, final String reason)
    {
        if (State.CLOSED != session.state)
        {
            session.close(code, WaitStage.NONE, reason);
        }
    }

    /**
     * A connection of the message source has ended: an incomplete message of it is forgotten.
     *
     * @param connectionId that will not be seen again.
     */
    public void onConnectionClosed(final long connectionId)
    {
        assembler.forget(connectionId);
    }

    /**
     * The way to the owner is broken: the session is to be resumed when the host hands over another (contract API-10).
     * Nothing happens when it is being resumed or has ended; one that is not ready yet ends.
     *
     * @param reason text for people.
     */
    public void loseChannel(final String reason)
    {
        if (State.READY == session.state)
        {
            session.suspend(reason);
        }
        else if (State.CONNECTING == session.state)
        {
            session.close(ErrorCode.TRANSPORT, WaitStage.NONE, reason);
        }
    }

    /**
     * Resumes the session over another way to the owner (contract API-10). The old channel is closed.
     *
     * @param requests         to the owner.
     * @param responses        of the owner.
     * @param responseStreamId of the responses.
     * @return false when the session has ended, or is not ready yet.
     */
    public boolean resume(
        final ControlChannel requests, final MessageSource responses, final int responseStreamId)
    {
        loseChannel("the host took another way to the owner");
        if (State.RESUMING != session.state)
        {
            return false;
        }
        session.channels(requests, responses, responseStreamId);
        session.resuming.restart();
        return true;
    }

    private int keepSession(final long nowNs)
    {
        // own running time: a poll after a long stop counts as one step (contract LIFE-2)
        silenceNs = adapter.takeHeard() ?
            0 : silenceNs + Math.min(nowNs - lastPollNs, session.keepAliveIntervalNs);
        if (silenceNs >= session.sessionTimeoutNs)
        {
            session.suspend("the owner has been silent for its session timeout");
            return 1;
        }
        session.marks.advance();
        final boolean isDue = nowNs - lastKeepAliveNs >= session.keepAliveIntervalNs || session.marks.isTelling();
        if (isDue && !session.outbound.isBackPressured())
        {
            session.marks.tell();
            final int length = session.encoder.keepAlive(session.scratch, session.requests.nextId(), session.marks);
            session.outbound.send(session.scratch, 0, length);
            lastKeepAliveNs = nowNs;
            return 1;
        }
        return 0;
    }

    private int onDeadlines(final long nowNs)
    {
        int work = 0;
        Timed due = session.deadlines.pollDue(nowNs);
        while (null != due)
        {
            if (due instanceof final PendingRequest request)
            {
                onDue(request, nowNs);
            }
            else
            {
                gets.onExpired((GetHandle)due);
            }
            work++;
            due = session.deadlines.pollDue(nowNs);
        }
        return work;
    }

    private void onDue(final PendingRequest request, final long nowNs)
    {
        if (!request.hasDeadline || request.deadlineNs - nowNs > 0)
        {
            session.repeat(request);
            return;
        }
        onTimeout(request);
    }

    private void onTimeout(final PendingRequest request)
    {
        final ClientOperation operation = request.operation;
        if (operation instanceof final ExistsCall call)
        {
            session.answered(request);
            existsCalls.onTimeout(call);
            return;
        }
        if (operation instanceof final DeleteCall call)
        {
            session.answered(request);
            deletes.onTimeout(call);
            return;
        }
        if (operation instanceof final InspectCall call)
        {
            session.answered(request);
            inspections.onTimeout(call);
            return;
        }
        session.requests.abandon(request);
        if (operation instanceof final PutPlan put)
        {
            puts.onTimeout(request.kind, put);
        }
        else
        {
            gets.onTimeout(request.kind, (GetHandle)operation);
        }
        session.repeat(request);
    }

    private int flush()
    {
        if (State.CLOSED == session.state)
        {
            return 0;
        }
        int work = State.READY == session.state ? session.sendReleases() : 0;
        work += session.outbound.flush(FLUSH_LIMIT);
        if (State.RESUMING == session.state)
        {
            return work;
        }
        if (session.outbound.isClosed())
        {
            loseChannel("the channel to the owner is closed");
        }
        return work;
    }
}
