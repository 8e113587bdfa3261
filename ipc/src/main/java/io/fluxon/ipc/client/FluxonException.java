package io.fluxon.ipc.client;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.core.WaitStage;

/**
 * A call failed. Codes are those of {@link ErrorCode} (contract API-8).
 */
public final class FluxonException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int errorCode;
    private final WaitStage stage;

    /**
     * A failure.
     *
     * @param errorCode of {@link ErrorCode}.
     * @param stage     which wait ended by time.
     * @param message   text for people.
     */
    public FluxonException(final int errorCode, final WaitStage stage, final String message)
    {
        this(errorCode, stage, message, null);
    }

    /**
     * A failure with a cause.
     *
     * @param errorCode of {@link ErrorCode}.
     * @param stage     which wait ended by time.
     * @param message   text for people.
     * @param cause     of the failure, or null.
     */
    public FluxonException(
        final int errorCode, final WaitStage stage, final String message, final Throwable cause)
    {
        super(text(errorCode, stage, message), cause);
        this.errorCode = errorCode;
        this.stage = stage;
    }

    /**
     * Code of the failure.
     *
     * @return code of {@link ErrorCode}.
     */
    public int errorCode()
    {
        return errorCode;
    }

    /**
     * Which wait ended by time.
     *
     * @return the stage, {@link WaitStage#NONE} when the call did not end by time.
     */
    public WaitStage stage()
    {
        return stage;
    }

    private static String text(final int errorCode, final WaitStage stage, final String message)
    {
        final String waited = WaitStage.NONE == stage ? "" : ", stage " + stage.name().toLowerCase();
        return ErrorCode.name(errorCode) + " (" + errorCode + waited + "): " + message;
    }
}
