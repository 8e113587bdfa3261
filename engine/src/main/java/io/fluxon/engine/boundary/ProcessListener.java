package io.fluxon.engine.boundary;

/**
 * Receives the reports of a {@link ProcessWatch}.
 */
@FunctionalInterface
public interface ProcessListener
{
    /**
     * The process of a session is proven gone: it cannot touch the segment any more.
     *
     * @param sessionId of the session.
     */
    void onProcessGone(long sessionId);
}
