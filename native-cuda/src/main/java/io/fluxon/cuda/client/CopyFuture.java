package io.fluxon.cuda.client;

import io.fluxon.cuda.copy.LayerEvents;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.client.FluxonException;
import io.fluxon.ipc.client.core.WaitStage;

import java.util.concurrent.TimeUnit;

/**
 * A copy that was begun. Its pages are where they belong when it is copied; a read plan that was given whole is
 * released then, a put plan that was given whole is committed. When it fails the read plan is released, the put plan
 * aborted, once nothing touches the pages any more. May be asked by any thread.
 */
public sealed class CopyFuture permits BackupFuture
{
    private final CopyClient client;
    private final int layers;
    private volatile boolean isCopied;
    private volatile FluxonException failure;
    private volatile int layersDone;
    private volatile LayerEvents events = LayerEvents.NONE;

    CopyFuture(final CopyClient client, final int layers)
    {
        this.client = client;
        this.layers = layers;
    }

    /**
     * Are the pages where they belong, and the plan committed or released where it was given whole?
     *
     * @return true from then on, false also when the copy failed.
     */
    public final boolean isCopied()
    {
        return isCopied;
    }

    /**
     * Has everything come of the copy that will?
     *
     * @return true when done, or failed.
     */
    public boolean isDone()
    {
        return isCopied || null != failure;
    }

    /**
     * Waits until the pages are where they belong.
     *
     * @param timeout longest wait.
     * @param unit    of the timeout.
     * @return true when they are, false when the time is over; waiting again is possible.
     * @throws FluxonException when the copy failed: nothing of the plan is held any more where it was given whole.
     */
    public final boolean awaitCopied(final long timeout, final TimeUnit unit)
    {
        final boolean isOver = client.await(() -> isCopied || null != failure, unit.toNanos(timeout));
        checkNotFailed();
        return isOver;
    }

    /**
     * Waits until everything has come of the copy that will.
     *
     * @param timeout longest wait.
     * @param unit    of the timeout.
     * @return true when it is done, false when the time is over; waiting again is possible.
     * @throws FluxonException when it failed.
     */
    public boolean await(final long timeout, final TimeUnit unit)
    {
        return awaitCopied(timeout, unit);
    }

    /**
     * Waits until a layer's pages are where they belong, and those of the layers before it. Without
     * {@link CopyOptions#isByLayer}, and where there is no device, these come with the whole copy.
     *
     * @param layer   0 or more.
     * @param timeout longest wait.
     * @param unit    of the timeout.
     * @return true when they are, false when the time is over; waiting again is possible.
     * @throws FluxonException when the copy failed, also after the layer was there, or has no such layer (contract
     *                         GET-6).
     */
    public final boolean awaitLayer(final int layer, final long timeout, final TimeUnit unit)
    {
        checkLayer(layer);
        final boolean isOver =
            client.await(() -> null != failure || layersDone > layer, unit.toNanos(timeout));
        checkNotFailed();
        return isOver;
    }

    /**
     * The event behind a layer, which a stream of the engine can wait for instead of a thread. Valid until the client
     * of the copies is closed; a later copy may use it again, and a stream that waits for it too late waits for that. A
     * stream behind it cannot see that the copy was refused or that the session has ended: what it made of the layer is
     * good only once this future says that the layer, or the copy, is there.
     *
     * @param layer 0 or more.
     * @return CUevent, 0 while it is not recorded, and where there is none.
     * @throws FluxonException when the copy has no such layer.
     */
    public final long layerEvent(final int layer)
    {
        checkLayer(layer);
        return events.event(layer);
    }

    final CopyClient client()
    {
        return client;
    }

    final void checkNotFailed()
    {
        final FluxonException ex = failure;
        if (null != ex)
        {
            throw ex;
        }
    }

    final boolean isFailed()
    {
        return null != failure;
    }

    final void recorded(final LayerEvents recordedEvents)
    {
        events = recordedEvents;
    }

    final void layersDone(final int count)
    {
        layersDone = count;
    }

    /** Everything has come of the copy that will; the reason is null when it is where it belongs. */
    final void end(final FluxonException reason)
    {
        if (null == reason)
        {
            layersDone = layers;
            isCopied = true;
        }
        else
        {
            failure = reason;
        }
    }

    private void checkLayer(final int layer)
    {
        if (layer < 0 || layer >= layers)
        {
            throw new FluxonException(ErrorCode.INVALID_ARGUMENT, WaitStage.NONE,
                "layer is " + layer + ", allowed: 0 to " + (layers - 1));
        }
    }
}
