package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.InspectResponseDecoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * The question what an owner has of a key, slot, grant or cohort. It changes nothing. Object of the caller, reused.
 */
public final class InspectCall extends ClientOperation
{
    /** How far the call is. */
    public enum State
    {
        /** Not used yet. */
        IDLE,
        /** The owner was asked. */
        ASKED,
        /** The answer is there. The object may be used again. */
        DONE,
        /** The call failed, see the error code. The object may be used again. */
        FAILED
    }

    private final ExpandableArrayBuffer answer = new ExpandableArrayBuffer();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    State state = State.IDLE;

    /** A call object. */
    public InspectCall()
    {
        super(1);
    }

    /**
     * How far the call is.
     *
     * @return the state.
     */
    public State state()
    {
        return state;
    }

    @Override
    public boolean isReusable()
    {
        return State.ASKED != state;
    }

    /**
     * The answer; valid in state {@link State#DONE}, until the object is used again.
     *
     * @param decoder to read it with.
     * @return the decoder, at the beginning of the answer.
     */
    public InspectResponseDecoder answer(final InspectResponseDecoder decoder)
    {
        return decoder.wrapAndApplyHeader(answer, 0, header);
    }

    void keep(final DirectBuffer message)
    {
        answer.putBytes(0, message, 0, message.capacity());
    }

    @Override
    void onSessionEnd(final int code, final String reason)
    {
        state = State.FAILED;
        error(code, WaitStage.NONE, reason);
    }
}
