package io.fluxon.ipc.client.core;

import io.fluxon.ipc.ErrorCode;

import org.agrona.DirectBuffer;

import java.nio.charset.StandardCharsets;

/**
 * What the operations of a {@link WorkerClient} have in common. An operation object belongs to the caller, who may use
 * it again when it has ended; it is confined to the thread of its client.
 */
public abstract sealed class ClientOperation extends Timed permits PutPlan, GetHandle, ExistsCall,
    DeleteCall, InspectCall
{
    static final int NO_INDEX = -1;
    static final int WHOLE_COPY = -1;

    private static final int MAX_MESSAGE_BYTES = 512;

    WorkerClient client;
    PendingRequest pending;
    int liveIndex = NO_INDEX;
    /** Copies of its parts in flight, {@link #WHOLE_COPY} when one of the whole plan is. */
    int copies;

    private final int maxKeys;
    private final byte[] remoteMessage = new byte[MAX_MESSAGE_BYTES];
    private int remoteMessageLength;
    private String message = "";
    private int errorCode = ErrorCode.OK;
    private WaitStage stage = WaitStage.NONE;

    ClientOperation(final int maxKeys)
    {
        if (maxKeys < 1)
        {
            throw new IllegalArgumentException("maxKeys must be at least 1: " + maxKeys);
        }
        this.maxKeys = maxKeys;
    }

    /**
     * Longest batch this object can be used for.
     *
     * @return number of keys.
     */
    public final int maxKeys()
    {
        return maxKeys;
    }

    /**
     * Error of the operation.
     *
     * @return 0, or the code of {@link ErrorCode} it ended with.
     */
    public final int errorCode()
    {
        return errorCode;
    }

    /**
     * Which wait ended by time (contract API-8).
     *
     * @return the stage, {@link WaitStage#NONE} when the operation did not end by time.
     */
    public final WaitStage stage()
    {
        return stage;
    }

    /**
     * Text of the error for people; built on demand.
     *
     * @return the text, empty when there is none.
     */
    public final String errorMessage()
    {
        return 0 == remoteMessageLength ?
            message : new String(remoteMessage, 0, remoteMessageLength, StandardCharsets.UTF_8);
    }

    /**
     * Is an answer of the owner awaited?
     *
     * @return true while a request of this operation is not answered.
     */
    public final boolean isPending()
    {
        return null != pending;
    }

    /**
     * Can the object be used for a new operation?
     *
     * @return true when it was never used, or its operation has ended and holds nothing.
     */
    public abstract boolean isReusable();

    /** The session ended: the operation fails, whatever it was doing; holds nothing afterwards. */
    abstract void onSessionEnd(int code, String reason);

    final void clearError()
    {
        errorCode = ErrorCode.OK;
        stage = WaitStage.NONE;
        message = "";
        remoteMessageLength = 0;
    }

    final void error(final int code, final WaitStage waitStage, final String text)
    {
        errorCode = code;
        stage = waitStage;
        message = text;
        remoteMessageLength = 0;
    }

    final void error(
        final int code, final WaitStage waitStage, final DirectBuffer buffer, final int offset, final int length)
    {
        errorCode = code;
        stage = waitStage;
        message = "";
        remoteMessageLength = Math.min(length, MAX_MESSAGE_BYTES);
        buffer.getBytes(offset, remoteMessage, 0, remoteMessageLength);
    }
}
