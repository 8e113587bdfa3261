package io.fluxon.engine.transfer;

/**
 * One value on its way from a peer's segment into an own slot. Pooled by the {@link TransferAgent}; belongs to the
 * transport between {@link Transport#submit} and the call that completes it.
 */
public final class Transfer
{
    Transfer next;
    Submission submission;
    int status;
    private long token;
    private long remoteOffset;
    private long localOffset;
    private long length;
    private long moved;

    void init(final long token, final long remoteOffset, final long localOffset, final long length)
    {
        this.next = null;
        this.status = 0;
        this.token = token;
        this.remoteOffset = remoteOffset;
        this.localOffset = localOffset;
        this.length = length;
        this.moved = 0;
    }

    /**
     * The owner core's name for it.
     *
     * @return token that the completion carries.
     */
    public long token()
    {
        return token;
    }

    /**
     * Where the value lies.
     *
     * @return offset in the peer's segment file, not checked yet.
     */
    public long remoteOffset()
    {
        return remoteOffset;
    }

    /**
     * Where the value goes.
     *
     * @return offset in the own segment file, not checked yet.
     */
    public long localOffset()
    {
        return localOffset;
    }

    /**
     * Length of the value.
     *
     * @return length in bytes, not checked yet.
     */
    public long length()
    {
        return length;
    }

    /**
     * The transport's own note of its progress.
     *
     * @return bytes that have been moved, from the first one on.
     */
    public long moved()
    {
        return moved;
    }

    /**
     * Notes progress.
     *
     * @param bytes that were moved now.
     */
    public void addMoved(final long bytes)
    {
        moved += bytes;
    }

    /**
     * The next one of the same submission.
     *
     * @return transfer, or null at the end.
     */
    public Transfer next()
    {
        return next;
    }
}
