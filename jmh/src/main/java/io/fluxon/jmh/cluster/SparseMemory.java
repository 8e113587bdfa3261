package io.fluxon.jmh.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

/**
 * Zeroed native memory that costs only what is touched: a mapped sparse file that is unlinked before it is used, so
 * nothing is left over however the process ends.
 */
public final class SparseMemory implements AutoCloseable
{
    private static final Path MEMORY_FILE_SYSTEM = Path.of("/dev/shm");

    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment;

    /**
     * Maps new memory.
     *
     * @param length in bytes.
     */
    public SparseMemory(final long length)
    {
        try
        {
            segment = map(length);
        }
        catch (final IOException ex)
        {
            arena.close();
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * The memory.
     *
     * @return memory, aligned to a page, valid until close.
     */
    public MemorySegment segment()
    {
        return segment;
    }

    /**
     * Its address.
     *
     * @return address of the first byte.
     */
    public long address()
    {
        return segment.address();
    }

    @Override
    public void close()
    {
        arena.close();
    }

    /**
     * Where memory that is shared with other threads or processes belongs.
     *
     * @return directory of a memory file system, or the one for temporary files when there is none.
     */
    static Path directory()
    {
        return Files.isWritable(MEMORY_FILE_SYSTEM) ?
            MEMORY_FILE_SYSTEM : Path.of(System.getProperty("java.io.tmpdir"));
    }

    private MemorySegment map(final long length) throws IOException
    {
        final Path path = Files.createTempFile(directory(), "fluxon-bench-", ".memory");
        try (FileChannel channel = FileChannel.open(path, READ, WRITE))
        {
            Files.delete(path);
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, length, arena);
        }
        finally
        {
            Files.deleteIfExists(path);
        }
    }
}
