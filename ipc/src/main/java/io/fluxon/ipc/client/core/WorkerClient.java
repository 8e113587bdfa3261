package io.fluxon.ipc.client.core;

import io.fluxon.ipc.ErrorCode;

/**
 * The worker's session with its owner, in poll form: a deterministic core, confined to one thread, that reads no clock
 * but the injected one and never blocks, and allocates nothing in steady state (contract ZERO-1).
 * <p>
 * A call returns at once: 0, and its operation object changes state in a later {@link #poll()}; or an error code,
 * and nothing was changed or sent, the operation object included; {@link #refusal()} then says why (contract API-1).
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
        /** The session has ended; see {@link #errorCode()}. */
        CLOSED
    }

    /** Length for getTransfer: everything that is transferable. */
    public static final int ALL_TRANSFERABLE = -1;

    private final WorkerClientContext ctx;
    private State state = State.CONNECTING;

    /**
     * A client that begins to connect with its first duty cycle.
     *
     * @param ctx settings and boundary.
     */
    public WorkerClient(final WorkerClientContext ctx)
    {
        this.ctx = ctx.conclude();
    }

    /**
     * One duty cycle: messages of the owner, deadlines and repeated requests, keep-alive, releases.
     *
     * @return number of work items done, 0 when there was nothing to do.
     */
    public int poll()
    {
        return 0;
    }

    /**
     * State of the session.
     *
     * @return the state.
     */
    public State state()
    {
        return state;
    }

    /**
     * Why the session is closed.
     *
     * @return 0, or the code of {@link ErrorCode}.
     */
    public int errorCode()
    {
        return ErrorCode.OK;
    }

    /**
     * Which wait ended the session by time.
     *
     * @return the stage, {@link WaitStage#NONE} when it did not end by time.
     */
    public WaitStage stage()
    {
        return WaitStage.NONE;
    }

    /**
     * Why the session is closed, as text.
     *
     * @return the text, empty when it is not closed.
     */
    public String errorMessage()
    {
        return "";
    }

    /**
     * Why the last call was refused at once.
     *
     * @return the text: field, value and what is allowed.
     */
    public String refusal()
    {
        return "";
    }

    /**
     * Generation of the owner this session is with.
     *
     * @return the generation, 0 before the session is ready.
     */
    public long generation()
    {
        return 0;
    }

    /**
     * Id of the session.
     *
     * @return the id, 0 before the session is ready.
     */
    public long sessionId()
    {
        return 0;
    }

    /**
     * Id of the owner.
     *
     * @return the id.
     */
    public int ownerId()
    {
        return 0;
    }

    /**
     * NUMA node of the owner, as it names it.
     *
     * @return the name, empty before the session is ready.
     */
    public String nodeId()
    {
        return "";
    }

    /**
     * Address of the mapped segment in this process.
     *
     * @return the address, 0 before the session is ready.
     */
    public long segmentAddress()
    {
        return 0;
    }

    /**
     * Length of the mapping.
     *
     * @return length in bytes.
     */
    public long segmentLength()
    {
        return 0;
    }

    /**
     * Most keys of one call.
     *
     * @return number of keys, the smaller of the owner's limit and this client's.
     */
    public int maxKeysPerBatch()
    {
        return ctx.maxKeysPerBatch();
    }

    /**
     * Longest key.
     *
     * @return length in bytes.
     */
    public int maxKeyBytes()
    {
        return 0;
    }

    /**
     * Longest value.
     *
     * @return length in bytes.
     */
    public long maxValueBytes()
    {
        return 0;
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
        return ErrorCode.TRANSPORT;
    }

    /**
     * The slots are written: makes the values readable on this owner and starts the global publish. The plan blob ends.
     *
     * @param put in state STARTED.
     * @return 0 or an error code.
     */
    public int putCommit(final PutPlan put)
    {
        return ErrorCode.TRANSPORT;
    }

    /**
     * Gives slots and reservations back. Possible until the commit.
     *
     * @param put in state STARTING or STARTED.
     * @return 0 or an error code.
     */
    public int putAbort(final PutPlan put)
    {
        return ErrorCode.TRANSPORT;
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
        return ErrorCode.TRANSPORT;
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
        return ErrorCode.TRANSPORT;
    }

    /**
     * Ends a read plan; its holders go with the next batch of releases.
     *
     * @param get in state READABLE.
     * @return 0 or an error code.
     */
    public int releaseViews(final GetHandle get)
    {
        return ErrorCode.TRANSPORT;
    }

    /**
     * Gives everything of a handle back.
     *
     * @param get in state STARTING, STARTED or TRANSFERRING.
     * @return 0 or an error code.
     */
    public int cancelGetTransfer(final GetHandle get)
    {
        return ErrorCode.TRANSPORT;
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
        return ErrorCode.TRANSPORT;
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
        return null;
    }

    /** Ends the session: the owner is told, every operation fails with SHUTDOWN. Repeated calls do nothing. */
    @Override
    public void close()
    {
        state = State.CLOSED;
    }
}
