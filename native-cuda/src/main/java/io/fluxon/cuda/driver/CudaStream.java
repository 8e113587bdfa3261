package io.fluxon.cuda.driver;

import io.fluxon.cuda.ffi.CUmemLocation_st;
import io.fluxon.cuda.ffi.CUmemcpyAttributes_st;
import io.fluxon.cuda.ffi.CudaDriver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import static io.fluxon.cuda.driver.CudaLibrary.check;

/**
 * A stream of the context that was current when it was made; not the default stream, which batches of copies refuse,
 * and not ordered with it. Closing it waits for nothing.
 */
public final class CudaStream implements AutoCloseable
{
    private final MemorySegment handle;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment attributes = CUmemcpyAttributes_st.allocate(arena);
    private final MemorySegment attributesIndex = arena.allocate(ValueLayout.JAVA_LONG);
    private boolean isClosed;

    /**
     * A new stream.
     *
     * @param priority lower numbers go first; 0 is the least urgent.
     */
    public CudaStream(final int priority)
    {
        try (Arena scratch = Arena.ofConfined())
        {
            final MemorySegment out = scratch.allocate(ValueLayout.JAVA_LONG);
            check(CudaDriver.cuStreamCreateWithPriority(out, CudaDriver.CU_STREAM_NON_BLOCKING(), priority),
                "cuStreamCreateWithPriority");
            handle = MemorySegment.ofAddress(out.get(ValueLayout.JAVA_LONG, 0));
        }
        CUmemcpyAttributes_st.srcAccessOrder(attributes, CudaDriver.CU_MEMCPY_SRC_ACCESS_ORDER_STREAM());
    }

    /**
     * The stream as the driver knows it, for other libraries.
     *
     * @return CUstream.
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
     * Says where the copies of batches go from and to.
     *
     * @param isRestore true from host to device, false from device to host.
     * @param device    ordinal.
     */
    public void copyHints(final boolean isRestore, final int device)
    {
        hint(CUmemcpyAttributes_st.srcLocHint(attributes), isRestore, device);
        hint(CUmemcpyAttributes_st.dstLocHint(attributes), !isRestore, device);
    }

    private static void hint(final MemorySegment location, final boolean isHost, final int device)
    {
        CUmemLocation_st.type(location, isHost ?
            CudaDriver.CU_MEM_LOCATION_TYPE_HOST() : CudaDriver.CU_MEM_LOCATION_TYPE_DEVICE());
        CUmemLocation_st.id(location, isHost ? 0 : device);
    }

    /**
     * Copies between any two addresses.
     *
     * @param target address to write at.
     * @param source address to read at.
     * @param length bytes.
     */
    public void copy(final long target, final long source, final long length)
    {
        check(CudaDriver.cuMemcpyAsync(target, source, length, handle), "cuMemcpyAsync");
    }

    /**
     * Copies many pieces with one call; none may straddle two registrations.
     *
     * @param targets addresses to write at.
     * @param sources addresses to read at.
     * @param lengths bytes of each.
     * @param count   1 or more.
     */
    public void copyBatch(
        final MemorySegment targets, final MemorySegment sources, final MemorySegment lengths, final long count)
    {
        check(CudaDriver.cuMemcpyBatchAsync_v2(
            targets, sources, lengths, count, attributes, attributesIndex, 1, handle), "cuMemcpyBatchAsync");
    }

    /**
     * Fills memory of the device.
     *
     * @param address of it.
     * @param value   of each byte.
     * @param length  bytes.
     */
    public void fill(final long address, final byte value, final long length)
    {
        check(CudaDriver.cuMemsetD8Async(address, value, length, handle), "cuMemsetD8Async");
    }

    /**
     * Has the stream wait for an event before it goes on.
     *
     * @param event recorded on any stream.
     */
    public void await(final CudaEvent event)
    {
        check(CudaDriver.cuStreamWaitEvent(handle, event.segment(), CudaDriver.CU_EVENT_WAIT_DEFAULT()),
            "cuStreamWaitEvent");
    }

    /**
     * Waits for all that was given to the stream.
     */
    public void synchronize()
    {
        check(CudaDriver.cuStreamSynchronize(handle), "cuStreamSynchronize");
    }

    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            arena.close();
            check(CudaDriver.cuStreamDestroy_v2(handle), "cuStreamDestroy");
        }
    }
}
