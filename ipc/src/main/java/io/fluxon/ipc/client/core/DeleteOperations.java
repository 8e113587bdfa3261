package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.DeleteResponseDecoder;
import io.fluxon.ipc.ErrorCode;

/**
 * The life of the calls that delete values.
 */
final class DeleteOperations
{
    private final ClientSession session;

    DeleteOperations(final ClientSession session)
    {
        this.session = session;
    }

    int start(final DeleteCall call, final KeyBatch keys, final long timeoutNs)
    {
        final int refused = session.checkStart(call, timeoutNs);
        if (ErrorCode.OK != refused)
        {
            return refused;
        }
        final String reason = session.arguments.keys(keys, call);
        if (null != reason)
        {
            return session.refuse(ErrorCode.INVALID_ARGUMENT, reason);
        }
        int code = session.checkRoom();
        if (ErrorCode.OK == code)
        {
            final PendingRequest request = session.claim(RequestKind.DELETE, 0, timeoutNs);
            request.messageLength = session.encoder.delete(request.message, request, keys);
            code = session.send(request, call);
        }
        if (ErrorCode.OK == code)
        {
            session.begin(call);
            call.state = DeleteCall.State.ASKED;
            call.count = keys.size();
        }
        return code;
    }

    void onResponse(final PendingRequest request, final DeleteResponseDecoder response)
    {
        final DeleteCall call = (DeleteCall)session.answered(request);
        final DeleteResponseDecoder.ResultsDecoder results = response.results();
        final int count = results.count();
        for (int i = 0; i < count; i++)
        {
            final int code = results.next().code();
            if (i < call.count)
            {
                call.codes[i] = code;
            }
        }
        if (ErrorCode.OK != response.status())
        {
            final int textLength = response.messageLength();
            call.error(response.status(), WaitStage.of(response.stage()), response.buffer(),
                response.limit() + DeleteResponseDecoder.messageHeaderLength(), textLength);
            end(call, DeleteCall.State.FAILED);
        }
        else if (count != call.count)
        {
            session.protocolErrors++;
            call.error(ErrorCode.PROTOCOL, WaitStage.NONE, "the owner's answer does not fit the batch");
            end(call, DeleteCall.State.FAILED);
        }
        else
        {
            end(call, DeleteCall.State.DONE);
        }
    }

    /**
     * The request was refused by status alone.
     */
    void onStatus(final DeleteCall call)
    {
        end(call, DeleteCall.State.FAILED);
    }

    void onTimeout(final DeleteCall call)
    {
        call.error(ErrorCode.GET_TIMEOUT, WaitStage.ANSWER, "the owner did not answer in time");
        end(call, DeleteCall.State.FAILED);
    }

    private void end(final DeleteCall call, final DeleteCall.State state)
    {
        call.state = state;
        session.end(call);
    }
}
