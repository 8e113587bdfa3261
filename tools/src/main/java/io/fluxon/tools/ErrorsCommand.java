package io.fluxon.tools;

import io.fluxon.ipc.counters.CountersFile;
import io.fluxon.ipc.counters.CountersView;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;

/**
 * {@code fluxon errors}: the distinct errors that running processes have logged, read from outside.
 */
@Command(
    name = "errors",
    description = "Prints the distinct errors of a process, or of all processes below a directory.",
    mixinStandardHelpOptions = true)
final class ErrorsCommand implements Callable<Integer>
{
    @Parameters(paramLabel = "PATH", description = "Counters file (*.cnc), or a directory that holds some.")
    private Path path;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
    {
        for (final Path file : CountersPaths.find(spec.commandLine(), path))
        {
            try (CountersView view = CountersFile.map(file))
            {
                System.out.println(view.name() + ": process " + view.pid() + ", " + file);
                final int distinct = view.readErrors((count, firstMs, lastMs, error) ->
                    System.out.println("  " + count + " times from " + Instant.ofEpochMilli(firstMs) + " to " +
                        Instant.ofEpochMilli(lastMs) + ":" + System.lineSeparator() + error.indent(4).stripTrailing()),
                    0);
                System.out.println("  " + distinct + " distinct errors");
            }
            catch (final IllegalStateException ex)
            {
                throw new ParameterException(spec.commandLine(), ex.getMessage());
            }
        }
        return 0;
    }
}
