package io.fluxon.cuda.driver;

import io.fluxon.cuda.ffi.CudaDriver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import static io.fluxon.cuda.driver.CudaLibrary.check;

/**
 * An event of the context that was current when it was made, or one that another library made and keeps.
 */
public final class CudaEvent implements AutoCloseable
{
    private final MemorySegment handle;
    private final boolean isOwn;
    private boolean isClosed;

    /**
     * A new event.
     *
     * @param isTimed true where the time between events is asked for, which costs a little.
     */
    public CudaEvent(final boolean isTimed)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
            check(CudaDriver.cuEventCreate(
                out, isTimed ? CudaDriver.CU_EVENT_DEFAULT() : CudaDriver.CU_EVENT_DISABLE_TIMING()), "cuEventCreate");
            handle = MemorySegment.ofAddress(out.get(ValueLayout.JAVA_LONG, 0));
        }
        isOwn = true;
    }

    private CudaEvent(final long handle)
    {
        this.handle = MemorySegment.ofAddress(handle);
        isOwn = false;
    }

    /**
     * An event of another library.
     *
     * @param handle CUevent, not 0.
     * @return the event; closing it leaves it as it is.
     */
    public static CudaEvent ofHandle(final long handle)
    {
        if (0 == handle)
        {
            throw new IllegalArgumentException("event is null");
        }
        return new CudaEvent(handle);
    }

    /**
     * The event as the driver knows it, for other libraries.
     *
     * @return CUevent.
     */
    public long handle()
    {
        return handle.address();
    }

    MemorySegment segment()
    {
        return handle;
    }

    /**
     * Records the event behind all that a stream was given so far.
     *
     * @param stream of the same context.
     */
    public void record(final CudaStream stream)
    {
        check(CudaDriver.cuEventRecord(handle, stream.segment()), "cuEventRecord");
    }

    /**
     * Has all happened that it was recorded behind?
     *
     * @return true if so.
     * @throws CudaFailure when the device failed in it.
     */
    public boolean isDone()
    {
        final int code = CudaDriver.cuEventQuery(handle);
        if (CudaDriver.CUDA_ERROR_NOT_READY() == code)
        {
            return false;
        }
        check(code, "cuEventQuery");
        return true;
    }

    /**
     * Waits until it is done.
     */
    public void synchronize()
    {
        check(CudaDriver.cuEventSynchronize(handle), "cuEventSynchronize");
    }

    /**
     * Time since another event; both timed, both done.
     *
     * @param start the earlier one.
     * @return milliseconds.
     */
    public float millisSince(final CudaEvent start)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment out = arena.allocate(ValueLayout.JAVA_FLOAT);
            check(CudaDriver.cuEventElapsedTime_v2(out, start.handle, handle), "cuEventElapsedTime");
            return out.get(ValueLayout.JAVA_FLOAT, 0);
        }
    }

    @Override
    public void close()
    {
        if (isOwn && !isClosed)
        {
            isClosed = true;
            check(CudaDriver.cuEventDestroy_v2(handle), "cuEventDestroy");
        }
    }
}
