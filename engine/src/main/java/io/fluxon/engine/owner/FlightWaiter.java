package io.fluxon.engine.owner;

/**
 * Who has interests in flights: a read, or a pull of a replica (contract G1, REPL-1). Every waiter of a flight hears
 * the same (contract G7).
 */
interface FlightWaiter
{
    /**
     * A key's flight has its source, or its slot, or nobody claims that any more.
     *
     * @param index of the key in the waiter.
     */
    void onFlightChanged(int index);

    /**
     * A key's flight has ended without a value; the interest is gone.
     *
     * @param index of the key in the waiter.
     */
    void onFlightFailed(int index);

    /**
     * A key's value is readable here; a holder of it has been added for the waiter, and the interest is gone.
     *
     * @param index  of the key in the waiter.
     * @param slotId of the value.
     */
    void onFlightReady(int index, int slotId);
}
