package io.fluxon.cuda.driver;

/**
 * Host memory that is registered with CUDA, portable and mapped (contract REG-1): its addresses are those of the device
 * too. A long region is registered in chunks, since no copy of a batch may straddle two registrations: a chunk ends
 * where the caller says that no value straddles. Closing it takes every chunk back; the memory itself stays.
 */
public final class PinnedRegion implements AutoCloseable
{
    private final String name;
    private final long address;
    private final long length;
    private final long firstBytes;
    private final long chunkBytes;
    private final HostRegistrar registrar;
    private long registered;

    /**
     * Registers memory that is mapped, in the context that is current.
     *
     * @param address    of its first byte, a multiple of the system's page.
     * @param length     in bytes, 1 or more.
     * @param chunkBytes of a registration, 1 or more: values lie between multiples of it, counted from the address.
     * @throws CudaFailure when the driver refuses; nothing stays registered then.
     */
    public PinnedRegion(final long address, final long length, final long chunkBytes)
    {
        this("host memory", address, length, 0, chunkBytes, CudaHostRegistrar.OF_CURRENT_CONTEXT);
    }

    /**
     * Registers memory that is mapped.
     *
     * @param name       of it, for errors.
     * @param address    of its first byte, a multiple of the system's page.
     * @param length     in bytes, 1 or more.
     * @param firstBytes of the first registration, 0 or more.
     * @param chunkBytes of each other, 1 or more: values lie between multiples of it, counted from behind the first.
     * @param registrar  that registers, stays the caller's, and open as long as the region.
     * @throws CudaFailure when it refuses: the message names the region, the chunk and the code; nothing stays
     *                     registered then.
     */
    public PinnedRegion(
        final String name,
        final long address,
        final long length,
        final long firstBytes,
        final long chunkBytes,
        final HostRegistrar registrar)
    {
        if (0 == address || length < 1 || firstBytes < 0 || chunkBytes < 1)
        {
            throw new IllegalArgumentException(name + " at " + address + " of " + length + " bytes in chunks of " +
                firstBytes + " and " + chunkBytes + ", allowed: an address, 1 or more, 0 or more, 1 or more");
        }
        this.name = name;
        this.address = address;
        this.length = length;
        this.firstBytes = firstBytes;
        this.chunkBytes = chunkBytes;
        this.registrar = registrar;
        while (registered < length)
        {
            register(endOfChunk(registered) - registered);
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
        return from - address + bytes <= endOfChunk(from - address);
    }

    @Override
    public void close()
    {
        release(null);
    }

    private void register(final long chunk)
    {
        try
        {
            registrar.register(address + registered, chunk);
            registered += chunk;
        }
        catch (final CudaFailure ex)
        {
            final CudaFailure failure = new CudaFailure(about(chunk, registered), ex);
            release(failure);
            throw failure;
        }
    }

    /** Takes back from the start, so that what could not be taken back is not taken back twice. */
    private void release(final CudaFailure reason)
    {
        CudaFailure failure = reason;
        for (long offset = 0; offset < registered; offset = endOfChunk(offset))
        {
            try
            {
                registrar.unregister(address + offset);
            }
            catch (final CudaFailure ex)
            {
                final CudaFailure another = new CudaFailure(about(endOfChunk(offset) - offset, offset), ex);
                if (null == failure)
                {
                    failure = another;
                }
                else
                {
                    failure.addSuppressed(another);
                }
            }
        }
        registered = 0;
        if (null == reason && null != failure)
        {
            throw failure;
        }
    }

    private String about(final long bytes, final long offset)
    {
        return name + ", " + bytes + " bytes at offset " + offset + " of " + length;
    }

    private long endOfChunk(final long offset)
    {
        final long end = offset < firstBytes ? firstBytes :
            firstBytes + ((offset - firstBytes) / chunkBytes + 1) * chunkBytes;
        return Math.min(end, length);
    }
}
