package io.fluxon.engine.memory;

/**
 * What a claim is for, which decides how long it waits (contract SLOT-4).
 */
public enum ClaimKind
{
    /** Slots of a put: waits for the hard timeout, 30 s by default. */
    PUT,

    /** Target slot of a get: waits for the soft timeout, 10 ms by default, so that reads never wait for each other. */
    GET
}
