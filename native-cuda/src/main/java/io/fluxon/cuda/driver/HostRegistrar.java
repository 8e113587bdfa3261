package io.fluxon.cuda.driver;

/**
 * What makes host memory readable and writable for devices (contract REG-1).
 */
public interface HostRegistrar extends AutoCloseable
{
    /**
     * Registers memory that is mapped, portable and mapped.
     *
     * @param address of its first byte, a multiple of the system's page.
     * @param length  in bytes, 1 or more.
     * @throws CudaFailure when it is refused; nothing is registered then.
     */
    void register(long address, long length);

    /**
     * Takes a registration back.
     *
     * @param address that was registered.
     * @throws CudaFailure when it is refused.
     */
    void unregister(long address);

    /** Ends what registrations need; those that are left are not valid any more. */
    @Override
    void close();
}
