package io.fluxon.tools;

import io.fluxon.ipc.counters.CountersFile;

import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds the counters files that a user means: a file, or all files below a directory.
 */
final class CountersPaths
{
    private static final int MAX_DEPTH = 6;

    private CountersPaths()
    {
    }

    static List<Path> find(final CommandLine command, final Path path)
    {
        if (Files.isRegularFile(path))
        {
            return List.of(path);
        }
        if (!Files.exists(path))
        {
            throw new ParameterException(command, path + ": no such file or directory");
        }

        final List<Path> files = list(command, path);
        if (files.isEmpty())
        {
            throw new ParameterException(
                command, path + ": holds no counters file (*" + CountersFile.SUFFIX + "); is a process running?");
        }
        return files;
    }

    private static List<Path> list(final CommandLine command, final Path directory)
    {
        try (Stream<Path> entries = Files.walk(directory, MAX_DEPTH))
        {
            return entries
                .filter(entry -> entry.getFileName().toString().endsWith(CountersFile.SUFFIX))
                .filter(Files::isRegularFile)
                .sorted()
                .toList();
        }
        catch (final IOException | UncheckedIOException ex)
        {
            throw new ParameterException(command, directory + ": cannot be read: " + ex.getMessage());
        }
    }
}
