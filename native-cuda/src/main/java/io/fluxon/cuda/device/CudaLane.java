package io.fluxon.cuda.device;

import io.fluxon.codecs.data.CopyDirection;
import io.fluxon.codecs.data.CopyStrategy;
import io.fluxon.cuda.copy.CopyBatch;
import io.fluxon.cuda.copy.CopyTask;
import io.fluxon.cuda.driver.CloseList;
import io.fluxon.cuda.driver.CudaEvent;
import io.fluxon.cuda.driver.CudaStream;
import io.fluxon.cuda.kernel.CommandWriter;
import io.fluxon.cuda.kernel.CopyCommand;
import io.fluxon.cuda.kernel.HostKernel;
import io.fluxon.cuda.kernel.Side;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies of one stream and direction on a device: one CUDA stream for the copy engine, one for kernels, one
 * for a kernel that copies past the staging ring.
 */
final class CudaLane implements AutoCloseable
{
    private static final long GROUP_RUN_BYTES = 512 << 10;
    private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private final CudaCopyConfig config;
    private final CopyLauncher launcher;
    private final boolean isRestore;
    private final CloseList made = new CloseList();
    private final CopyCommand slice = new CopyCommand();
    private final CopyCommand past = new CopyCommand();
    private final CommandWriter writer = new CommandWriter();
    private final ChunkSchedule schedule = new ChunkSchedule();
    private final HostKernel rows = new HostKernel();
    private final CudaStream engine;
    private final CudaStream kernels;
    private final CudaStream direct;
    private final CudaEvent directDone;
    private final CudaEvent stagedDone;
    private final DmaList list;
    private final StagingRing staging;
    private boolean isIdle;

    CudaLane(
        final CudaCopyConfig config,
        final CopyDirection direction,
        final int device,
        final CopyLauncher launcher,
        final PinnedMemory pinned)
    {
        this.config = config;
        this.launcher = launcher;
        isRestore = CopyDirection.RESTORE == direction;
        final int priority = isRestore ? -1 : 0;
        try
        {
            engine = made.add(new CudaStream(priority));
            engine.copyHints(isRestore, device);
            kernels = made.add(new CudaStream(priority));
            direct = made.add(new CudaStream(priority));
            directDone = made.add(new CudaEvent(false));
            stagedDone = made.add(new CudaEvent(false));
            list = made.add(new DmaList(pinned, isRestore));
            staging = made.add(new StagingRing(
                config.slots(), config.slotBytes(), isRestore ? engine : kernels, isRestore ? kernels : engine));
        }
        catch (final RuntimeException ex)
        {
            throw made.closeAfter(ex);
        }
        slice.allocate();
        past.allocate();
    }

    /** Starts a batch; returns behind which stream it is done. What throws has started what it could. */
    void submit(final CopyBatch batch, final long commandAddresses)
    {
        final CopyTask first = batch.task(0);
        if (0 != first.afterEvent())
        {
            firstStream(batch.strategy()).await(CudaEvent.ofHandle(first.afterEvent()));
        }
        switch (batch.strategy())
        {
            case DMA -> copyByEngine(batch);
            case STAGED -> copyStaged(batch);
            default -> copyByKernel(batch, commandAddresses);
        }
    }

    /** The stream that is done last. */
    CudaStream lastStream(final CopyStrategy strategy)
    {
        return CopyStrategy.KERNEL == strategy || CopyStrategy.STAGED == strategy && isRestore ? kernels : engine;
    }

    private CudaStream firstStream(final CopyStrategy strategy)
    {
        return CopyStrategy.KERNEL == strategy || CopyStrategy.STAGED == strategy && !isRestore ? kernels : engine;
    }

    private void copyByKernel(final CopyBatch batch, final long commandAddresses)
    {
        final CopyTask first = batch.task(0);
        if (batch.count() > 1)
        {
            for (int i = 0; i < batch.count(); i++)
            {
                MEMORY.setAtIndex(ValueLayout.JAVA_LONG, commandAddresses / Long.BYTES + i,
                    batch.task(i).command().buffer().addressOffset());
            }
            final int blocksEach = Math.max(1, config.kernelBlocks() / batch.count());
            launcher.launch(kernels, commandAddresses, batch.count(), blocksEach);
            return;
        }
        if (0 == first.layerEvents())
        {
            launcher.launch(kernels, first.command(), config.kernelBlocks());
            return;
        }
        for (int layer = 0; layer < first.command().layerCount(); layer++)
        {
            writer.slice(first.command(), slice, 0, first.command().pageCount(), layer, 1);
            launcher.launch(kernels, slice, config.kernelBlocks());
            recordLayers(first, layer, 1, kernels);
        }
    }

    private void copyByEngine(final CopyBatch batch)
    {
        final CopyTask first = batch.task(0);
        if (0 == first.layerEvents())
        {
            list.begin(engine);
            for (int i = 0; i < batch.count(); i++)
            {
                rows.forEachRow(batch.task(i).command(), list);
            }
            list.end();
            return;
        }
        for (int layer = 0; layer < first.command().layerCount(); layer++)
        {
            writer.slice(first.command(), slice, 0, first.command().pageCount(), layer, 1);
            rows.forEachRow(slice, list.begin(engine));
            list.end();
            recordLayers(first, layer, 1, engine);
        }
    }

    private void copyStaged(final CopyBatch batch)
    {
        for (int i = 0; i < batch.count(); i++)
        {
            final CopyTask task = batch.task(i);
            final CopyCommand command = task.command();
            if (0 != task.layerEvents())
            {
                final long run = command.layerBytes(0);
                schedule.cutByLayers(command.pageCount(), command.layerCount(), command.layerBytes(),
                    config.slotBytes(), Math.clamp(GROUP_RUN_BYTES / run, 1, command.layerCount()));
                stage(task);
            }
            else if (i == (isRestore ? batch.count() - 1 : 0))
            {
                stageAtTheEnd(task);
            }
            else
            {
                cut(command, 0, Long.MAX_VALUE);
                stage(task);
            }
        }
    }

    private void cut(final CopyCommand command, final int leftOut, final long leastBytes)
    {
        schedule.cut(command.pageCount(), command.fragmentCount(), leftOut, command.pageBytes(),
            command.longestLayerBytes(), config.slotBytes(), leastBytes);
    }

    private void stage(final CopyTask task)
    {
        for (int i = 0; i < schedule.count(); i++)
        {
            stage(task, isRestore || 0 != task.layerEvents() ? i : schedule.count() - 1 - i, 0);
        }
    }

    /** Stages a task at that end of a batch where one stage of the pipeline stands still: small chunks, and past it. */
    private void stageAtTheEnd(final CopyTask task)
    {
        final CopyCommand command = task.command();
        final int fragments = (int)Math.min(
            command.fragmentCount() - 1, config.directBytes() / command.longestLayerBytes());
        cut(command, fragments, config.leastChunk());
        if (0 == fragments)
        {
            stage(task);
            return;
        }
        final int lastPage = command.pageCount() - 1;
        try
        {
            direct.await(stagedDone);
            if (!isRestore)
            {
                copyDirectly(task, fragments);
            }
            for (int i = 0; i < schedule.count(); i++)
            {
                final int chunk = isRestore ? i : schedule.count() - 1 - i;
                final boolean isBeside =
                    isRestore && lastPage == schedule.firstPage(chunk) && 0 == schedule.firstUnit(chunk);
                if (isBeside && 0 != i)
                {
                    staging.awaitFilled(direct);
                }
                stage(task, chunk, isBeside ? fragments : 0);
            }
        }
        finally
        {
            directDone.record(direct);
            lastStream(CopyStrategy.STAGED).await(directDone);
            stagedDone.record(lastStream(CopyStrategy.STAGED));
        }
    }

    /** The last fragments of the last page. */
    private void copyDirectly(final CopyTask task, final int fragments)
    {
        final CopyCommand command = task.command();
        if (0 != task.afterEvent())
        {
            direct.await(CudaEvent.ofHandle(task.afterEvent()));
        }
        writer.sliceRun(
            command, past, command.pageCount() - 1, 1, command.fragmentCount() - fragments, fragments);
        launcher.launch(direct, past, config.kernelBlocks());
    }

    private void stage(final CopyTask task, final int chunk, final int fragmentsBeside)
    {
        final int page = schedule.firstPage(chunk);
        final int pages = schedule.pages(chunk);
        final int unit = schedule.firstUnit(chunk);
        final int units = schedule.units(chunk);
        if (0 != task.layerEvents())
        {
            writer.slice(task.command(), slice, page, pages, unit, units);
        }
        else
        {
            writer.sliceRun(task.command(), slice, page, pages, unit, units);
        }
        final long slot = staging.beginFill();
        if (isRestore)
        {
            list.begin(engine);
            collectValues(slot);
            list.end();
            if (fragmentsBeside > 0)
            {
                copyDirectly(task, fragmentsBeside);
            }
            staging.beginEmpty();
            writer.dense(slice, Side.SOURCE, slot);
            launcher.launch(kernels, slice, config.spreadBlocks());
            staging.endEmpty();
        }
        else
        {
            list.begin(engine);
            collectValues(slot);
            writer.dense(slice, Side.TARGET, slot);
            launcher.launch(kernels, slice, config.spreadBlocks());
            staging.beginEmpty();
            list.end();
            staging.endEmpty();
        }
        if (0 != task.layerEvents() && task.command().pageCount() == page + pages)
        {
            recordLayers(task, unit, units, isRestore ? kernels : engine);
        }
    }

    /** The runs of values that a slot holds, one after the other. */
    private void collectValues(final long slot)
    {
        final Side side = isRestore ? Side.SOURCE : Side.TARGET;
        long position = slot;
        for (int page = 0; page < slice.pageCount(); page++)
        {
            for (int section = 0; section < slice.sectionCount(); section++)
            {
                final long value = slice.address(side, page, section);
                final long bytes = slice.sectionBytes(section);
                list.onRow(isRestore ? value : position, isRestore ? position : value, bytes);
                position += bytes;
            }
        }
    }

    private static void recordLayers(
        final CopyTask task, final int firstLayer, final int layers, final CudaStream stream)
    {
        for (int i = firstLayer; i < firstLayer + layers; i++)
        {
            CudaEvent.ofHandle(MEMORY.getAtIndex(
                ValueLayout.JAVA_LONG, task.layerEvents() / Long.BYTES + i)).record(stream);
        }
    }

    @Override
    public void close()
    {
        try
        {
            awaitIdle();
        }
        finally
        {
            made.close();
        }
    }

    /** A stream that cannot say that it is idle is one of a context that is lost: nothing of it runs any more. */
    private void awaitIdle()
    {
        if (!isIdle)
        {
            isIdle = true;
            engine.synchronize();
            kernels.synchronize();
            direct.synchronize();
        }
    }
}
