package io.fluxon.ipc.segment;

/**
 * A segment could not be created or mapped. The message names the file and says what is wrong with it.
 */
public final class SegmentException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int errorCode;

    /**
     * Creates an exception.
     *
     * @param errorCode of {@link io.fluxon.ipc.ErrorCode}.
     * @param message   that names the file and the cause.
     * @param cause     or null.
     */
    public SegmentException(final int errorCode, final String message, final Throwable cause)
    {
        super(message, cause);
        this.errorCode = errorCode;
    }

    /**
     * The error as a stable code: NO_SPACE, OWNER_GENERATION_MISMATCH, INVALID_ARGUMENT (no segment of this layout),
     * or UNKNOWN (the file system said no).
     *
     * @return code of {@link io.fluxon.ipc.ErrorCode}.
     */
    public int errorCode()
    {
        return errorCode;
    }
}
