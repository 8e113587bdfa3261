package io.fluxon.engine.memory;

import io.fluxon.engine.boundary.PageSource;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Huge pages from the kernel: it is asked for transparent ones ({@code madvise}), and where it has none this is
 * ordinary memory. The first write to a page waits for the kernel, which clears all of it.
 */
public final class HugeMemory implements PageSource
{
    /** The kernel. */
    public static final HugeMemory INSTANCE = new HugeMemory();

    private static final int MADV_HUGEPAGE = 14;

    private static final MethodHandle ALIGNED_ALLOC = function("aligned_alloc", FunctionDescriptor.of(
        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
    private static final MethodHandle FREE = function("free", FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG));
    private static final MethodHandle MADVISE = function("madvise", FunctionDescriptor.of(
        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));

    static
    {
        // links the calls now, so that the first one in a duty cycle allocates nothing
        INSTANCE.giveBack(INSTANCE.take());
    }

    private HugeMemory()
    {
    }

    /** {@inheritDoc} */
    @Override
    public long take()
    {
        try
        {
            final long length = PAGE_LENGTH;
            final long address = (long) ALIGNED_ALLOC.invokeExact(length, length);
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

    /** {@inheritDoc} */
    @Override
    public void giveBack(final long address)
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
