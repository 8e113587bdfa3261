package io.fluxon.cuda.driver;

import io.fluxon.cuda.ffi.CudaDriver;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import static io.fluxon.cuda.driver.CudaLibrary.check;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Kernels in the context that was current when they were loaded. The driver compiles their PTX for the device then.
 */
public final class CudaModule implements AutoCloseable
{
    private static final String COPY_PTX = "copy.ptx";

    private final MemorySegment handle;
    private boolean isClosed;

    private CudaModule(final String ptx)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
            check(CudaDriver.cuModuleLoadData(out, arena.allocateFrom(ptx, UTF_8)), "cuModuleLoadData");
            handle = MemorySegment.ofAddress(out.get(ValueLayout.JAVA_LONG, 0));
        }
    }

    /**
     * Loads the copy kernels.
     *
     * @return the module.
     */
    public static CudaModule copyKernels()
    {
        return new CudaModule(copyPtx());
    }

    /**
     * Loads kernels.
     *
     * @param ptx of them.
     * @return the module.
     */
    public static CudaModule ofPtx(final String ptx)
    {
        return new CudaModule(ptx);
    }

    /**
     * PTX of the copy kernels.
     *
     * @return as it lies beside the classes.
     */
    static String copyPtx()
    {
        try (InputStream in = CudaModule.class.getResourceAsStream(COPY_PTX))
        {
            return new String(in.readAllBytes(), UTF_8);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Finds a kernel.
     *
     * @param name of its entry.
     * @return the kernel, which lives as long as the module.
     */
    public CudaKernel kernel(final String name)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
            check(CudaDriver.cuModuleGetFunction(out, handle, arena.allocateFrom(name, UTF_8)),
                "cuModuleGetFunction of " + name);
            return new CudaKernel(name, MemorySegment.ofAddress(out.get(ValueLayout.JAVA_LONG, 0)));
        }
    }

    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            check(CudaDriver.cuModuleUnload(handle), "cuModuleUnload");
        }
    }
}
