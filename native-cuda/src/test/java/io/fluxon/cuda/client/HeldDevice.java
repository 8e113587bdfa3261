package io.fluxon.cuda.client;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.copy.CopyBatch;
import io.fluxon.cuda.copy.CopyDevice;
import io.fluxon.cuda.copy.CopyTask;
import io.fluxon.cuda.copy.HostCopyDevice;
import io.fluxon.cuda.copy.LayerEvents;
import io.fluxon.cuda.kernel.CopyCommand;

/**
 * Copies as the twin does, but is done with copies when the test says so.
 */
final class HeldDevice implements CopyDevice
{
    private static final long EVENTS = 64;

    private final HostCopyDevice twin = new HostCopyDevice(1);
    private final ThreadLocal<Integer> depth = ThreadLocal.withInitial(() -> 0);
    volatile boolean isHeld;
    volatile int layersDone;
    volatile String failure;
    volatile String refusal;
    volatile String layerFailure;
    volatile RuntimeException closeFailure;
    volatile boolean isBroken;
    volatile boolean isClosed;

    @Override
    public void enter()
    {
        depth.set(depth.get() + 1);
    }

    @Override
    public void leave()
    {
        checkEntered();
        depth.set(depth.get() - 1);
    }

    /** How often the calling thread has entered and not left. */
    int depth()
    {
        return depth.get();
    }

    private void checkEntered()
    {
        if (depth.get() < 1)
        {
            throw new IllegalStateException("CUDA_ERROR_INVALID_CONTEXT (201)");
        }
    }

    @Override
    public int streamCount()
    {
        return 1;
    }

    @Override
    public CopyStrategy choose(final CopyCommand command, final CopyDirection direction, final CopyStrategy wanted)
    {
        return twin.choose(command, direction, wanted);
    }

    @Override
    public void submit(final CopyBatch batch)
    {
        checkEntered();
        twin.submit(batch);
    }

    @Override
    public boolean isDone(final CopyBatch batch)
    {
        checkEntered();
        if (!isHeld && null != failure)
        {
            throw new IllegalStateException(failure);
        }
        return !isHeld;
    }

    @Override
    public String refusal(final CopyTask task)
    {
        if (isBroken)
        {
            throw new IllegalStateException("status 99 is none");
        }
        return refusal;
    }

    @Override
    public LayerEvents layerEvents(final int layers)
    {
        checkEntered();
        return new LayerEvents()
        {
            @Override
            public long address()
            {
                return EVENTS;
            }

            @Override
            public long event(final int layer)
            {
                return EVENTS + layer;
            }

            @Override
            public boolean isDone(final int layer)
            {
                checkEntered();
                if (null != layerFailure)
                {
                    failure = layerFailure;
                    isHeld = false;
                    throw new IllegalStateException(layerFailure);
                }
                return layer < layersDone;
            }

            @Override
            public void close()
            {
                checkEntered();
            }
        };
    }

    @Override
    public void close()
    {
        checkEntered();
        final RuntimeException ex = closeFailure;
        closeFailure = null;
        if (null != ex)
        {
            throw ex;
        }
        isClosed = true;
    }
}
