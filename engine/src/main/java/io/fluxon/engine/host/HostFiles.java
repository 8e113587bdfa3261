package io.fluxon.engine.host;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a process does with its directory.
 */
final class HostFiles
{
    private HostFiles()
    {
    }

    static Path create(final Path directory)
    {
        try
        {
            return Files.createDirectories(directory).toAbsolutePath();
        }
        catch (final IOException ex)
        {
            throw new HostException("cannot create directory " + directory + ": " + ex, ex);
        }
    }

    /** Removes a directory and its parent, when they are empty: other processes may share them. */
    static void removeIfEmpty(final Path directory) throws IOException
    {
        try
        {
            Files.deleteIfExists(directory);
            Files.deleteIfExists(directory.getParent());
        }
        catch (final DirectoryNotEmptyException ex)
        {
            // someone else's files are in it
            return;
        }
    }
}
