package io.fluxon.tools.policy;

import io.fluxon.tools.trace.Trace;

/**
 * A cache of unit blocks with a replacement policy. Every block of a request that is missing is stored; between two
 * requests no more than the capacity is held.
 */
interface PrefixCache extends AutoCloseable
{
    /**
     * Serves one request.
     *
     * @param trace   that it is of.
     * @param request index of the request; they come in order.
     * @return leading blocks that were there when it came.
     */
    int onRequest(Trace trace, int request);

    @Override
    default void close()
    {
    }
}
