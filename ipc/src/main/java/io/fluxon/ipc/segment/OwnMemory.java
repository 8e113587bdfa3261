package io.fluxon.ipc.segment;

import io.fluxon.ipc.ErrorCode;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Memory of this process alone, of which only touched pages are there. No file system has to have room for them, so
 * none that is full can end the process that touches one; a machine without memory still can.
 */
final class OwnMemory
{
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x2 | 0x20 | 0x4000;
    private static final long MAP_FAILED = -1;

    private static final MethodHandle MMAP = function("mmap", FunctionDescriptor.of(
        ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT,
        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
    private static final MethodHandle MUNMAP = function("munmap", FunctionDescriptor.of(
        ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));

    private OwnMemory()
    {
    }

    /**
     * Maps memory, all zero.
     *
     * @param lengthBytes greater than 0.
     * @param arena       with which it ends.
     * @return the memory, beginning at a page.
     * @throws SegmentException when there is no room in the address space.
     */
    static MemorySegment map(final long lengthBytes, final Arena arena)
    {
        final long address = call(() -> (long) MMAP.invokeExact(
            0L, lengthBytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0L));
        if (MAP_FAILED == address)
        {
            throw new SegmentException(
                ErrorCode.NO_SPACE, "cannot map " + lengthBytes + " bytes of memory for the slot table", null);
        }
        return MemorySegment.ofAddress(address).reinterpret(lengthBytes, arena, OwnMemory::unmap);
    }

    private static void unmap(final MemorySegment memory)
    {
        call(() -> (int) MUNMAP.invokeExact(memory.address(), memory.byteSize()));
    }

    private interface NativeCall
    {
        long invoke() throws Throwable;
    }

    private static long call(final NativeCall call)
    {
        try
        {
            return call.invoke();
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
