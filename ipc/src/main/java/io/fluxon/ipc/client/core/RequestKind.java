package io.fluxon.ipc.client.core;

/**
 * Requests that have an answer.
 */
enum RequestKind
{
    PUT_START(true),
    PUT_COMMIT(false),
    PUT_ABORT(false),
    GET_START(true),
    GET_TRANSFER(false),
    GET_CANCEL(false),
    EXISTS(true),
    DELETE(true),
    INSPECT(true),
    RELEASE(true);

    /** Is its encoded form kept for repeating it? */
    final boolean isStored;

    RequestKind(final boolean isStored)
    {
        this.isStored = isStored;
    }

    /**
     * Is this a request that the owner has to carry out in the end, so that it is asked again when the owner is busy?
     */
    boolean isFollowUp()
    {
        return !isStored || RELEASE == this;
    }

    /**
     * Can an answer bring something that is to be given back when its call gave up?
     */
    boolean isGivenBack()
    {
        return PUT_START == this || GET_START == this || GET_TRANSFER == this;
    }
}
