package io.fluxon.cuda.device;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.copy.CommandMemory;
import io.fluxon.cuda.copy.CopyBatch;
import io.fluxon.cuda.copy.CopyDevice;
import io.fluxon.cuda.copy.CopyLimits;
import io.fluxon.cuda.copy.CopyTask;
import io.fluxon.cuda.copy.LayerEvents;
import io.fluxon.cuda.driver.CloseList;
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
    private final CloseList made = new CloseList();
    private final MemorySegment statuses;
    private final MemorySegment addresses;
    private final int batchTasks;
    private final CudaLane[] lanes;
    private final CudaEvent[] done;
    private final boolean[] isRecorded;

    /**
     * A device. What throws keeps nothing of it.
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
        isRecorded = new boolean[limits.batches()];
        lanes = new CudaLane[2 * config.streams()];
        done = new CudaEvent[limits.batches()];
        try
        {
            final Arena arena = made.add(Arena.ofShared());
            statuses = arena.allocate((long)limits.tasks() * Integer.BYTES, PAGE);
            addresses = arena.allocate((long)limits.batches() * batchTasks * Long.BYTES, PAGE);
            register(statuses);
            register(addresses);
            register(memory.memory());
            final CopyLauncher launcher = made.add(new CopyLauncher(config.threads(), config.pieceBytes()));
            for (int i = 0; i < done.length; i++)
            {
                done[i] = made.add(new CudaEvent(false));
            }
            for (int i = 0; i < lanes.length; i++)
            {
                lanes[i] = made.add(new CudaLane(
                    config, CopyDirection.get((short)(i & 1)), context.ordinal(), launcher, pinned));
            }
        }
        catch (final RuntimeException ex)
        {
            throw made.closeAfter(ex);
        }
    }

    @Override
    public void enter()
    {
        context.enter();
    }

    @Override
    public void leave()
    {
        CudaContext.leave();
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
        made.close();
    }

    private void register(final MemorySegment memory)
    {
        made.add(new PinnedRegion(memory.address(), memory.byteSize(), memory.byteSize()));
    }
}
