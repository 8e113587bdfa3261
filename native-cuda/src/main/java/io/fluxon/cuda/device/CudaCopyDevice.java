package io.fluxon.cuda.device;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.copy.CommandMemory;
import io.fluxon.cuda.copy.CopyBatch;
import io.fluxon.cuda.copy.CopyDevice;
import io.fluxon.cuda.copy.CopyLimits;
import io.fluxon.cuda.copy.CopyTask;
import io.fluxon.cuda.copy.LayerEvents;
import io.fluxon.cuda.driver.CudaContext;
import io.fluxon.cuda.driver.CudaEvent;
import io.fluxon.cuda.driver.PinnedRegion;
import io.fluxon.cuda.kernel.CopyCommand;
import io.fluxon.cuda.kernel.Side;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies on a CUDA device. Made by any thread, then used by the agent's alone.
 */
public final class CudaCopyDevice implements CopyDevice
{
    private static final String[] REFUSALS = {
        null,
        "the plan is none, or has not as many values as the call names",
        "a value of the plan has no address",
        "an entry of layers is null",
        "a page index is negative"};
    private static final long PAGE = 4096;

    private final CudaContext context;
    private final CudaCopyConfig config;
    private final PinnedMemory pinned;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment statuses;
    private final MemorySegment addresses;
    private final int batchTasks;
    private final PinnedRegion statusRegion;
    private final PinnedRegion addressRegion;
    private final PinnedRegion commandRegion;
    private final CopyLauncher launcher;
    private final CudaLane[] lanes;
    private final CudaEvent[] done;
    private final boolean[] isRecorded;

    /**
     * A device.
     *
     * @param context of it, kept by the caller, current in the calling thread.
     * @param config  of its copies.
     * @param limits  of the agent that will use it.
     * @param memory  of the agent's commands.
     * @param pinned  host memory that copies may touch.
     */
    public CudaCopyDevice(
        final CudaContext context,
        final CudaCopyConfig config,
        final CopyLimits limits,
        final CommandMemory memory,
        final PinnedMemory pinned)
    {
        this.context = context;
        this.config = config;
        this.pinned = pinned;
        batchTasks = limits.batchTasks();
        statuses = arena.allocate((long)limits.tasks() * Integer.BYTES, PAGE);
        addresses = arena.allocate((long)limits.batches() * batchTasks * Long.BYTES, PAGE);
        statusRegion = register(statuses);
        addressRegion = register(addresses);
        commandRegion = register(memory.memory());
        launcher = new CopyLauncher(config.threads(), config.pieceBytes());
        lanes = new CudaLane[2 * config.streams()];
        for (int i = 0; i < lanes.length; i++)
        {
            lanes[i] = new CudaLane(config, CopyDirection.get((short)(i & 1)), context.ordinal(), launcher, pinned);
        }
        done = new CudaEvent[limits.batches()];
        for (int i = 0; i < done.length; i++)
        {
            done[i] = new CudaEvent(false);
        }
        isRecorded = new boolean[limits.batches()];
    }

    @Override
    public void onStart()
    {
        context.makeCurrent();
    }

    @Override
    public int streamCount()
    {
        return config.streams();
    }

    @Override
    public CopyStrategy choose(final CopyCommand command, final CopyDirection direction, final CopyStrategy wanted)
    {
        final Side hostSide = CopyDirection.RESTORE == direction ? Side.SOURCE : Side.TARGET;
        if (!command.isReadable(hostSide))
        {
            throw new IllegalArgumentException(hostSide + ": the host's side has arrays on the device");
        }
        pinned.check(command, hostSide);
        final boolean canDma = command.isReadable(hostSide.other());
        final boolean canStage = command.isDense(hostSide) && command.sectionCount() > 0 &&
            command.layerBytes() <= config.slotBytes() / 2;
        if (CopyStrategy.AUTO == wanted)
        {
            return 0 == command.sectionCount() ? CopyStrategy.KERNEL :
                config.table().choose(
                    command.layerBytes(0), command.pageCount() * command.pageBytes(), canStage, canDma);
        }
        if (CopyStrategy.STAGED == wanted && !canStage || CopyStrategy.DMA == wanted && !canDma)
        {
            throw new IllegalArgumentException("strategy is " + wanted + ", which cannot make this copy, allowed: " +
                "KERNEL" + (canDma ? ", DMA" : "") + (canStage ? ", STAGED" : ""));
        }
        return wanted;
    }

    @Override
    public void submit(final CopyBatch batch)
    {
        for (int i = 0; i < batch.count(); i++)
        {
            final CopyTask task = batch.task(i);
            statuses.setAtIndex(ValueLayout.JAVA_INT, task.index(), 0);
            task.command().status(statuses.address() + (long)task.index() * Integer.BYTES);
        }
        final CudaLane lane = lanes[2 * batch.stream() + batch.direction().value()];
        isRecorded[batch.index()] = false;
        try
        {
            lane.submit(batch, addresses.address() + (long)batch.index() * batchTasks * Long.BYTES);
        }
        finally
        {
            done[batch.index()].record(lane.lastStream(batch.strategy()));
            isRecorded[batch.index()] = true;
        }
    }

    @Override
    public boolean isDone(final CopyBatch batch)
    {
        return !isRecorded[batch.index()] || done[batch.index()].isDone();
    }

    @Override
    public String refusal(final CopyTask task)
    {
        return REFUSALS[statuses.getAtIndex(ValueLayout.JAVA_INT, task.index())];
    }

    @Override
    public LayerEvents layerEvents(final int layers)
    {
        return new CudaLayerEvents(layers);
    }

    @Override
    public void close()
    {
        for (final CudaLane lane : lanes)
        {
            lane.close();
        }
        for (final CudaEvent event : done)
        {
            event.close();
        }
        launcher.close();
        commandRegion.close();
        addressRegion.close();
        statusRegion.close();
        arena.close();
    }

    private static PinnedRegion register(final MemorySegment memory)
    {
        return new PinnedRegion(memory.address(), memory.byteSize(), memory.byteSize());
    }
}
