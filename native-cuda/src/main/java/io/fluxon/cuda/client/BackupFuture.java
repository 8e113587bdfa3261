package io.fluxon.cuda.client;

import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.PutFuture;
import io.fluxon.ipc.client.core.WaitStage;

import java.util.concurrent.TimeUnit;

/**
 * A backup of a whole put plan: copied, then committed, readable on this owner (contract V1), done when every key has
 * its terminal result (contract PUT-2).
 */
public final class BackupFuture extends CopyFuture
{
    private volatile PutFuture put;
    private volatile long commitNs;

    BackupFuture(final CopyClient client, final int layers)
    {
        super(client, layers);
    }

    /**
     * Are the values readable on this owner (contract V1)?
     *
     * @return true if so.
     */
    public boolean isLocalReady()
    {
        return isCopied() && put.isLocalReady();
    }

    @Override
    public boolean isDone()
    {
        return isFailed() || isCopied() && put.isDone();
    }

    /**
     * Waits until the values are readable on this owner.
     *
     * @param timeout longest wait.
     * @param unit    of the timeout.
     * @return true when they are, false when the time is over; waiting again is possible.
     * @throws FluxonException when the copy failed, or the commit as a whole.
     */
    public boolean awaitLocalReady(final long timeout, final TimeUnit unit)
    {
        final long startNs = System.nanoTime();
        final long timeoutNs = unit.toNanos(timeout);
        return awaitCopied(timeout, unit) && put.awaitLocalReady(left(startNs, timeoutNs), TimeUnit.NANOSECONDS);
    }

    /**
     * Waits until every key has its result.
     *
     * @param timeout longest wait.
     * @param unit    of the timeout.
     * @return true when it is done, false when the time is over; waiting again is possible.
     * @throws FluxonException when the copy failed, or the commit as a whole.
     */
    @Override
    public boolean await(final long timeout, final TimeUnit unit)
    {
        final long startNs = System.nanoTime();
        final long timeoutNs = unit.toNanos(timeout);
        return awaitCopied(timeout, unit) && put.await(left(startNs, timeoutNs), TimeUnit.NANOSECONDS);
    }

    /**
     * Results of all keys.
     *
     * @return one item a key: 0, or a negative error code.
     * @throws FluxonException when the put is not done, or failed as a whole.
     */
    public int[] results()
    {
        checkNotFailed();
        if (!isCopied())
        {
            throw new FluxonException(
                ErrorCode.INVALID_ARGUMENT, WaitStage.NONE, "the put is not copied: wait for it first");
        }
        return put.results();
    }

    /**
     * The put behind the copy.
     *
     * @return the future of the commit, null until it is copied.
     */
    public PutFuture put()
    {
        return put;
    }

    /**
     * When the commit was sent.
     *
     * @return nanoseconds as {@link System#nanoTime} has them, once it is copied.
     */
    public long commitNs()
    {
        return commitNs;
    }

    void committed(final PutFuture future, final long nowNs)
    {
        put = future;
        commitNs = nowNs;
    }

    private static long left(final long startNs, final long timeoutNs)
    {
        return Math.max(0, timeoutNs - (System.nanoTime() - startNs));
    }
}
