package io.fluxon.engine.master;

import io.fluxon.ipc.channel.ControlChannel;

/**
 * Opens the channels on which the master answers its owners: part of the core's boundary.
 */
@FunctionalInterface
public interface OwnerChannels
{
    /**
     * Opens the channel to one owner. Never blocks and never throws: the channel may be connected only later, until
     * then it refuses messages with {@link ControlChannel#NOT_CONNECTED}.
     *
     * @param responseChannel as the owner announced it, so it may be anything.
     * @return the channel, or null when it cannot be opened.
     */
    ControlChannel open(String responseChannel);
}
