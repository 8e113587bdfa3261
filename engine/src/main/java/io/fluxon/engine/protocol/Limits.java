package io.fluxon.engine.protocol;

import io.fluxon.ipc.client.core.WorkerClientContext;

/**
 * Bounds of the control protocol (contract BOUND-1).
 */
public final class Limits
{
    /** Version of the protocol that is spoken here. */
    public static final int PROTOCOL_VERSION = WorkerClientContext.PROTOCOL_VERSION;

    /** Schema id of the control protocol. */
    public static final int SCHEMA_ID = 7101;

    /** Most keys of one batch. */
    public static final int MAX_KEYS_PER_BATCH = 8192;

    /** Longest key in bytes (contract 1). */
    public static final int MAX_KEY_BYTES = 512;

    /** Most holdings that one message releases. */
    public static final int MAX_RELEASES_PER_MESSAGE = 256;

    /** Longest value in bytes (contract API-1). */
    public static final long MAX_VALUE_BYTES = 512L * 1024 * 1024;

    /** Longest message in bytes, put together from its parts. */
    public static final int MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

    /** Most operations that an owner has open above its acknowledged watermark (contract T1). */
    public static final int MAX_OPEN_OPERATIONS = 65_536;

    /** Longest time that a request may ask to be waited for; more is taken as this. */
    public static final long MAX_TIMEOUT_NS = 3_600_000_000_000L;

    /** First pause before an unanswered operation is sent again (contract A2). */
    public static final long RETRY_MIN_NS = 25_000_000L;

    /** Longest pause between two sends of an operation (contract A2). */
    public static final long RETRY_MAX_NS = 1_000_000_000L;

    private Limits()
    {
    }

    /**
     * A time that a request asks to be waited for, as far as it is allowed; a deadline made of it does not overflow.
     *
     * @param requestedNs as sent, anything.
     * @return from 0 (the request has no wish) to {@link #MAX_TIMEOUT_NS}.
     */
    public static long timeoutNs(final long requestedNs)
    {
        return Math.max(0, Math.min(requestedNs, MAX_TIMEOUT_NS));
    }

    /**
     * Pause after the next send of an operation.
     *
     * @param delayNs pause after the last one, 0 when there was none.
     * @return the doubled pause, within the bounds of this class.
     */
    public static long nextRetryDelayNs(final long delayNs)
    {
        return Math.max(RETRY_MIN_NS, Math.min(delayNs << 1, RETRY_MAX_NS));
    }
}
