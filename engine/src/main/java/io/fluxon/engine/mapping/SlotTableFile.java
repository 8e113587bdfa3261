package io.fluxon.engine.mapping;

import io.fluxon.engine.memory.CapacityPlan;
import io.fluxon.engine.memory.SlotRecordDescriptor;
import io.fluxon.engine.memory.SlotTable;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

/**
 * The sparse file behind an owner's slot table, of one generation. It belongs to the owner alone (contract REG-1):
 * workers never map it. It is unlinked on close.
 */
public final class SlotTableFile implements AutoCloseable
{
    private static final long PAGE_LENGTH = 4096;

    private final Path path;
    private final Arena arena;
    private final MemorySegment memory;
    private boolean isClosed;

    private SlotTableFile(final Path path, final Arena arena, final MemorySegment memory)
    {
        this.path = path;
        this.arena = arena;
        this.memory = memory;
    }

    /**
     * Makes a new file and maps it. Only records that are used take up space in it.
     *
     * @param path of the file, which must not exist.
     * @param plan concluded; decides the length.
     * @return the mapped file, zeroed.
     * @throws IOException when the file exists, cannot be made or mapped, or its file system has too little space for
     *                     the records of the expected capacities.
     */
    public static SlotTableFile create(final Path path, final CapacityPlan plan) throws IOException
    {
        final long length = SlotTable.requiredLength(plan.grantCount(), plan.grantQuantumBytes());
        final Arena arena = Arena.ofShared();
        boolean isMade = false;
        try (FileChannel channel = FileChannel.open(path, CREATE_NEW, READ, WRITE))
        {
            isMade = true;
            checkSpace(path, plan);
            return new SlotTableFile(path, arena, channel.map(FileChannel.MapMode.READ_WRITE, 0, length, arena));
        }
        catch (final IOException | RuntimeException ex)
        {
            arena.close();
            if (isMade)
            {
                Files.deleteIfExists(path);
            }
            throw ex;
        }
    }

    /**
     * The mapping.
     *
     * @return memory for {@link SlotTable}, valid until close.
     */
    public MemorySegment memory()
    {
        return memory;
    }

    /**
     * The file.
     *
     * @return its path.
     */
    public Path path()
    {
        return path;
    }

    /**
     * Unmaps and unlinks the file; repeated calls do nothing.
     *
     * @throws IOException when the file cannot be unlinked.
     */
    @Override
    public void close() throws IOException
    {
        if (!isClosed)
        {
            isClosed = true;
            arena.close();
            Files.deleteIfExists(path);
        }
    }

    private static void checkSpace(final Path path, final CapacityPlan plan) throws IOException
    {
        final long needed = plan.expectedSlotsTotal() * SlotRecordDescriptor.RECORD_LENGTH +
            plan.expectedGrantsTotal() * PAGE_LENGTH;
        final long usable = Files.getFileStore(path).getUsableSpace();
        if (usable < needed)
        {
            throw new IOException(path + ": the slot records of the expected capacities need " + needed +
                " B, its file system has " + usable + " B left");
        }
    }
}
