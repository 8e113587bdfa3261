package io.fluxon.engine.owner;

/**
 * One waiter's share in a flight: one key of one read or pull (contract G1). Linked into its flight's list. Pooled.
 */
final class Interest
{
    Flight flight;
    FlightWaiter waiter;
    int index;
    Interest previous;
    Interest next;
}
