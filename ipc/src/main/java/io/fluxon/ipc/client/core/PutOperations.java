package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.PutCommitLocalDecoder;
import io.fluxon.codecs.control.PutCommitResultDecoder;
import io.fluxon.codecs.control.PutStartResponseDecoder;
import io.fluxon.ipc.ErrorCode;

/**
 * The life of puts (contract sections 2 and 3): calls of the worker, answers of the owner, waits that end by time.
 */
final class PutOperations
{
    private final PutOptions defaults = new PutOptions();
    private final ClientSession session;

    PutOperations(final ClientSession session)
    {
        this.session = session;
    }

    int start(
        final PutPlan put,
        final KeyBatch keys,
        final long valueLength,
        final PutOptions givenOptions,
        final long timeoutNs)
    {
        final PutOptions options = null == givenOptions ? defaults : givenOptions;
        final int refused = session.checkStart(put, timeoutNs);
        if (ErrorCode.OK != refused)
        {
            return refused;
        }
        final String reason = session.arguments.put(put, keys, valueLength, options);
        if (null != reason)
        {
            return session.refuse(ErrorCode.INVALID_ARGUMENT, reason);
        }
        final int noRoom = session.checkRoom();
        if (ErrorCode.OK != noRoom)
        {
            return noRoom;
        }
        final long planAddress = session.allocatePlan(keys.size());
        if (0 == planAddress)
        {
            return session.refuse(ErrorCode.BACK_PRESSURED, "the plan arena is full");
        }
        final PendingRequest request = session.claim(RequestKind.PUT_START, 0, timeoutNs);
        request.messageLength = session.encoder.putStart(request.message, request, keys, valueLength, options);
        final int code = session.send(request, put);
        if (ErrorCode.OK != code)
        {
            session.freePlan(planAddress);
            return code;
        }
        session.begin(put);
        put.state = PutPlan.State.STARTING;
        put.planAddress = planAddress;
        put.valueLength = valueLength;
        put.count = keys.size();
        return ErrorCode.OK;
    }

    int commit(final PutPlan put)
    {
        final int refused = session.checkOwn(put);
        if (ErrorCode.OK != refused)
        {
            return refused;
        }
        if (PutPlan.State.STARTED != put.state)
        {
            return session.refuse(ErrorCode.INVALID_ARGUMENT, "a put can be committed in state STARTED, once");
        }
        if (0 != put.copies)
        {
            return session.refuseCopied(put.planAddress);
        }
        if (session.requests.commits() >= session.ctx.maxUnpublished())
        {
            return session.refuse(ErrorCode.BACK_PRESSURED, "too many commits without a global result");
        }
        final int code = session.send(
            session.claim(RequestKind.PUT_COMMIT, put.planId, session.ctx.putTimeoutNs()), put);
        if (ErrorCode.OK == code)
        {
            session.freePlan(put.planAddress);
            put.state = PutPlan.State.COMMITTING;
            put.planAddress = 0;
        }
        return code;
    }

    int abort(final PutPlan put)
    {
        final int refused = session.checkOwn(put);
        if (ErrorCode.OK != refused)
        {
            return refused;
        }
        if (PutPlan.State.STARTING == put.state)
        {
            session.requests.abandon(put.pending);
            end(put, PutPlan.State.ABORTED);
            return ErrorCode.OK;
        }
        if (PutPlan.State.STARTED != put.state)
        {
            return session.refuse(ErrorCode.INVALID_ARGUMENT, "a put can be aborted in state STARTING or STARTED");
        }
        if (0 != put.copies)
        {
            return session.refuseCopied(put.planAddress);
        }
        final int code = session.send(
            session.claim(RequestKind.PUT_ABORT, put.planId, session.ctx.putTimeoutNs()), put);
        if (ErrorCode.OK == code)
        {
            session.freePlan(put.planAddress);
            put.state = PutPlan.State.ABORTING;
            put.planAddress = 0;
        }
        return code;
    }

    void onStartResponse(final PendingRequest request, final PutStartResponseDecoder response)
    {
        final PutPlan put = (PutPlan)session.answered(request);
        final boolean isGood = ErrorCode.OK == response.status();
        if (null == put)
        {
            if (isGood)
            {
                session.sendOwn(RequestKind.PUT_ABORT, response.planId());
            }
        }
        else if (!isGood)
        {
            fail(put, response);
        }
        else if (readSlots(put, response))
        {
            put.planId = response.planId();
            put.state = PutPlan.State.STARTED;
            session.writePlan(put, put.planAddress, put.valueAddresses, put.count);
        }
        else
        {
            session.protocolErrors++;
            session.sendOwn(RequestKind.PUT_ABORT, response.planId());
            put.error(ErrorCode.PROTOCOL, WaitStage.NONE, "the owner named slots outside the segment");
            end(put, PutPlan.State.FAILED);
        }
    }

    void onCommitLocal(final PendingRequest request, final PutCommitLocalDecoder response)
    {
        if (ErrorCode.OK == response.status())
        {
            final PutPlan put = (PutPlan)request.operation;
            request.hasDeadline = false;
            session.requests.accept(request);
            if (null != put && PutPlan.State.COMMITTING == put.state)
            {
                put.state = PutPlan.State.LOCAL_READY;
            }
            return;
        }
        if (ErrorCode.BACK_PRESSURED == response.status())
        {
            session.postpone(request);
            return;
        }
        if (request.isAccepted)
        {
            return;
        }
        final PutPlan put = (PutPlan)session.answered(request);
        if (null != put)
        {
            final int textLength = response.messageLength();
            put.error(response.status(), WaitStage.NONE, response.buffer(),
                response.limit() + PutCommitLocalDecoder.messageHeaderLength(), textLength);
            end(put, PutPlan.State.FAILED);
        }
    }

    void onCommitResult(final PendingRequest request, final PutCommitResultDecoder response)
    {
        final PutPlan put = (PutPlan)session.answered(request);
        if (null == put)
        {
            return;
        }
        final PutCommitResultDecoder.ResultsDecoder results = response.results();
        if (results.count() != put.count)
        {
            session.protocolErrors++;
            put.error(ErrorCode.PROTOCOL, WaitStage.NONE, "the owner sent another number of results than keys");
            end(put, PutPlan.State.FAILED);
            return;
        }
        for (int i = 0; i < put.count; i++)
        {
            put.results[i] = results.next().code();
        }
        end(put, PutPlan.State.DONE);
    }

    /**
     * A request was refused or acknowledged by status alone.
     */
    void onStatus(final RequestKind kind, final PutPlan put)
    {
        end(put, RequestKind.PUT_ABORT == kind ? PutPlan.State.ABORTED : PutPlan.State.FAILED);
    }

    /**
     * The wait of a call has ended by time; its answer is still awaited, to give back what it brings.
     */
    void onTimeout(final RequestKind kind, final PutPlan put)
    {
        final String text = RequestKind.PUT_COMMIT == kind ?
            "the owner did not answer the commit in time: it may take effect all the same" :
            "the owner did not answer in time";
        put.error(ErrorCode.GET_TIMEOUT, WaitStage.ANSWER, text);
        end(put, RequestKind.PUT_ABORT == kind ? PutPlan.State.ABORTED : PutPlan.State.FAILED);
    }

    private boolean readSlots(final PutPlan put, final PutStartResponseDecoder response)
    {
        final PutStartResponseDecoder.SlotsDecoder slots = response.slots();
        if (slots.count() != put.count)
        {
            return false;
        }
        for (int i = 0; i < put.count; i++)
        {
            final long address = session.addressOf(slots.next().offset(), put.valueLength);
            if (0 == address)
            {
                return false;
            }
            put.valueAddresses[i] = address;
        }
        return true;
    }

    private void fail(final PutPlan put, final PutStartResponseDecoder response)
    {
        for (final PutStartResponseDecoder.SlotsDecoder slots = response.slots(); slots.hasNext(); )
        {
            slots.next();
        }
        final int textLength = response.messageLength();
        put.error(response.status(), WaitStage.of(response.stage()), response.buffer(),
            response.limit() + PutStartResponseDecoder.messageHeaderLength(), textLength);
        end(put, PutPlan.State.FAILED);
    }

    private void end(final PutPlan put, final PutPlan.State state)
    {
        if (0 != put.planAddress)
        {
            session.freePlan(put.planAddress);
            put.planAddress = 0;
        }
        put.state = state;
        session.end(put);
    }
}
