package io.fluxon.tools.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Memory of this process that is there now, as the kernel counts it.
 */
final class ResidentMemory
{
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");
    private static final long KIBIBYTE = 1024;

    private ResidentMemory()
    {
    }

    /** In bytes. */
    static long bytes()
    {
        try
        {
            final Matcher matcher = RESIDENT.matcher(Files.readString(STATUS));
            if (!matcher.find())
            {
                throw new BenchException(STATUS + " names no VmRSS");
            }
            return Long.parseLong(matcher.group(1)) * KIBIBYTE;
        }
        catch (final IOException ex)
        {
            throw new BenchException("cannot read " + STATUS + ": " + ex.getMessage());
        }
    }
}
