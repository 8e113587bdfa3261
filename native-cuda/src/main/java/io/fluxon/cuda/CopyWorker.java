package io.fluxon.cuda;

import io.fluxon.cuda.copy.CommandMemory;
import io.fluxon.cuda.copy.CopyAgent;
import io.fluxon.cuda.copy.CopyDevice;
import io.fluxon.cuda.copy.CopyLimits;
import io.fluxon.cuda.copy.CopyProxy;
import io.fluxon.cuda.copy.HostCopyDevice;
import io.fluxon.cuda.copy.LayerEvents;
import io.fluxon.cuda.device.CudaCopyDevice;
import io.fluxon.cuda.device.PinnedMemory;
import io.fluxon.cuda.driver.CudaContext;
import io.fluxon.cuda.driver.CudaLibrary;
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
 * here and now (contract REG-1). Closing it takes the registration back.
 */
public final class CopyWorker implements AutoCloseable
{
    private static final int RING_BYTES = 4 << 20;

    private final CommandMemory commands;
    private final CopyDevice device;
    private final CudaContext context;
    private final SegmentRegistry.Registration registration;
    private final CopyAgent agent;
    private final CopyProxy proxy;
    private boolean isDeviceClosed;

    private CopyWorker(
        final CopySegment segment,
        final CopyLimits limits,
        final CommandMemory commands,
        final CopyDevice device,
        final CudaContext context,
        final SegmentRegistry.Registration registration)
    {
        this.commands = commands;
        this.device = device;
        this.context = context;
        this.registration = registration;
        final RingBuffer descriptors = new ManyToOneRingBuffer(ring());
        final RingBuffer completions = new OneToOneRingBuffer(ring());
        proxy = new CopyProxy(descriptors, completions);
        agent = new CopyAgent(descriptors, completions, device,
            new CommandCheck(segment.address(), segment.grantsOffset()), commands, limits);
    }

    /**
     * Makes a worker.
     *
     * @param segment  as this process maps it; stays mapped until the worker is closed.
     * @param settings of the copies.
     * @param notice   told once, in one line, where copies are made and why.
     * @return the worker, whose agent the caller runs.
     * @throws IllegalStateException                 when a device is asked for and there is none.
     * @throws io.fluxon.cuda.driver.CudaFailure     when the device refuses, above all to register the segment.
     */
    public static CopyWorker open(
        final CopySegment segment, final CopySettings settings, final Consumer<String> notice)
    {
        final String problem = CopyPlace.HOST == settings.place() ? "so configured" : CudaLibrary.problem();
        if (null == problem)
        {
            final CopyWorker worker = openOnDevice(segment, settings);
            notice.accept("pages are copied by device " + settings.device() + ", " + worker.context.name());
            return worker;
        }
        if (CopyPlace.DEVICE == settings.place())
        {
            throw new IllegalStateException("copies on a device are asked for: " + problem);
        }
        notice.accept("pages are copied in host memory: " + problem);
        return open(segment, settings.limits(), new HostCopyDevice(settings.config().streams()));
    }

    /**
     * Makes a worker whose copies are made by a device that needs no registration.
     *
     * @param segment as this process maps it; stays mapped until the worker is closed.
     * @param limits  of what is held and in flight.
     * @param device  of the copies, closed with the worker.
     * @return the worker, whose agent the caller runs.
     */
    public static CopyWorker open(final CopySegment segment, final CopyLimits limits, final CopyDevice device)
    {
        return new CopyWorker(segment, limits, new CommandMemory(limits.tasks()), device, null, null);
    }

    /**
     * The duty cycle of the worker, to be run by one thread at a time.
     *
     * @return the agent.
     */
    public CopyAgent agent()
    {
        return agent;
    }

    /**
     * The way to the agent, for one thread at a time.
     *
     * @return the proxy.
     */
    public CopyProxy proxy()
    {
        return proxy;
    }

    /**
     * The calling thread runs the agent from here on, or asks events, until it leaves.
     */
    public void enter()
    {
        device.enter();
    }

    /**
     * The thread that entered last runs the agent no more, and is as it was: what it had made current on the device is.
     */
    public void leave()
    {
        device.leave();
    }

    /**
     * Events for a copy whose layers are awaited one by one; asked for by a thread that has entered.
     *
     * @param layers of the copy, 1 or more.
     * @return the events, to be closed before the worker.
     */
    public LayerEvents layerEvents(final int layers)
    {
        return device.layerEvents(layers);
    }

    /**
     * Ends what is in flight, takes the registration back. Nobody runs the agent any more. What throws is closed again
     * when this is called again; nothing that the device may still touch is taken back before.
     */
    @Override
    public void close()
    {
        if (!isDeviceClosed)
        {
            closeDevice();
        }
        commands.close();
        giveBack(registration, context);
    }

    private void closeDevice()
    {
        device.enter();
        try
        {
            agent.onClose();
            isDeviceClosed = true;
        }
        finally
        {
            device.leave();
        }
    }

    /** Leaves current in the calling thread what is. */
    private static CopyWorker openOnDevice(final CopySegment segment, final CopySettings settings)
    {
        final long current = CudaContext.current();
        try
        {
            return openInContext(segment, settings, new CudaContext(settings.device()));
        }
        finally
        {
            CudaContext.makeCurrent(current);
        }
    }

    private static CopyWorker openInContext(
        final CopySegment segment, final CopySettings settings, final CudaContext context)
    {
        final CommandMemory commands = new CommandMemory(settings.limits().tasks());
        SegmentRegistry.Registration registration = null;
        try
        {
            registration = SegmentRegistry.OF_PROCESS.register(segment, settings.device());
            final PinnedMemory pinned = new PinnedMemory();
            pinned.add(registration.region());
            final CopyDevice device =
                new CudaCopyDevice(context, settings.config(), settings.limits(), commands, pinned);
            return new CopyWorker(segment, settings.limits(), commands, device, context, registration);
        }
        catch (final RuntimeException ex)
        {
            commands.close();
            giveBack(registration, context);
            throw ex;
        }
    }

    private static void giveBack(final SegmentRegistry.Registration registration, final CudaContext context)
    {
        try
        {
            if (null != registration)
            {
                registration.close();
            }
        }
        finally
        {
            if (null != context)
            {
                context.close();
            }
        }
    }

    private static UnsafeBuffer ring()
    {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH));
    }
}
