package io.fluxon.ipc.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Identity of this process: a process id is used again, its start time tells two apart (contract SLOT-7, API-10).
 */
public final class ProcessIdentity
{
    /** The kernel does not say; an owner gives such a process no session. */
    public static final long UNKNOWN = 0;

    private static final Path STAT = Path.of("/proc/self/stat");
    // fields behind the command's closing bracket, which is field 2
    private static final int START_TIME_INDEX = 22 - 3;

    private ProcessIdentity()
    {
    }

    /**
     * Id of this process in its PID namespace.
     *
     * @return process id.
     */
    public static long processId()
    {
        return ProcessHandle.current().pid();
    }

    /**
     * Start time as the kernel counts it.
     *
     * @return clock ticks since boot, {@link #UNKNOWN} where the kernel does not say.
     */
    public static long startTime()
    {
        try
        {
            return startTime(Files.readString(STAT, StandardCharsets.ISO_8859_1));
        }
        catch (final IOException ex)
        {
            return UNKNOWN;
        }
    }

    static long startTime(final String stat)
    {
        final String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split(" ");
        try
        {
            return fields.length > START_TIME_INDEX ? Long.parseLong(fields[START_TIME_INDEX]) : UNKNOWN;
        }
        catch (final NumberFormatException ex)
        {
            return UNKNOWN;
        }
    }
}
