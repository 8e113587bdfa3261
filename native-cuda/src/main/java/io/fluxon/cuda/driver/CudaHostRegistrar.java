package io.fluxon.cuda.driver;

import io.fluxon.cuda.ffi.CudaDriver;

import java.lang.foreign.MemorySegment;

import static io.fluxon.cuda.driver.CudaLibrary.check;

/**
 * Registers host memory with the CUDA driver. Registrations belong to the context that they are made in, so this keeps
 * one of its own for as long as it is open, whichever thread calls.
 */
public final class CudaHostRegistrar implements HostRegistrar
{
    /** Works in the context that is current in the calling thread. */
    static final HostRegistrar OF_CURRENT_CONTEXT = new CudaHostRegistrar(null);

    private final CudaContext context;

    /**
     * A registrar that keeps the primary context of a device.
     *
     * @param device ordinal.
     * @throws CudaFailure           when the driver refuses.
     * @throws IllegalStateException when there is no driver.
     */
    public CudaHostRegistrar(final int device)
    {
        this(new CudaContext(device));
    }

    private CudaHostRegistrar(final CudaContext context)
    {
        this.context = context;
    }

    @Override
    public void register(final long address, final long length)
    {
        inContext(() -> check(CudaDriver.cuMemHostRegister_v2(MemorySegment.ofAddress(address), length,
            CudaDriver.CU_MEMHOSTREGISTER_PORTABLE() | CudaDriver.CU_MEMHOSTREGISTER_DEVICEMAP()),
            "cuMemHostRegister"));
    }

    @Override
    public void unregister(final long address)
    {
        inContext(() ->
            check(CudaDriver.cuMemHostUnregister(MemorySegment.ofAddress(address)), "cuMemHostUnregister"));
    }

    @Override
    public void close()
    {
        if (null != context)
        {
            context.close();
        }
    }

    private void inContext(final Runnable call)
    {
        if (null == context)
        {
            call.run();
            return;
        }
        context.enter();
        try
        {
            call.run();
        }
        finally
        {
            CudaContext.leave();
        }
    }
}
