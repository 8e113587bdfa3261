package io.fluxon.engine.owner;

import io.fluxon.codecs.control.ExistsRequestDecoder;
import io.fluxon.codecs.control.GetCancelRequestDecoder;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.GetTransferRequestDecoder;
import io.fluxon.codecs.control.ReleaseHoldingsDecoder;
import io.fluxon.ipc.ErrorCode;
import org.agrona.DirectBuffer;

/**
 * The reads.
 */
final class GetService
{
    private final OwnerCore core;

    GetService(final OwnerCore core)
    {
        this.core = core;
    }

    void onStart(final WorkerSession session, final GetStartRequestDecoder request, final DirectBuffer message)
    {
        core.workers.status(session, request.correlationId(), ErrorCode.KEY_NOT_FOUND, "");
    }

    void onTransfer(
        final WorkerSession session, final GetTransferRequestDecoder request, final RequestLog.Entry entry)
    {
        core.workers.status(session, request.correlationId(), ErrorCode.KEY_NOT_FOUND, "");
    }

    void onCancel(final WorkerSession session, final GetCancelRequestDecoder request, final RequestLog.Entry entry)
    {
        core.workers.status(session, request.correlationId(), ErrorCode.KEY_NOT_FOUND, "");
    }

    void onExists(final WorkerSession session, final ExistsRequestDecoder request, final DirectBuffer message)
    {
        core.workers.status(session, request.correlationId(), ErrorCode.KEY_NOT_FOUND, "");
    }

    void onRelease(final WorkerSession session, final ReleaseHoldingsDecoder request)
    {
    }

    void repeatStart(final WorkerSession session, final RequestLog.Entry entry)
    {
    }

    void repeatTransfer(final WorkerSession session, final RequestLog.Entry entry)
    {
    }

    void repeatExists(final WorkerSession session, final RequestLog.Entry entry)
    {
    }
}
