package io.fluxon.cuda.gpu;

import io.fluxon.cuda.driver.CudaStream;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/**
 * Matrix products by libcublas.so.13, in the context that is current. Only measurements need it.
 */
final class Cublas implements AutoCloseable
{
    private static final String NAME = "libcublas.so.13";
    private static final int NOT_TRANSPOSED = 0;
    private static final int FLOATS = 0;
    private static final int HALVES = 2;
    private static final int COMPUTE_FLOATS = 68;
    private static final int DEFAULT_ALGORITHM = -1;

    private final Arena arena = Arena.ofConfined();
    private final SymbolLookup symbols;
    private final MethodHandle multiply;
    private final MemorySegment one = arena.allocateFrom(JAVA_FLOAT, 1);
    private final MemorySegment zero = arena.allocateFrom(JAVA_FLOAT, 0);
    private final MemorySegment handle;

    /**
     * Loads the library.
     *
     * @throws IllegalArgumentException where there is none.
     */
    Cublas(final CudaStream stream)
    {
        symbols = SymbolLookup.libraryLookup(NAME, arena);
        multiply = function("cublasGemmEx", ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS,
            JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT, JAVA_INT,
            JAVA_INT, JAVA_INT);
        final MemorySegment out = arena.allocate(ADDRESS);
        call("cublasCreate_v2", () -> (int)function("cublasCreate_v2", ADDRESS).invokeExact(out));
        handle = out.get(ADDRESS, 0);
        call("cublasSetStream_v2", () ->
            (int)function("cublasSetStream_v2", ADDRESS, JAVA_LONG).invokeExact(handle, stream.handle()));
    }

    /**
     * Multiplies matrices on the stream: c = a x b, halves in and floats out, row after row.
     *
     * @param a    address on the device.
     * @param b    address on the device.
     * @param c    address on the device.
     * @param side rows and columns of each.
     */
    void multiply(final long a, final long b, final long c, final int side)
    {
        // columns lie one behind the other for cuBLAS: what it takes for the product of b and a is that of a and b
        call("cublasGemmEx", () -> (int)multiply.invokeExact(handle, NOT_TRANSPOSED, NOT_TRANSPOSED, side, side, side,
            one, b, HALVES, side, a, HALVES, side, zero, c, FLOATS, side, COMPUTE_FLOATS, DEFAULT_ALGORITHM));
    }

    private interface Call
    {
        int run() throws Throwable;
    }

    private static void call(final String name, final Call call)
    {
        final int code;
        try
        {
            code = call.run();
        }
        catch (final Throwable ex)
        {
            throw new IllegalStateException(name, ex);
        }

        if (0 != code)
        {
            throw new IllegalStateException(name + " returned " + code);
        }
    }

    private MethodHandle function(final String name, final MemoryLayout... parameters)
    {
        return Linker.nativeLinker().downcallHandle(
            symbols.findOrThrow(name), FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters));
    }

    @Override
    public void close()
    {
        call("cublasDestroy_v2", () -> (int)function("cublasDestroy_v2", ADDRESS).invokeExact(handle));
        arena.close();
    }
}
