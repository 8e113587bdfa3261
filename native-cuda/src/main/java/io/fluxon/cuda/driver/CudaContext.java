package io.fluxon.cuda.driver;

import io.fluxon.cuda.ffi.CudaDriver;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

import static io.fluxon.cuda.driver.CudaLibrary.check;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The primary context of a device, kept until it is closed. A thread makes it current before it calls anything of it.
 */
public final class CudaContext implements AutoCloseable
{
    private static final int NAME_LENGTH = 128;
    private static final MemorySegment POPPED = Arena.global().allocate(ValueLayout.JAVA_LONG);

    private final int ordinal;
    private final int device;
    private final MemorySegment context;
    private final String name;
    private final int multiprocessors;
    private boolean isClosed;

    /**
     * Retains the primary context of a device, and makes it current in the calling thread.
     *
     * @param ordinal of the device, 0 to {@link CudaLibrary#deviceCount()} - 1.
     * @throws CudaFailure           when the driver refuses.
     * @throws IllegalStateException when there is no driver.
     */
    public CudaContext(final int ordinal)
    {
        if (null != CudaLibrary.problem())
        {
            throw new IllegalStateException(CudaLibrary.problem());
        }
        if (ordinal < 0 || ordinal >= CudaLibrary.deviceCount())
        {
            throw new IllegalArgumentException(
                "device is " + ordinal + ", allowed: 0 to " + (CudaLibrary.deviceCount() - 1));
        }
        this.ordinal = ordinal;
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment out = arena.allocate(NAME_LENGTH, Long.BYTES);
            check(CudaDriver.cuDeviceGet(out, ordinal), "cuDeviceGet");
            device = out.get(ValueLayout.JAVA_INT, 0);
            check(CudaDriver.cuDeviceGetName(out, NAME_LENGTH, device), "cuDeviceGetName");
            name = out.getString(0, UTF_8);
            check(CudaDriver.cuDevicePrimaryCtxRetain(out, device), "cuDevicePrimaryCtxRetain");
            context = MemorySegment.ofAddress(out.get(ValueLayout.JAVA_LONG, 0));
        }
        makeCurrent();
        multiprocessors = attribute(CudaDriver.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT());
        if (0 == attribute(CudaDriver.CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM()))
        {
            close();
            throw new IllegalStateException("device " + ordinal + " (" + name +
                ") cannot use host pointers of registered memory, which plans are made of");
        }
    }

    /** Number of the device. @return ordinal. */
    public int ordinal()
    {
        return ordinal;
    }

    /** Name of the device. @return as the driver has it. */
    public String name()
    {
        return name;
    }

    /** Multiprocessors of the device. @return count. */
    public int multiprocessors()
    {
        return multiprocessors;
    }

    /**
     * An attribute of the device.
     *
     * @param attribute of CU_DEVICE_ATTRIBUTE.
     * @return its value.
     */
    public int attribute(final int attribute)
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment out = arena.allocate(ValueLayout.JAVA_INT);
            check(CudaDriver.cuDeviceGetAttribute(out, attribute, device), "cuDeviceGetAttribute");
            return out.get(ValueLayout.JAVA_INT, 0);
        }
    }

    /**
     * Makes the context current in the calling thread.
     */
    public void makeCurrent()
    {
        check(CudaDriver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
    }

    /**
     * Makes the context current in the calling thread until {@link #leave}, whatever was current before.
     */
    public void enter()
    {
        check(CudaDriver.cuCtxPushCurrent_v2(context), "cuCtxPushCurrent");
    }

    /**
     * Makes that current in the calling thread again that was when it entered.
     */
    public static void leave()
    {
        check(CudaDriver.cuCtxPopCurrent_v2(POPPED), "cuCtxPopCurrent");
    }

    /**
     * What is current in the calling thread, whoever made it so.
     *
     * @return CUcontext, 0 for none.
     */
    public static long current()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final MemorySegment out = arena.allocate(ValueLayout.JAVA_LONG);
            check(CudaDriver.cuCtxGetCurrent(out), "cuCtxGetCurrent");
            return out.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    /**
     * Makes a context current in the calling thread, whoever made it.
     *
     * @param handle of {@link #current()}.
     */
    public static void makeCurrent(final long handle)
    {
        check(CudaDriver.cuCtxSetCurrent(MemorySegment.ofAddress(handle)), "cuCtxSetCurrent");
    }

    /**
     * Waits for all that was given to the device.
     */
    public void synchronize()
    {
        check(CudaDriver.cuCtxSynchronize(), "cuCtxSynchronize");
    }

    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            check(CudaDriver.cuDevicePrimaryCtxRelease_v2(device), "cuDevicePrimaryCtxRelease");
        }
    }
}
