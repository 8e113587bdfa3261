package io.fluxon.engine.owner;

import io.fluxon.codecs.control.DeleteRequestDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.RouteDeleteRequestEncoder;
import io.fluxon.codecs.control.RouteDeleteResponseDecoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.engine.protocol.KeyWalk;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.engine.protocol.OperationIds;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Has the values of keys deleted by the master, at all owners (contract EVICT-2), under one operation id until it
 * answers or the caller's time is over. A key whose put is running here is being written, and the master is not asked
 * about it.
 * <p>
 * When the time is over it is not known which keys are gone, and they may still go: GET_TIMEOUT, with the stage that
 * says whether the master was away. Pooled.
 */
final class DeleteJob extends Job implements OperationListener
{
    /**
     * Life of a delete.
     */
    enum State
    {
        /** In the pool. */
        FREE,
        /** Its keys are looked up here. */
        LOCAL,
        /** The rest is encoded for the master. */
        ENCODING,
        /** Waits for the master. */
        ASKED,
        /** Tells the worker. */
        ANSWERING
    }

    private static final int INITIAL_CAPACITY = 64;
    /** Result of a key that the master is to be asked about. */
    private static final int TO_ASK = Integer.MIN_VALUE;

    private final OwnerCore core;
    private final MasterOperation operation;
    private final ExpandableArrayBuffer message = new ExpandableArrayBuffer(512);
    private final DeleteRequestDecoder decoder = new DeleteRequestDecoder();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final RouteDeleteRequestEncoder request = new RouteDeleteRequestEncoder();
    private final RouteDeleteResponseDecoder response = new RouteDeleteResponseDecoder();
    private final KeyWalk keys = new KeyWalk();
    private RouteDeleteRequestEncoder.KeysEncoder askedKeys;
    private int[] codes = new int[INITIAL_CAPACITY];
    private State state = State.FREE;
    private WorkerSession session;
    private Stage stage;
    private long requestId;
    private long deadlineNs;
    private int status;
    private int cursor;
    private int toAsk;

    DeleteJob(final OwnerCore core)
    {
        this.core = core;
        operation = new MasterOperation(core.master);
        operation.listener = this;
        operation.sent = OwnerCounter.ROUTE_DELETES;
        operation.hasWatermark = true;
    }

    void start(
        final WorkerSession ofSession, final long ofRequestId, final long timeoutNs, final DirectBuffer source)
    {
        session = ofSession;
        requestId = ofRequestId;
        deadlineNs = core.nowNs() + (timeoutNs > 0 ? timeoutNs : core.settings.getTimeoutNs());
        message.putBytes(0, source, 0, source.capacity());
        decoder.wrap(
            message,
            MasterOperation.BLOCK_OFFSET,
            DeleteRequestDecoder.BLOCK_LENGTH,
            DeleteRequestDecoder.SCHEMA_VERSION);
        keys.wrap(message, decoder.limit());
        if (codes.length < keys.count())
        {
            codes = new int[keys.count()];
        }
        toAsk = 0;
        status = ErrorCode.OK;
        stage = Stage.NONE;
        state(State.LOCAL);
    }

    /** {@inheritDoc} */
    @Override
    boolean step(final long nowNs)
    {
        boolean isRunnable;
        State before;
        do
        {
            before = state;
            isRunnable = switch (state)
            {
                case LOCAL -> lookUp();
                case ENCODING -> encode();
                case ANSWERING -> answer();
                case FREE, ASKED -> false;
            };
        }
        while (isRunnable && before != state && keys.count() <= core.settings.planSliceKeys());

        return isRunnable;
    }

    /** {@inheritDoc} */
    @Override
    public void onAnswer(final MasterOperation answered, final int templateId, final DirectBuffer source)
    {
        if (RouteDeleteResponseDecoder.TEMPLATE_ID == templateId)
        {
            final RouteDeleteResponseDecoder.ResultsDecoder results = response.wrap(
                source,
                MasterOperation.BLOCK_OFFSET,
                RouteDeleteResponseDecoder.BLOCK_LENGTH,
                RouteDeleteResponseDecoder.SCHEMA_VERSION).results();
            if (results.count() != toAsk)
            {
                core.counters.increment(OwnerCounter.MESSAGES_MALFORMED);
                return;
            }

            for (int i = 0, count = keys.count(); i < count; i++)
            {
                codes[i] = TO_ASK == codes[i] ? results.next().code() : codes[i];
            }
        }
        else
        {
            status = core.master.ackStatus(templateId, source);
            if (status <= ErrorCode.OK)
            {
                status = ErrorCode.OK;
                return;
            }
        }

        core.master.close(operation);
        state(State.ANSWERING);
        core.resume(this);
    }

    /** {@inheritDoc} */
    @Override
    public void onGivenUp(final MasterOperation givenUp)
    {
        core.master.complete(givenUp.operationId);
        status = ErrorCode.GET_TIMEOUT;
        stage = core.master.isAvailable() ? Stage.REMOVAL : Stage.MASTER_AWAY;
        state(State.ANSWERING);
        core.resume(this);
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        core.master.close(operation);
        refuse(ErrorCode.UNKNOWN, "internal error");
    }

    private boolean lookUp()
    {
        if (keys.count() < 1 || keys.count() > core.settings.maxKeysPerBatch())
        {
            return refuse(ErrorCode.INVALID_ARGUMENT,
                "keys: " + keys.count() + " is not within 1 to " + core.settings.maxKeysPerBatch());
        }

        final int from = cursor;
        final int to = keys.walk(core.settings.planSliceKeys());
        core.budget.charge(to - from);
        for (int i = from; i < to; i++)
        {
            if (!keys.isKeyValid(i))
            {
                return refuse(ErrorCode.INVALID_ARGUMENT,
                    "key " + i + " is not 1 to " + Limits.MAX_KEY_BYTES + " bytes of UTF-8");
            }
            codes[i] = isBeingWritten(i) ? -ErrorCode.KEY_BEING_WRITTEN : TO_ASK;
            toAsk += TO_ASK == codes[i] ? 1 : 0;
        }
        cursor = to;

        return !keys.isDone() || state(toAsk > 0 ? State.ENCODING : State.ANSWERING);
    }

    private boolean isBeingWritten(final int index)
    {
        final int offset = keys.keyOffset(index);
        final int length = keys.keyLength(index);
        core.digest.compute(keys.buffer(), offset, length);
        final long low = core.digest.low();
        final long high = core.digest.high();

        return LocalValues.NONE != core.values.findPending(low, high, keys.buffer(), offset, length) ||
            core.inflightPuts.contains(low, high, keys.buffer(), offset, length);
    }

    private boolean encode()
    {
        if (0 == cursor)
        {
            if (OperationIds.NONE == core.master.open(operation))
            {
                status = ErrorCode.BACK_PRESSURED;
                return state(State.ANSWERING);
            }

            askedKeys = request.wrapAndApplyHeader(operation.buffer, 0, header)
                .generation(core.context.generation())
                .correlationId(operation.operationId)
                .keysCount(toAsk);
        }

        final int end = core.sliceEnd(cursor, keys.count());
        for (int i = cursor; i < end; i++)
        {
            if (TO_ASK == codes[i])
            {
                askedKeys.next().putKey(keys.buffer(), keys.keyOffset(i), keys.keyLength(i));
            }
        }
        cursor = end;
        if (end < keys.count())
        {
            return true;
        }

        operation.length = MessageHeaderEncoder.ENCODED_LENGTH + request.encodedLength();
        state(State.ASKED);
        core.master.send(operation, deadlineNs);

        return false;
    }

    private boolean answer()
    {
        final RequestLog.Entry entry = session.requests.entryOf(requestId);
        if (null != entry)
        {
            entry.status = status;
            entry.stage = stage.value();
            entry.results(codes, ErrorCode.OK == status ? keys.count() : 0);
            for (int i = 0; i < entry.resultCount; i++)
            {
                core.counters.error(codes[i]);
            }
            if (session.isReachable())
            {
                core.gets.answerDelete(session, entry);
            }
        }

        return done();
    }

    private boolean refuse(final int errorCode, final String text)
    {
        final RequestLog.Entry entry = session.requests.entryOf(requestId);
        if (null != entry)
        {
            entry.status = errorCode;
        }
        if (session.isReachable())
        {
            core.workers.status(session, requestId, errorCode, text);
        }

        return done();
    }

    private boolean done()
    {
        final RequestLog.Entry entry = session.requests.entryOf(requestId);
        if (null != entry)
        {
            entry.isAnswered = true;
        }
        session.outstanding--;
        session = null;
        askedKeys = null;
        keys.reset();
        state(State.FREE);
        core.gets.free(this);

        return false;
    }

    private boolean state(final State next)
    {
        state = next;
        cursor = 0;

        return true;
    }
}
