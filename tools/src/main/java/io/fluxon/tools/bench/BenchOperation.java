package io.fluxon.tools.bench;

/**
 * What is measured: a request of an owner and its answer.
 */
enum BenchOperation
{
    /** Keys that are about to be put. */
    RESERVE("reserve"),
    /** New keys; sent behind the reservation, as owners do, which do not wait for it. */
    PUBLISH("publish"),
    /** Keys that another owner has: a source is leased for each. */
    GET_START("get_start"),
    /** The leases end, and the owner becomes a replica of each key. */
    GET_DONE("get_done");

    private final String label;

    BenchOperation(final String label)
    {
        this.label = label;
    }

    String label()
    {
        return label;
    }
}
