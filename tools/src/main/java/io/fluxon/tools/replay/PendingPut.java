package io.fluxon.tools.replay;

import io.fluxon.ipc.client.PutFuture;
import io.fluxon.tools.report.PageCounts;

/**
 * A request whose own part is done, and whose commit may still be under way.
 *
 * @param request  index of the request.
 * @param pages    that the request counted.
 * @param future   of the commit, null if nothing was put.
 * @param commitNs when the commit was called.
 */
record PendingPut(int request, PageCounts pages, PutFuture future, long commitNs)
{
    boolean isDone()
    {
        return null == future || future.isDone();
    }
}
