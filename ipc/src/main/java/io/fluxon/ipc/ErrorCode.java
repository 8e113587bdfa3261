package io.fluxon.ipc;

/**
 * Stable error codes of every call and message (contract API-8). Per-key results of a commit carry the negative code.
 * Codes below 1000 are those of the source system.
 */
public final class ErrorCode
{
    /** Success. */
    public static final int OK = 0;
    /** The claim is larger than its slot class can ever be, or no target has room. */
    public static final int NO_SPACE = 101;
    /** A failure with no code of its own; the message says what. */
    public static final int UNKNOWN = 103;
    /** The key is not here and has no route. */
    public static final int KEY_NOT_FOUND = 105;
    /** The process that was asked is shutting down. */
    public static final int SHUTDOWN = 112;
    /** A get, or the wait for an answer, ended by time; the message names the stage. */
    public static final int GET_TIMEOUT = 116;
    /** The message names another generation of the owner (or another epoch of the master). */
    public static final int OWNER_GENERATION_MISMATCH = 117;
    /** An argument is not allowed; nothing was changed. The message names field, value and what is allowed. */
    public static final int INVALID_ARGUMENT = 118;
    /** The connection or the payload transport failed. */
    public static final int TRANSPORT = 121;
    /** Another put of the key is running. */
    public static final int KEY_BEING_WRITTEN = 122;
    /** The key has a value already. */
    public static final int KEY_ALREADY_EXISTS = 123;
    /** The get is no longer known, or its source has gone. */
    public static final int STALE_GET_PLAN = 124;
    /** No slots within the hard timeout; the message names the stage and the pool's state. */
    public static final int RESERVE_TIMEOUT = 1001;
    /** A bounded queue is full; try again later. */
    public static final int BACK_PRESSURED = 1002;
    /** The caller may not do this. */
    public static final int UNAUTHORIZED = 1003;
    /** The message is malformed, or of a protocol version that is not spoken here. */
    public static final int PROTOCOL = 1004;
    /** A sibling in the atomic group failed, so this key was not published. */
    public static final int GROUP_ABORTED = 1005;
    /** The outcome of a commit gate is not known. */
    public static final int GATE_UNKNOWN = 1006;

    private ErrorCode()
    {
    }

    /**
     * Name of a code.
     *
     * @param code positive or negative error code, or 0.
     * @return its name, "OK" for 0, or "CODE_n" for a code that is not defined.
     */
    public static String name(final int code)
    {
        return switch (Math.abs(code))
        {
            case OK -> "OK";
            case NO_SPACE -> "NO_SPACE";
            case UNKNOWN -> "UNKNOWN";
            case KEY_NOT_FOUND -> "KEY_NOT_FOUND";
            case SHUTDOWN -> "SHUTDOWN";
            case GET_TIMEOUT -> "GET_TIMEOUT";
            case OWNER_GENERATION_MISMATCH -> "OWNER_GENERATION_MISMATCH";
            case INVALID_ARGUMENT -> "INVALID_ARGUMENT";
            case TRANSPORT -> "TRANSPORT";
            case KEY_BEING_WRITTEN -> "KEY_BEING_WRITTEN";
            case KEY_ALREADY_EXISTS -> "KEY_ALREADY_EXISTS";
            case STALE_GET_PLAN -> "STALE_GET_PLAN";
            case RESERVE_TIMEOUT -> "RESERVE_TIMEOUT";
            case BACK_PRESSURED -> "BACK_PRESSURED";
            case UNAUTHORIZED -> "UNAUTHORIZED";
            case PROTOCOL -> "PROTOCOL";
            case GROUP_ABORTED -> "GROUP_ABORTED";
            case GATE_UNKNOWN -> "GATE_UNKNOWN";
            default -> "CODE_" + Math.abs(code);
        };
    }
}
