package io.fluxon.ipc.aeron;

/**
 * Hears of connections that have ended.
 */
@FunctionalInterface
public interface ConnectionListener
{
    /**
     * Called on the polling agent's thread, within a poll, after the last message of the connection.
     *
     * @param connectionId that will not be seen again.
     */
    void onConnectionClosed(long connectionId);
}
