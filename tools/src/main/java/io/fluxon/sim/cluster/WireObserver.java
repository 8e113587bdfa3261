package io.fluxon.sim.cluster;

import org.agrona.DirectBuffer;

/**
 * Sees every message of a run. Whole transport messages: one that was too long for the transport is seen in its parts.
 */
public interface WireObserver
{
    /**
     * A message was taken by a link; it may be lost later.
     *
     * @param link    that took it.
     * @param message the bytes, valid during the call.
     */
    void onSent(VirtualNetwork.Link link, DirectBuffer message);

    /**
     * A message is handed to its receiver now.
     *
     * @param link    that carried it.
     * @param message the bytes, valid during the call.
     */
    void onDelivered(VirtualNetwork.Link link, DirectBuffer message);
}
