package io.fluxon.cuda.driver;

import io.fluxon.cuda.ffi.CudaDriver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import static io.fluxon.cuda.driver.CudaLibrary.check;

/**
 * Memory of the device whose context was current.
 */
public final class DeviceMemory implements AutoCloseable
{
    private final long address;
    private final long length;
    private boolean isClosed;

    /**
     * Allocates memory of the device.
     *
     * @param length bytes, 1 or more.
     */
    public DeviceMemory(final long length)
    {
        if (length < 1)
        {
            throw new IllegalArgumentException("length is " + length + " bytes, allowed: 1 or more");
        }
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
            check(CudaDriver.cuMemAlloc_v2(out, length), "cuMemAlloc");
            address = out.get(ValueLayout.JAVA_LONG, 0);
        }
        this.length = length;
    }

    /** Address of its first byte. @return device address. */
    public long address()
    {
        return address;
    }

    /** Length. @return bytes. */
    public long length()
    {
        return length;
    }

    /**
     * Copies from the host and waits.
     *
     * @param offset  in this memory.
     * @param content to copy.
     */
    public void write(final long offset, final MemorySegment content)
    {
        checkRange(offset, content.byteSize());
        check(CudaDriver.cuMemcpyHtoD_v2(address + offset, content, content.byteSize()), "cuMemcpyHtoD");
    }

    /**
     * Copies to the host and waits.
     *
     * @param offset  in this memory.
     * @param content to fill.
     */
    public void read(final long offset, final MemorySegment content)
    {
        checkRange(offset, content.byteSize());
        check(CudaDriver.cuMemcpyDtoH_v2(content, address + offset, content.byteSize()), "cuMemcpyDtoH");
    }

    private void checkRange(final long offset, final long bytes)
    {
        if (offset < 0 || bytes > length - offset)
        {
            throw new IllegalArgumentException(
                "offset is " + offset + " for " + bytes + " bytes, allowed: 0 to " + (length - bytes));
        }
    }

    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            check(CudaDriver.cuMemFree_v2(address), "cuMemFree");
        }
    }
}
