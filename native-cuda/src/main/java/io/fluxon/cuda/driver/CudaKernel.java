package io.fluxon.cuda.driver;

import io.fluxon.cuda.ffi.CudaDriver;

import java.lang.foreign.MemorySegment;

import static io.fluxon.cuda.driver.CudaLibrary.check;

/**
 * A kernel of a module.
 */
public final class CudaKernel
{
    private final String call;
    private final MemorySegment handle;

    CudaKernel(final String name, final MemorySegment handle)
    {
        call = "cuLaunchKernel of " + name;
        this.handle = handle;
    }

    /**
     * Launches the kernel.
     *
     * @param stream     to launch on.
     * @param blocks     in x, 1 or more.
     * @param rows       of blocks in y, 1 or more.
     * @param threads    of a block.
     * @param parameters address of each parameter; all are read before this returns.
     */
    public void launch(
        final CudaStream stream, final int blocks, final int rows, final int threads, final MemorySegment parameters)
    {
        check(CudaDriver.cuLaunchKernel(
            handle, blocks, rows, 1, threads, 1, 1, 0, stream.segment(), parameters, MemorySegment.NULL), call);
    }
}
