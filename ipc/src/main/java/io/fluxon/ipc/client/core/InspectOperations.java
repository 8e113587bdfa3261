package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.InspectSubject;
import io.fluxon.ipc.ErrorCode;

import org.agrona.DirectBuffer;

/**
 * The life of the calls that inspect.
 */
final class InspectOperations
{
    private static final KeyBatch NO_KEY = new KeyBatch(1, 1);

    private final ClientSession session;

    InspectOperations(final ClientSession session)
    {
        this.session = session;
    }

    /**
     * Asks about a key, or the cohort of its value, when there is one; else about a grant, or a slot of it.
     */
    int start(
        final InspectCall call,
        final InspectSubject subject,
        final KeyBatch key,
        final int grantId,
        final int slotIndex,
        final long timeoutNs)
    {
        final int refused = session.checkStart(call, timeoutNs);
        if (ErrorCode.OK != refused)
        {
            return refused;
        }
        final String reason = null == key ? null : session.arguments.keys(key, call);
        if (null != reason)
        {
            return session.refuse(ErrorCode.INVALID_ARGUMENT, reason);
        }
        int code = session.checkRoom();
        if (ErrorCode.OK == code)
        {
            final PendingRequest request = session.claim(RequestKind.INSPECT, 0, timeoutNs);
            request.messageLength = session.encoder.inspect(
                request.message, request, subject, null == key ? NO_KEY : key, grantId, slotIndex);
            code = session.send(request, call);
        }
        if (ErrorCode.OK == code)
        {
            session.begin(call);
            call.state = InspectCall.State.ASKED;
        }
        return code;
    }

    void onResponse(final PendingRequest request, final DirectBuffer message)
    {
        final InspectCall call = (InspectCall)session.answered(request);
        call.keep(message);
        end(call, InspectCall.State.DONE);
    }

    /**
     * The request was refused by status alone.
     */
    void onStatus(final InspectCall call)
    {
        end(call, InspectCall.State.FAILED);
    }

    void onTimeout(final InspectCall call)
    {
        call.error(ErrorCode.GET_TIMEOUT, WaitStage.ANSWER, "the owner did not answer in time");
        end(call, InspectCall.State.FAILED);
    }

    private void end(final InspectCall call, final InspectCall.State state)
    {
        call.state = state;
        session.end(call);
    }
}
