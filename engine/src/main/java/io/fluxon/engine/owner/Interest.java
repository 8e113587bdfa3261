package io.fluxon.engine.owner;

/**
 * One waiter's share in a flight: one key of one read (contract G1). Linked into its flight's list. Pooled.
 */
final class Interest
{
    Flight flight;
    ReadPlan plan;
    int index;
    Interest previous;
    Interest next;
}
