package io.fluxon.tools.contract;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The result of one test under one of its tags.
 *
 * @param tag        of the test.
 * @param module     the test belongs to.
 * @param test       class and method.
 * @param outcome    of the test.
 * @param durationMs of the test.
 */
record TaggedResult(String tag, String module, String test, Outcome outcome, long durationMs)
{
    /**
     * How a test ended; an aborted one counts as skipped.
     */
    enum Outcome
    {
        PASSED, FAILED, SKIPPED
    }

    /**
     * Reads what the modules recorded in their {@code target/contract}.
     *
     * @param root of the project.
     * @return the results of all modules.
     * @throws IOException if a record cannot be read.
     */
    static List<TaggedResult> read(final Path root) throws IOException
    {
        final List<TaggedResult> results = new ArrayList<>();
        try (DirectoryStream<Path> modules = Files.newDirectoryStream(root, Files::isDirectory))
        {
            for (final Path module : modules)
            {
                final Path records = module.resolve("target/contract");
                if (Files.isDirectory(records))
                {
                    readModule(module.getFileName().toString(), records, results);
                }
            }
        }

        return results;
    }

    private static void readModule(final String module, final Path records, final List<TaggedResult> results)
        throws IOException
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(records, "*.tsv"))
        {
            for (final Path file : files)
            {
                for (final String line : Files.readAllLines(file))
                {
                    final String[] fields = line.split("\t");
                    results.add(new TaggedResult(
                        fields[0],
                        module,
                        fields[1],
                        Outcome.valueOf(fields[2].toUpperCase(Locale.ROOT)),
                        Long.parseLong(fields[3])));
                }
            }
        }
    }
}
