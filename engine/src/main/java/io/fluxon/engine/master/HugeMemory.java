package io.fluxon.engine.master;

import org.agrona.BitUtil;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Memory outside the Java heap for which the kernel is asked for huge pages (transparent huge pages, {@code madvise}),
 * so that a read anywhere in gigabytes does not wait for a walk through the page tables as well. Where the kernel has
 * none it is ordinary memory. Its content is undefined.
 */
final class HugeMemory
{
    /** Alignment of what is allocated, and the unit of its length: a huge page. */
    static final int PAGE_LENGTH = 2 << 20;

    private static final int MADV_HUGEPAGE = 14;

    private static final MethodHandle ALIGNED_ALLOC = function("aligned_alloc", FunctionDescriptor.of(
        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle FREE = function("free", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));
    private static final MethodHandle MADVISE = function("madvise", FunctionDescriptor.of(
        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));

    private HugeMemory()
    {
    }

    /**
     * Allocates memory.
     *
     * @param length in bytes, a multiple of {@value #PAGE_LENGTH}.
     * @return its address, a multiple of {@value #PAGE_LENGTH}.
     * @throws OutOfMemoryError when there is none.
     */
    static long allocate(final long length)
    {
        if (length <= 0 || !BitUtil.isAligned(length, PAGE_LENGTH))
        {
            throw new IllegalArgumentException("length: " + length + " is not a multiple of " + PAGE_LENGTH);
        }

        try
        {
            final long address = (long) ALIGNED_ALLOC.invokeExact((long) PAGE_LENGTH, length);
            if (0 == address)
            {
                throw new OutOfMemoryError("cannot allocate " + length + " bytes outside the Java heap");
            }
            // a refusal only says that this kernel has no huge pages
            final int ignored = (int) MADVISE.invokeExact(address, length, MADV_HUGEPAGE);

            return address;
        }
        catch (final RuntimeException | Error ex)
        {
            throw ex;
        }
        catch (final Throwable ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /**
     * Gives memory back.
     *
     * @param address that {@link #allocate} returned.
     */
    static void free(final long address)
    {
        try
        {
            FREE.invokeExact(address);
        }
        catch (final RuntimeException | Error ex)
        {
            throw ex;
        }
        catch (final Throwable ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static MethodHandle function(final String name, final FunctionDescriptor descriptor)
    {
        final Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor);
    }
}
