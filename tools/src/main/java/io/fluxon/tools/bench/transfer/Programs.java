package io.fluxon.tools.bench.transfer;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Programs of this machine.
 */
final class Programs
{
    private Programs()
    {
    }

    /** Is there a program of this name on the PATH? */
    static boolean isThere(final String name)
    {
        for (final String directory : System.getenv().getOrDefault("PATH", "").split(":"))
        {
            if (Files.isExecutable(Path.of(directory, name)))
            {
                return true;
            }
        }
        return false;
    }
}
