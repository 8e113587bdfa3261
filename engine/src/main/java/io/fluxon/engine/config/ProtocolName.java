package io.fluxon.engine.config;

/**
 * How an owner pulls values from others.
 */
public enum ProtocolName
{
    /** Copies between segments of one host, each mapped by the other's owner. */
    LOOPBACK
}
