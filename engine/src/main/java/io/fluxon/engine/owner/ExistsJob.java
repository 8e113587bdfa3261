package io.fluxon.engine.owner;

import io.fluxon.codecs.control.ExistsRequestDecoder;
import io.fluxon.codecs.control.ExistsResponseEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.RouteExistsRequestEncoder;
import io.fluxon.codecs.control.RouteExistsResponseDecoder;
import io.fluxon.engine.protocol.KeyWalk;
import io.fluxon.engine.protocol.Limits;
import io.fluxon.engine.protocol.OperationIds;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Says which keys exist: here, or at the master. It never counts as a use of a value (contract 2).
 * <p>
 * While the owner has no master, keys that are not here are absent, as they are for a read (contract LIFE-3). When the
 * master was asked and did not answer in time the answer is GET_TIMEOUT, and BACK_PRESSURED when it could not be asked
 * because too much is open: whether the rest exists is not known then, but the keys that are here are flagged. Pooled.
 */
final class ExistsJob extends Job implements OperationListener
{
    /**
     * Life of a question.
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

    private final OwnerCore core;
    private final MasterOperation operation;
    private final ExpandableArrayBuffer message = new ExpandableArrayBuffer(512);
    private final ExpandableArrayBuffer answer = new ExpandableArrayBuffer(128);
    private final ExistsRequestDecoder decoder = new ExistsRequestDecoder();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final RouteExistsRequestEncoder request = new RouteExistsRequestEncoder();
    private final RouteExistsResponseDecoder response = new RouteExistsResponseDecoder();
    private final ExistsResponseEncoder encoder = new ExistsResponseEncoder();
    private final KeyWalk keys = new KeyWalk();
    private RouteExistsRequestEncoder.KeysEncoder askedKeys;
    private boolean[] isPresent = new boolean[64];
    private State state = State.FREE;
    private WorkerSession session;
    private long requestId;
    private long deadlineNs;
    private int status;
    private int cursor;
    private int absent;

    ExistsJob(final OwnerCore core)
    {
        this.core = core;
        operation = new MasterOperation(core.master);
        operation.listener = this;
        operation.sent = OwnerCounter.ROUTE_EXISTS;
        operation.hasWatermark = false;
    }

    void start(
        final WorkerSession ofSession, final long ofRequestId, final long timeoutNs, final DirectBuffer source)
    {
        session = ofSession;
        requestId = ofRequestId;
        deadlineNs = core.nowNs() +
            (timeoutNs > 0 ? Math.min(timeoutNs, core.settings.getTimeoutNs()) : core.settings.getTimeoutNs());
        message.putBytes(0, source, 0, source.capacity());
        decoder.wrap(
            message,
            MasterOperation.BLOCK_OFFSET,
            ExistsRequestDecoder.BLOCK_LENGTH,
            ExistsRequestDecoder.SCHEMA_VERSION);
        keys.wrap(message, decoder.limit());
        if (isPresent.length < keys.count())
        {
            isPresent = new boolean[keys.count()];
        }
        absent = 0;
        status = ErrorCode.OK;
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
        if (RouteExistsResponseDecoder.TEMPLATE_ID == templateId)
        {
            final RouteExistsResponseDecoder.FlagsDecoder flags = response.wrap(
                source,
                MasterOperation.BLOCK_OFFSET,
                RouteExistsResponseDecoder.BLOCK_LENGTH,
                RouteExistsResponseDecoder.SCHEMA_VERSION).flags();
            if (flags.count() != absent)
            {
                core.counters.increment(OwnerCounter.MESSAGES_MALFORMED);
                return;
            }

            for (int i = 0, count = keys.count(); i < count; i++)
            {
                if (!isPresent[i])
                {
                    isPresent[i] = 0 != flags.next().present();
                }
            }
        }
        else if (core.master.ackStatus(templateId, source) <= ErrorCode.OK)
        {
            return;
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

            core.digest.compute(keys.buffer(), keys.keyOffset(i), keys.keyLength(i));
            isPresent[i] = LocalValues.NONE != core.values.find(
                core.digest.low(), core.digest.high(), keys.buffer(), keys.keyOffset(i), keys.keyLength(i));
            absent += isPresent[i] ? 0 : 1;
        }
        cursor = to;
        if (!keys.isDone())
        {
            return true;
        }

        return state(absent > 0 && core.master.isAvailable() ? State.ENCODING : State.ANSWERING);
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
                .keysCount(absent);
        }

        final int end = core.sliceEnd(cursor, keys.count());
        for (int i = cursor; i < end; i++)
        {
            if (!isPresent[i])
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
        final int count = keys.count();
        int leading = 0;
        while (leading < count && isPresent[leading])
        {
            leading++;
        }

        final ExistsResponseEncoder.FlagsEncoder flags = encoder.wrapAndApplyHeader(answer, 0, header)
            .generation(core.context.generation())
            .sessionId(session.sessionId)
            .correlationId(requestId)
            .status(status)
            .leadingCount(leading)
            .flagsCount(count);
        for (int i = 0; i < count; i++)
        {
            flags.next().present((short)(isPresent[i] ? 1 : 0));
        }
        encoder.message(text());
        core.counters.error(status);
        if (session.isReachable())
        {
            session.outbound.send(answer, 0, MessageHeaderEncoder.ENCODED_LENGTH + encoder.encodedLength());
        }

        return done();
    }

    private String text()
    {
        return switch (status)
        {
            case ErrorCode.GET_TIMEOUT -> "the master did not answer in time, only keys that are here are flagged";
            case ErrorCode.BACK_PRESSURED -> "the master could not be asked, only keys that are here are flagged";
            default -> "";
        };
    }

    private boolean refuse(final int errorCode, final String text)
    {
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
