package io.fluxon.cuda.driver;

import io.fluxon.cuda.ffi.CudaDriver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;

/**
 * The native library of the CUDA driver, which the system brings and a process may do without.
 */
public final class CudaLibrary
{
    private static final String NAME = "libcuda.so.1";
    /** The first driver with batches of copies in the form of CUDA 13. */
    private static final int LEAST_DRIVER = 13000;

    private CudaLibrary()
    {
    }

    /**
     * Loads the library, once for the process.
     *
     * @return null when it is there with a device, else one line that says what is missing.
     */
    public static String problem()
    {
        return Load.PROBLEM;
    }

    /**
     * Number of devices.
     *
     * @return 0 where there is no driver.
     */
    public static int deviceCount()
    {
        return Load.DEVICE_COUNT;
    }

    /**
     * Checks what a call of the driver returned.
     *
     * @param code that it returned.
     * @param call that returned it, for the message.
     * @throws CudaFailure when it is not CUDA_SUCCESS.
     */
    static void check(final int code, final String call)
    {
        if (CudaDriver.CUDA_SUCCESS() != code)
        {
            throw new CudaFailure(call, code, nameOf(code));
        }
    }

    /**
     * Name of an error code.
     *
     * @param code of the driver.
     * @return as cuGetErrorName has it.
     */
    public static String nameOf(final int code)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment name = arena.allocate(ValueLayout.ADDRESS);
            if (CudaDriver.CUDA_SUCCESS() != CudaDriver.cuGetErrorName(code, name))
            {
                return "unknown error";
            }
            return name.get(CudaDriver.C_POINTER, 0).getString(0);
        }
    }

    private static final class Load
    {
        private static final int DEVICE_COUNT;
        private static final String PROBLEM;

        static
        {
            int count = 0;
            String problem = missing();
            if (null == problem)
            {
                try (Arena arena = Arena.ofConfined())
                {
                    final MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
                    check(CudaDriver.cuInit(0), "cuInit");
                    check(CudaDriver.cuDriverGetVersion(number), "cuDriverGetVersion");
                    final int version = number.get(ValueLayout.JAVA_INT, 0);
                    check(CudaDriver.cuDeviceGetCount(number), "cuDeviceGetCount");
                    count = number.get(ValueLayout.JAVA_INT, 0);
                    problem = version < LEAST_DRIVER ? "the CUDA driver is of version " + version +
                        ", allowed: " + LEAST_DRIVER + " or later" : 0 == count ? "there is no CUDA device" : null;
                }
                catch (final CudaFailure | LinkageError ex)
                {
                    problem = String.valueOf(ex.getMessage()).lines().findFirst().orElse(ex.toString());
                }
            }
            DEVICE_COUNT = null == problem ? count : 0;
            PROBLEM = problem;
        }

        private static String missing()
        {
            try (Arena arena = Arena.ofConfined())
            {
                SymbolLookup.libraryLookup(NAME, arena);
                return null;
            }
            catch (final IllegalArgumentException ex)
            {
                return NAME + " is not here: " + ex.getMessage();
            }
        }
    }
}
