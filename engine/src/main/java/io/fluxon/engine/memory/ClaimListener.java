package io.fluxon.engine.memory;

import io.fluxon.codecs.control.Stage;

/**
 * Whoever waits with a {@link Claim}; a pooled job. Both calls come from {@link ClaimQueue#poll}, never from
 * {@link ClaimQueue#submit}. The listener may submit, take and cancel claims and release slots from within them.
 */
public interface ClaimListener
{
    /**
     * The claim's slots are set aside: take them with {@link ClaimQueue#take}, in slices if they are many.
     *
     * @param claim that was waiting.
     * @param nowNs time.
     */
    void onClaimGranted(Claim claim, long nowNs);

    /**
     * The claim ended without slots. {@link ClaimQueue#describe} gives the text for the caller, from here only.
     *
     * @param claim     that was waiting; it is idle after the call.
     * @param errorCode of {@link io.fluxon.ipc.ErrorCode}: RESERVE_TIMEOUT, or NO_SPACE.
     * @param stage     which wait ended.
     * @param nowNs     time.
     */
    void onClaimFailed(Claim claim, int errorCode, Stage stage, long nowNs);
}
