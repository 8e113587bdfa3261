package io.fluxon.cuda.copy;

import io.fluxon.cuda.kernel.CopyCommand;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory of the commands of all tasks, one after the other.
 */
public final class CommandMemory implements AutoCloseable
{
    private static final long PAGE = 4096;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory;

    /**
     * Allocates it.
     *
     * @param tasks 1 or more.
     */
    public CommandMemory(final int tasks)
    {
        memory = arena.allocate((long)tasks * CopyCommand.MAX_LENGTH, PAGE);
    }

    /**
     * Memory of a task's command.
     *
     * @param task 0 or more.
     * @return address, a multiple of 8.
     */
    public long command(final int task)
    {
        return memory.address() + (long)task * CopyCommand.MAX_LENGTH;
    }

    /**
     * All of it, for those that register it.
     *
     * @return the memory.
     */
    public MemorySegment memory()
    {
        return memory;
    }

    @Override
    public void close()
    {
        if (arena.scope().isAlive())
        {
            arena.close();
        }
    }
}
