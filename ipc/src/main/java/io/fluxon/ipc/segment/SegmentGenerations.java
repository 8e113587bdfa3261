package io.fluxon.ipc.segment;

import io.fluxon.ipc.ErrorCode;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Files that the generations of an instance have left in its folder.
 */
final class SegmentGenerations
{
    private SegmentGenerations()
    {
    }

    static long newest(final Path folder, final String instance) throws IOException
    {
        if (!Files.isDirectory(folder))
        {
            return 0;
        }

        long newest = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder))
        {
            for (final Path file : files)
            {
                newest = Math.max(newest, generationOf(file, instance));
            }
        }

        return newest;
    }

    static void unlinkOlder(final Path folder, final String instance, final long generation) throws IOException
    {
        final long newest = newest(folder, instance);
        if (newest >= generation)
        {
            throw new SegmentException(ErrorCode.INVALID_ARGUMENT, "generation " + generation + " of instance '" +
                instance + "' is not newer than generation " + newest + " found in " + folder, null);
        }

        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder))
        {
            for (final Path file : files)
            {
                if (generationOf(file, instance) > 0)
                {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static long generationOf(final Path file, final String instance)
    {
        final String name = file.getFileName().toString();
        final String suffix = SegmentFile.SEGMENT_SUFFIX;
        final String prefix = instance + "-";
        if (!name.startsWith(prefix) || !name.endsWith(suffix) || name.length() <= prefix.length() + suffix.length())
        {
            return 0;
        }

        return parse(name.substring(prefix.length(), name.length() - suffix.length()));
    }

    private static long parse(final String digits)
    {
        if (!digits.chars().allMatch((c) -> c >= '0' && c <= '9'))
        {
            return 0;
        }

        try
        {
            return Long.parseLong(digits);
        }
        catch (final NumberFormatException ex)
        {
            return 0;
        }
    }
}
