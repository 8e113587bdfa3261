package io.fluxon.ipc.segment;

import io.fluxon.ipc.ErrorCode;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Space of a file system: asked for before a file is created, and taken ahead of use, because a process that touches a
 * page of a mapping for which there is no space is killed.
 */
final class FileSpace
{
    private static final int O_RDWR = 2;
    private static final int ENOSPC = 28;

    private static final MethodHandle OPEN = function("open", FunctionDescriptor.of(
        ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT),
        Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(
        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final MethodHandle FALLOCATE = function("posix_fallocate", FunctionDescriptor.of(
        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));

    private FileSpace()
    {
    }

    static void check(final Path folder, final long requestBytes) throws IOException
    {
        final FileStore store = Files.getFileStore(folder);
        final long usableBytes = store.getUsableSpace();
        if (requestBytes > usableBytes)
        {
            throw new SegmentException(ErrorCode.NO_SPACE, "the segment needs " + requestBytes +
                " bytes, but the file system of " + folder + " (" + store.type() + ") has " + usableBytes +
                " bytes free of " + store.getTotalSpace() + "; lower the capacity or enlarge the file system", null);
        }
    }

    /**
     * Takes the space of a range of a file; what is there stays.
     */
    static void allocate(final Path path, final long offset, final long lengthBytes)
    {
        final int error;
        try (Arena arena = Arena.ofConfined())
        {
            final int file = (int) OPEN.invokeExact(arena.allocateFrom(path.toString()), O_RDWR, 0);
            if (file < 0)
            {
                throw new SegmentException(ErrorCode.UNKNOWN, "cannot open " + path, null);
            }
            error = (int) FALLOCATE.invokeExact(file, offset, lengthBytes);
            final int ignored = (int) CLOSE.invokeExact(file);
        }
        catch (final RuntimeException | Error ex)
        {
            throw ex;
        }
        catch (final Throwable ex)
        {
            throw new IllegalStateException(ex);
        }

        if (0 != error)
        {
            throw new SegmentException(ENOSPC == error ? ErrorCode.NO_SPACE : ErrorCode.UNKNOWN,
                "cannot take " + lengthBytes + " bytes at offset " + offset + " of " + path + ": " +
                (ENOSPC == error ? "the file system is full" : "error " + error), null);
        }
    }

    private static MethodHandle function(
        final String name, final FunctionDescriptor descriptor, final Linker.Option... options)
    {
        final Linker linker = Linker.nativeLinker();
        final SymbolLookup lookup = linker.defaultLookup();
        return linker.downcallHandle(lookup.findOrThrow(name), descriptor, options);
    }
}
