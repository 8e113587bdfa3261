package io.fluxon.engine.transfer.ucx;

import org.agrona.ErrorHandler;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRequest;

/**
 * What the endpoints of both directions have in common.
 */
final class Endpoints
{
    private Endpoints()
    {
    }

    /**
     * Closes an endpoint by force: what is open on it ends with an error.
     *
     * @return request that completes when UCX has let go of it, null when there is nothing to wait for.
     */
    static UcpRequest close(final UcpEndpoint endpoint, final ErrorHandler errorHandler)
    {
        try
        {
            return null == endpoint ? null : endpoint.closeNonBlockingForce();
        }
        catch (final UcxException ex)
        {
            errorHandler.onError(new UcxFailure("an endpoint could not be closed", ex));
            return null;
        }
    }
}
