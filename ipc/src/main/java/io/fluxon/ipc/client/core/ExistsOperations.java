package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.ExistsResponseDecoder;
import io.fluxon.ipc.ErrorCode;

/**
 * The life of the calls that ask which keys exist.
 */
final class ExistsOperations
{
    private final ClientSession session;

    ExistsOperations(final ClientSession session)
    {
        this.session = session;
    }

    int start(final ExistsCall call, final KeyBatch keys, final long timeoutNs)
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
            final PendingRequest request = session.claim(RequestKind.EXISTS, 0, timeoutNs);
            request.messageLength = session.encoder.exists(request.message, request, keys);
            code = session.send(request, call);
        }
        if (ErrorCode.OK == code)
        {
            session.begin(call);
            call.state = ExistsCall.State.ASKED;
            call.count = keys.size();
            call.leadingCount = 0;
        }
        return code;
    }

    void onResponse(final PendingRequest request, final ExistsResponseDecoder response)
    {
        final ExistsCall call = (ExistsCall)session.answered(request);
        final ExistsResponseDecoder.FlagsDecoder flags = response.flags();
        final int count = flags.count();
        for (int i = 0; i < count; i++)
        {
            final boolean exists = 0 != flags.next().present();
            if (i < call.count)
            {
                call.flags[i] = exists;
            }
        }
        if (ErrorCode.OK != response.status())
        {
            final int textLength = response.messageLength();
            call.error(response.status(), WaitStage.NONE, response.buffer(),
                response.limit() + ExistsResponseDecoder.messageHeaderLength(), textLength);
            end(call, ExistsCall.State.FAILED);
        }
        else if (count != call.count || response.leadingCount() != leadingCount(call))
        {
            session.protocolErrors++;
            call.error(ErrorCode.PROTOCOL, WaitStage.NONE, "the owner's answer does not fit the batch");
            end(call, ExistsCall.State.FAILED);
        }
        else
        {
            call.leadingCount = response.leadingCount();
            end(call, ExistsCall.State.DONE);
        }
    }

    /**
     * The request was refused by status alone.
     */
    void onStatus(final ExistsCall call)
    {
        end(call, ExistsCall.State.FAILED);
    }

    void onTimeout(final ExistsCall call)
    {
        call.error(ErrorCode.GET_TIMEOUT, WaitStage.ANSWER, "the owner did not answer in time");
        end(call, ExistsCall.State.FAILED);
    }

    private void end(final ExistsCall call, final ExistsCall.State state)
    {
        call.state = state;
        session.end(call);
    }

    private static int leadingCount(final ExistsCall call)
    {
        int count = 0;
        while (count < call.count && call.flags[count])
        {
            count++;
        }
        return count;
    }
}
