package io.fluxon.cuda;

import io.fluxon.cuda.copy.CommandMemory;
import io.fluxon.cuda.copy.CopyAgent;
import io.fluxon.cuda.copy.CopyLimits;
import io.fluxon.cuda.copy.CopyProxy;
import io.fluxon.cuda.copy.HostCopyDevice;
import io.fluxon.cuda.device.CudaCopyConfig;
import io.fluxon.cuda.device.CudaCopyDevice;
import io.fluxon.cuda.device.PinnedMemory;
import io.fluxon.cuda.driver.CudaContext;
import io.fluxon.cuda.driver.CudaLibrary;
import io.fluxon.cuda.driver.PinnedRegion;
import io.fluxon.cuda.kernel.CommandCheck;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * A worker process's copies between its pools and its owner's segment: rings, agent and device, made once. On a device
 * the segment is registered before this returns, so before the first plan, and a registration that fails is an error
 * here and now (contract REG-1). Closing it takes the registration back; run the agent's {@code onClose} before.
 */
public final class CopyWorker implements AutoCloseable
{
    private static final int RING_BYTES = 4 << 20;

    private final CommandMemory commands;
    private final CudaContext context;
    private final PinnedRegion region;
    private final CopyAgent agent;
    private final CopyProxy proxy;

    private CopyWorker(
        final CopySegment segment, final CudaCopyConfig config, final CopyLimits limits, final boolean isOnDevice)
    {
        final CommandCheck check = new CommandCheck(segment.arenaAddress(), segment.arenaLength());
        final RingBuffer descriptors = new ManyToOneRingBuffer(ring());
        final RingBuffer completions = new OneToOneRingBuffer(ring());
        commands = new CommandMemory(limits.tasks());
        proxy = new CopyProxy(descriptors, completions);
        if (isOnDevice)
        {
            context = new CudaContext(segment.device());
            region = register(segment, context);
            final PinnedMemory pinned = new PinnedMemory();
            pinned.add(region);
            agent = new CopyAgent(descriptors, completions,
                new CudaCopyDevice(context, config, limits, commands, pinned), check, commands, limits);
        }
        else
        {
            context = null;
            region = null;
            agent = new CopyAgent(
                descriptors, completions, new HostCopyDevice(config.streams()), check, commands, limits);
        }
    }

    /**
     * Makes a worker.
     *
     * @param segment as this process maps it.
     * @param place   of the pools.
     * @param config  of copies on a device.
     * @param limits  of what is held and in flight.
     * @param notice  told once, in one line, where copies are made and why.
     * @return the worker, whose agent the caller runs.
     * @throws IllegalStateException                 when a device is asked for and there is none.
     * @throws io.fluxon.cuda.driver.CudaFailure     when the device refuses, above all to register the segment.
     */
    public static CopyWorker open(
        final CopySegment segment,
        final CopyPlace place,
        final CudaCopyConfig config,
        final CopyLimits limits,
        final Consumer<String> notice)
    {
        final String problem = CopyPlace.HOST == place ? "so configured" : CudaLibrary.problem();
        if (CopyPlace.DEVICE == place && null != problem)
        {
            throw new IllegalStateException("copies on a device are asked for: " + problem);
        }
        final CopyWorker worker = new CopyWorker(segment, config, limits, null == problem);
        notice.accept(null == problem ?
            "pages are copied by device " + segment.device() + ", " + worker.context.name() :
            "pages are copied in host memory: " + problem);
        return worker;
    }

    /**
     * The duty cycle of the worker, to be run by one thread.
     *
     * @return the agent.
     */
    public CopyAgent agent()
    {
        return agent;
    }

    /**
     * The way to the agent, for one thread.
     *
     * @return the proxy.
     */
    public CopyProxy proxy()
    {
        return proxy;
    }

    @Override
    public void close()
    {
        if (null != context)
        {
            context.makeCurrent();
            region.close();
            context.close();
        }
        commands.close();
    }

    private static PinnedRegion register(final CopySegment segment, final CudaContext context)
    {
        try
        {
            return new PinnedRegion(segment.address(), segment.length(), segment.chunkBytes());
        }
        catch (final RuntimeException ex)
        {
            context.close();
            throw ex;
        }
    }

    private static UnsafeBuffer ring()
    {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH));
    }
}
