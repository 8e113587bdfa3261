package io.fluxon.cuda.copy;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.kernel.CopyCommand;
import io.fluxon.cuda.kernel.HostKernel;
import io.fluxon.cuda.kernel.Side;

/**
 * The twin of a CUDA device for pools in host memory: copies are made while they are submitted. Events are none here,
 * and their handles are not looked at.
 */
public final class HostCopyDevice implements CopyDevice
{
    private final HostKernel kernel = new HostKernel();
    private final int streamCount;

    /**
     * A twin.
     *
     * @param streamCount 1 or more.
     */
    public HostCopyDevice(final int streamCount)
    {
        if (streamCount < 1)
        {
            throw new IllegalArgumentException("streamCount is " + streamCount + ", allowed: 1 or more");
        }
        this.streamCount = streamCount;
    }

    @Override
    public void enter()
    {
    }

    @Override
    public void leave()
    {
    }

    @Override
    public int streamCount()
    {
        return streamCount;
    }

    @Override
    public CopyStrategy choose(final CopyCommand command, final CopyDirection direction, final CopyStrategy wanted)
    {
        if (!command.isReadable(Side.SOURCE) || !command.isReadable(Side.TARGET))
        {
            throw new IllegalArgumentException("the command has arrays on a device, and there is none");
        }
        return CopyStrategy.AUTO == wanted ? CopyStrategy.KERNEL : wanted;
    }

    @Override
    public void submit(final CopyBatch batch)
    {
        for (int i = 0; i < batch.count(); i++)
        {
            kernel.execute(batch.task(i).command());
        }
    }

    @Override
    public boolean isDone(final CopyBatch batch)
    {
        return true;
    }

    @Override
    public String refusal(final CopyTask task)
    {
        return null;
    }

    @Override
    public LayerEvents layerEvents(final int layers)
    {
        return LayerEvents.NONE;
    }

    @Override
    public void close()
    {
    }
}
