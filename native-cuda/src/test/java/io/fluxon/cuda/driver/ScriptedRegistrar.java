package io.fluxon.cuda.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * Registers as a test says.
 */
public final class ScriptedRegistrar implements HostRegistrar
{
    /** Length by address of what is registered. */
    public final TreeMap<Long, Long> registered = new TreeMap<>();
    /** What was called, in order. */
    public final List<String> calls = new ArrayList<>();
    /** Address whose registration is refused. */
    public long refused;
    /** Address whose registration cannot be taken back. */
    public long stuck;
    /** True once it was closed. */
    public boolean isClosed;

    @Override
    public void register(final long address, final long length)
    {
        calls.add("register " + address + " " + length);
        if (refused == address)
        {
            throw new CudaFailure("cuMemHostRegister", 2, "CUDA_ERROR_OUT_OF_MEMORY");
        }
        registered.put(address, length);
    }

    @Override
    public void unregister(final long address)
    {
        calls.add("unregister " + address);
        if (stuck == address)
        {
            throw new CudaFailure("cuMemHostUnregister", 713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED");
        }
        registered.remove(address);
    }

    @Override
    public void close()
    {
        isClosed = true;
    }
}
