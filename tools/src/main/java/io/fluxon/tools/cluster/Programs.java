package io.fluxon.tools.cluster;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Programs of this machine.
 */
public final class Programs
{
    private Programs()
    {
    }

    /**
     * Is there a program of this name on the PATH?
     *
     * @param name of the program.
     * @return true if there is.
     */
    public static boolean isThere(final String name)
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
