package io.fluxon.engine.boundary;

/**
 * Receives the reports of a {@link ProcessWatch}. Each watch gets one of {@link #onProcessSeen} and {@link
 * #onProcessUnseen} first.
 */
public interface ProcessListener
{
    /**
     * The process of a session was seen alive under its own start time: from now on it can be proven gone.
     *
     * @param sessionId of the session.
     */
    void onProcessSeen(long sessionId);

    /**
     * The process of a session cannot be watched, because it is not visible from here: it is in another PID namespace,
     * hidden, or ended before it was seen. It could never be proven gone, so it must not have a session. The watch has
     * ended.
     *
     * @param sessionId of the session.
     */
    void onProcessUnseen(long sessionId);

    /**
     * The process of a session is proven gone: it cannot touch the segment any more. The watch has ended.
     *
     * @param sessionId of the session.
     */
    void onProcessGone(long sessionId);
}
