package io.fluxon.engine.config;

/**
 * How an owner reads values of others.
 */
public enum TransportName
{
    /** Loopback from owners of this host, UCX from all others; loopback alone where UCX cannot be used. */
    AUTO,
    /** UCX from all; the owner does not start where that cannot be used. */
    UCX,
    /** Copies from the segments of owners of this host, and reads no others. */
    LOOPBACK
}
