package io.fluxon.cuda.gpu;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStatus;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.copy.CommandMemory;
import io.fluxon.cuda.copy.CopyAgent;
import io.fluxon.cuda.copy.CopyDevice;
import io.fluxon.cuda.copy.CopyLimits;
import io.fluxon.cuda.copy.CopyListener;
import io.fluxon.cuda.copy.CopyProxy;
import io.fluxon.cuda.copy.HostCopyDevice;
import io.fluxon.cuda.device.CudaCopyConfig;
import io.fluxon.cuda.device.CudaCopyDevice;
import io.fluxon.cuda.device.PinnedMemory;
import io.fluxon.cuda.driver.CudaContext;
import io.fluxon.cuda.driver.DeviceMemory;
import io.fluxon.cuda.driver.PinnedRegion;
import io.fluxon.cuda.kernel.CommandCheck;
import io.fluxon.cuda.kernel.CopyCommand;
import io.fluxon.ipc.plan.PlanBlob;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

/**
 * A segment in shared memory, registered, pools on the device, and a copy worker between them, stepped by the caller's
 * thread. Without a device the pools lie in host memory and the worker's device is the twin.
 */
final class GpuBed implements AutoCloseable, CopyListener
{
    /** Bytes of the plan arena, at the start of the segment. */
    static final long ARENA_BYTES = 4L << 20;

    private static final long TIMEOUT_NS = 20_000_000_000L;
    private static final int RING_BYTES = 16 << 20;
    private static final int FILL_BYTES = 1 << 20;

    private final Arena memory = Arena.ofShared();
    private final CudaContext context;
    private final PinnedMemory pinned = new PinnedMemory();
    private final MemorySegment segment;
    private final PinnedRegion region;
    private final DeviceMemory devicePools;
    private final MemorySegment hostPools;
    private final CopyLimits limits;
    private CommandMemory commands;
    private CopyAgent agent;
    private CopyProxy proxy;
    private long planPosition;
    private int ended;
    private int recorded;
    private String failure;

    GpuBed(final CudaContext context, final long valueBytes, final long poolBytes, final CopyLimits limits)
    {
        this.context = context;
        this.limits = limits;
        segment = mapped(ARENA_BYTES + valueBytes);
        hostPools = null == context ? memory.allocate(poolBytes, 4096) : null;
        devicePools = null == context ? null : new DeviceMemory(poolBytes);
        region = null == context ? null :
            new PinnedRegion(segment.address(), segment.byteSize(), segment.byteSize());
        if (null != region)
        {
            pinned.add(region);
        }
    }

    /** Starts a worker, in the place of the one before. */
    GpuBed start(final CudaCopyConfig config)
    {
        stop();
        commands = new CommandMemory(limits.tasks());
        final CopyDevice device = null == context ? new HostCopyDevice(config.streams()) :
            new CudaCopyDevice(context, config, limits, commands, pinned);
        final OneToOneRingBuffer descriptors = ring();
        final OneToOneRingBuffer completions = ring();
        proxy = new CopyProxy(descriptors, completions);
        agent = new CopyAgent(descriptors, completions, device,
            new CommandCheck(segment.address(), ARENA_BYTES), commands, limits);
        agent.onStart();
        return this;
    }

    CudaContext context()
    {
        return context;
    }

    PinnedMemory pinned()
    {
        return pinned;
    }

    /** The part of the segment that values lie in. */
    MemorySegment values()
    {
        return segment.asSlice(ARENA_BYTES);
    }

    long poolAddress()
    {
        return null == context ? hostPools.address() : devicePools.address();
    }

    void writePools(final long offset, final MemorySegment content)
    {
        if (null == context)
        {
            hostPools.asSlice(offset, content.byteSize()).copyFrom(content);
            return;
        }
        devicePools.write(offset, content);
    }

    void readPools(final long offset, final MemorySegment content)
    {
        if (null == context)
        {
            content.copyFrom(hostPools.asSlice(offset, content.byteSize()));
            return;
        }
        devicePools.read(offset, content);
    }

    /** Takes memory of the plan arena, which device and host can read, until {@link #resetArena}. */
    MemorySegment arena(final long bytes)
    {
        final MemorySegment part = segment.asSlice(planPosition, bytes);
        planPosition += (bytes + 63) & -64;
        return part;
    }

    void resetArena()
    {
        planPosition = 0;
    }

    MemorySegment longs(final long... numbers)
    {
        final MemorySegment array = arena(Math.max(1, numbers.length) * (long)Long.BYTES);
        MemorySegment.copy(numbers, 0, array, ValueLayout.JAVA_LONG, 0, numbers.length);
        return array;
    }

    MemorySegment ints(final int... numbers)
    {
        final MemorySegment array = arena(Math.max(1, numbers.length) * (long)Integer.BYTES);
        MemorySegment.copy(numbers, 0, array, ValueLayout.JAVA_INT, 0, numbers.length);
        return array;
    }

    long plan(final long... values)
    {
        final long address = arena(PlanBlob.length(values.length)).address();
        final PlanBlob blob = new PlanBlob().init(address, values.length);
        for (int i = 0; i < values.length; i++)
        {
            blob.valuePtr(i, values[i]);
        }
        return address;
    }

    /** Offers a copy, stepping the worker while its ring is full. */
    void offer(
        final CopyCommand command,
        final CopyDirection direction,
        final CopyStrategy strategy,
        final int stream,
        final long afterEvent,
        final long layerEvents)
    {
        while (!proxy.offer(ended, stream, direction, strategy, afterEvent, layerEvents, command))
        {
            step();
        }
    }

    int step()
    {
        return agent.doWork() + proxy.poll(this, 256);
    }

    /** Steps until so many copies have ended; the first failure since the last call, or null. */
    String await(final int count)
    {
        final long deadline = System.nanoTime() + TIMEOUT_NS;
        while (ended < count)
        {
            if (0 == step() && System.nanoTime() > deadline)
            {
                throw new IllegalStateException("only " + ended + " of " + count + " copies ended in time");
            }
        }
        final String result = failure;
        ended = 0;
        failure = null;
        return result;
    }

    /** Steps until the layer events of so many copies are recorded. */
    void awaitRecorded(final int count)
    {
        final long deadline = System.nanoTime() + TIMEOUT_NS;
        while (recorded < count && null == failure)
        {
            if (0 == step() && System.nanoTime() > deadline)
            {
                throw new IllegalStateException("no layer events in time");
            }
        }
        recorded = 0;
    }

    /** Random bytes, by all processors. */
    static void fillRandom(final MemorySegment content, final long seed)
    {
        final int parts = (int)((content.byteSize() + FILL_BYTES - 1) / FILL_BYTES);
        IntStream.range(0, parts).parallel().forEach((i) ->
        {
            final long from = (long)i * FILL_BYTES;
            final MemorySegment part = content.asSlice(from, Math.min(FILL_BYTES, content.byteSize() - from));
            final SplittableRandom random = new SplittableRandom(seed * 31 + i);
            long offset = 0;
            for (; offset + Long.BYTES <= part.byteSize(); offset += Long.BYTES)
            {
                part.set(ValueLayout.JAVA_LONG_UNALIGNED, offset, random.nextLong());
            }
            for (; offset < part.byteSize(); offset++)
            {
                part.set(ValueLayout.JAVA_BYTE, offset, (byte)random.nextInt());
            }
        });
    }

    @Override
    public void onCopied(final long token, final CopyStatus status, final String reason)
    {
        ended++;
        if (CopyStatus.DONE != status && null == failure)
        {
            failure = status + ": " + reason;
        }
    }

    @Override
    public void onRecorded(final long token)
    {
        recorded++;
    }

    @Override
    public void close()
    {
        stop();
        if (null != context)
        {
            region.close();
            devicePools.close();
        }
        memory.close();
    }

    private void stop()
    {
        if (null != agent)
        {
            agent.onClose();
            commands.close();
            agent = null;
        }
    }

    /** Shared memory as a worker maps it; its name goes at once. */
    private MemorySegment mapped(final long bytes)
    {
        try
        {
            final Path path = Files.createTempFile(Path.of("/dev/shm"), "fluxon-gpu-", ".segment");
            try (FileChannel channel = FileChannel.open(path, READ, WRITE))
            {
                channel.write(ByteBuffer.allocate(1), bytes - 1);
                return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, memory);
            }
            finally
            {
                Files.delete(path);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static OneToOneRingBuffer ring()
    {
        return new OneToOneRingBuffer(new UnsafeBuffer(
            ByteBuffer.allocateDirect(RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH)));
    }
}
