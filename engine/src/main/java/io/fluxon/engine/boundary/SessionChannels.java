package io.fluxon.engine.boundary;

import io.fluxon.ipc.channel.ControlChannel;

/**
 * Opens the channels on which the owner answers its workers.
 */
@FunctionalInterface
public interface SessionChannels
{
    /**
     * Opens the channel to one worker. Never blocks: the channel may be connected only later, until then it refuses
     * messages with {@link ControlChannel#NOT_CONNECTED}.
     *
     * @param responseStreamId chosen by the worker, a positive number.
     * @return the channel, or null when no more can be opened.
     */
    ControlChannel open(int responseStreamId);
}
