package io.fluxon.engine.transfer;

import org.agrona.concurrent.status.AtomicCounter;

/**
 * What the transfer agent counts; it is the only writer.
 *
 * @param descriptors taken from the ring (contract G8).
 * @param submissions made to the transport, each for one peer (contract G8).
 * @param bytes       that arrived.
 * @param failures    transfers that ended with an error code.
 */
public record TransferCounters(
    AtomicCounter descriptors,
    AtomicCounter submissions,
    AtomicCounter bytes,
    AtomicCounter failures)
{
}
