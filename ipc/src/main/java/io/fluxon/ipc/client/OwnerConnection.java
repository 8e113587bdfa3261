package io.fluxon.ipc.client;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.WaitStage;
import io.fluxon.ipc.client.core.WorkerClient;

/**
 * The production side of the client's boundary: Aeron channels to the owner and the mapping of its segment.
 */
final class OwnerConnection implements AutoCloseable
{
    private final WorkerClient worker;

    private OwnerConnection(final WorkerClient worker)
    {
        this.worker = worker;
    }

    static OwnerConnection open(final ClientContext ctx)
    {
        throw new FluxonException(ErrorCode.TRANSPORT, WaitStage.CONNECT, "no owner at " + ctx.ownerDirectory());
    }

    WorkerClient worker()
    {
        return worker;
    }

    @Override
    public void close()
    {
    }
}
