package io.fluxon.engine.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Reads start times, in clock ticks since boot, from {@code /proc/<pid>/stat}. A zombie counts as gone: its memory has
 * been given back, though its parent has not asked for it yet.
 */
public final class ProcProbe implements ProcessProbe
{
    private static final int STATE_FIELD = 0;
    private static final int THREADS_FIELD = 17;
    private static final int START_TIME_FIELD = 19;

    private final Path directory;

    /**
     * A probe of a proc file system.
     *
     * @param directory where it is mounted.
     */
    public ProcProbe(final Path directory)
    {
        this.directory = directory;
    }

    /**
     * The probe for this machine. Without a readable {@code /proc} no process can be watched, so no worker gets a
     * session.
     *
     * @return a probe of {@code /proc}.
     */
    public static ProcessProbe forThisMachine()
    {
        return new ProcProbe(Path.of("/proc"));
    }

    @Override
    public long startTime(final long processId)
    {
        try
        {
            return parse(Files.readString(directory.resolve(Long.toString(processId)).resolve("stat"), ISO_8859_1));
        }
        catch (final NoSuchFileException ex)
        {
            // a file system that is not there shows nobody
            return Files.exists(directory.resolve("self")) ? GONE : UNKNOWN;
        }
        catch (final IOException ex)
        {
            return UNKNOWN;
        }
    }

    static long parse(final String stat)
    {
        // the name in parentheses may hold blanks and parentheses
        final String[] fields = stat.substring(stat.lastIndexOf(')') + 1).trim().split("\\s+");
        if (fields.length <= START_TIME_FIELD)
        {
            return UNKNOWN;
        }
        final boolean isEnded = "Z".equals(fields[STATE_FIELD]) || "X".equals(fields[STATE_FIELD]);
        try
        {
            // the first thread of a process may have ended before the others
            return isEnded && Long.parseLong(fields[THREADS_FIELD]) <= 1 ?
                GONE : Long.parseLong(fields[START_TIME_FIELD]);
        }
        catch (final NumberFormatException ex)
        {
            return UNKNOWN;
        }
    }
}
