package io.fluxon.cuda.device;

import io.fluxon.cuda.driver.CloseList;
import io.fluxon.cuda.driver.CudaKernel;
import io.fluxon.cuda.driver.CudaModule;
import io.fluxon.cuda.driver.CudaStream;
import io.fluxon.cuda.kernel.CopyCommand;
import io.fluxon.cuda.kernel.LaunchBlock;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Launches the copy kernels. Belongs to one thread.
 */
final class CopyLauncher implements AutoCloseable
{
    private final CloseList made = new CloseList();
    private final CudaKernel one;
    private final CudaKernel many;
    private final MemorySegment parameters;
    private final MemorySegment pieceBytes;
    private final MemorySegment commands;
    private final LaunchBlock block = new LaunchBlock();
    private final int threads;
    private final int warps;

    CopyLauncher(final int threads, final int pieceBytes)
    {
        this.threads = threads;
        warps = threads / 32;
        try
        {
            final Arena arena = made.add(Arena.ofShared());
            parameters = arena.allocate(2L * Long.BYTES, Long.BYTES);
            this.pieceBytes = arena.allocate(ValueLayout.JAVA_INT);
            commands = arena.allocate(ValueLayout.JAVA_LONG);
            final CudaModule module = made.add(CudaModule.copyKernels());
            one = module.kernel("fluxon_copy");
            many = module.kernel("fluxon_copy_batch");
        }
        catch (final RuntimeException ex)
        {
            throw made.closeAfter(ex);
        }
        this.pieceBytes.set(ValueLayout.JAVA_INT, 0, pieceBytes);
        parameters.setAtIndex(ValueLayout.JAVA_LONG, 1, this.pieceBytes.address());
    }

    /** Launches a command, whose memory is free again when this returns. */
    void launch(final CudaStream stream, final CopyCommand command, final int mostBlocks)
    {
        parameters.setAtIndex(ValueLayout.JAVA_LONG, 0, block.set(command).address());
        one.launch(stream, blocks(command, mostBlocks), 1, threads, parameters);
    }

    /** Launches commands whose addresses, and they themselves, lie where the device can read them. */
    void launch(final CudaStream stream, final long addresses, final int count, final int blocksEach)
    {
        commands.set(ValueLayout.JAVA_LONG, 0, addresses);
        parameters.setAtIndex(ValueLayout.JAVA_LONG, 0, commands.address());
        many.launch(stream, blocksEach, count, threads, parameters);
    }

    /** No more blocks than have something to copy. */
    private int blocks(final CopyCommand command, final int most)
    {
        final long piece = pieceBytes.get(ValueLayout.JAVA_INT, 0);
        long items = 0;
        for (int i = 0; i < command.sectionCount(); i++)
        {
            items += (command.rowBytes(i) + piece - 1) / piece *
                command.sectionLayers(i) * command.outerRows(i) * command.innerRows(i);
        }
        return Math.clamp((items * command.pageCount() + warps - 1) / warps, 1, most);
    }

    @Override
    public void close()
    {
        made.close();
    }
}
