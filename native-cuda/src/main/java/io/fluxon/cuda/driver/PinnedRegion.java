package io.fluxon.cuda.driver;

import io.fluxon.cuda.ffi.CudaDriver;

import java.lang.foreign.MemorySegment;

import static io.fluxon.cuda.driver.CudaLibrary.check;

/**
 * Host memory that is registered with CUDA, portable and mapped (contract REG-1): its addresses are those of the device
 * too. A long region is registered in chunks, since no copy of a batch may straddle two registrations: a chunk ends
 * where the caller says that no value straddles. Closing it takes every chunk back; the memory itself stays.
 */
public final class PinnedRegion implements AutoCloseable
{
    private final long address;
    private final long length;
    private final long chunkBytes;
    private long registered;

    /**
     * Registers memory that is mapped.
     *
     * @param address    of its first byte, a multiple of the system's page.
     * @param length     in bytes, 1 or more.
     * @param chunkBytes of a registration, 1 or more: values lie between multiples of it, counted from the address.
     * @throws CudaFailure when the driver refuses; nothing stays registered then.
     */
    public PinnedRegion(final long address, final long length, final long chunkBytes)
    {
        if (0 == address || length < 1 || chunkBytes < 1)
        {
            throw new IllegalArgumentException("region at " + address + " of " + length + " bytes in chunks of " +
                chunkBytes + ", allowed: an address, 1 or more");
        }
        this.address = address;
        this.length = length;
        this.chunkBytes = chunkBytes;
        try
        {
            while (registered < length)
            {
                final long chunk = Math.min(chunkBytes, length - registered);
                check(CudaDriver.cuMemHostRegister_v2(MemorySegment.ofAddress(address + registered), chunk,
                    CudaDriver.CU_MEMHOSTREGISTER_PORTABLE() | CudaDriver.CU_MEMHOSTREGISTER_DEVICEMAP()),
                    "cuMemHostRegister of " + chunk + " bytes at offset " + registered + " of " + length);
                registered += chunk;
            }
        }
        catch (final CudaFailure ex)
        {
            release(ex);
            throw ex;
        }
    }

    /** Address of its first byte. @return host address, and device address. */
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
     * Does a span lie in the region?
     *
     * @param from  address of its first byte.
     * @param bytes of it, 1 or more.
     * @return true if all of it does.
     */
    public boolean contains(final long from, final long bytes)
    {
        final long offset = from - address;
        return offset >= 0 && bytes <= length && offset <= length - bytes;
    }

    /**
     * Does a span of the region lie in one registration, so that one copy can move it?
     *
     * @param from  address of its first byte.
     * @param bytes of it, 1 or more.
     * @return true if so.
     */
    public boolean isTogether(final long from, final long bytes)
    {
        return (from - address) / chunkBytes == (from - address + bytes - 1) / chunkBytes;
    }

    @Override
    public void close()
    {
        release(null);
    }

    /** Takes back from the start, so that what could not be taken back is not taken back twice. */
    private void release(final CudaFailure reason)
    {
        CudaFailure failure = reason;
        for (long offset = 0; offset < registered; offset += chunkBytes)
        {
            try
            {
                check(CudaDriver.cuMemHostUnregister(MemorySegment.ofAddress(address + offset)),
                    "cuMemHostUnregister at offset " + offset);
            }
            catch (final CudaFailure ex)
            {
                if (null == failure)
                {
                    failure = ex;
                }
                else
                {
                    failure.addSuppressed(ex);
                }
            }
        }
        registered = 0;
        if (null == reason && null != failure)
        {
            throw failure;
        }
    }
}
