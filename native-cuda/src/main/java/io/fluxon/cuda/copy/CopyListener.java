package io.fluxon.cuda.copy;

import io.fluxon.codecs.data.CopyStatus;

/**
 * Hears what became of copies.
 */
public interface CopyListener
{
    /**
     * A copy has ended.
     *
     * @param token  it was offered with.
     * @param status DONE, or why not.
     * @param reason one line, empty where it is done.
     */
    void onCopied(long token, CopyStatus status, String reason);

    /**
     * All layer events of a copy are recorded: streams may wait for them from now on.
     *
     * @param token it was offered with.
     */
    void onRecorded(long token);
}
