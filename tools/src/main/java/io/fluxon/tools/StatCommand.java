package io.fluxon.tools;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import io.fluxon.ipc.counters.CountersFile;
import io.fluxon.ipc.counters.CountersView;
import io.fluxon.tools.report.Table;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * {@code fluxon stat}: the counters of running processes, read from outside.
 */
@Command(
    name = "stat",
    description = "Prints the counters of a process, or of all processes below a directory.",
    mixinStandardHelpOptions = true)
final class StatCommand implements Callable<Integer>
{
    @Parameters(paramLabel = "PATH", description = "Counters file (*.cnc), or a directory that holds some.")
    private Path path;

    @Option(names = "--json", description = "Prints JSON.")
    private boolean isJson;

    @Option(names = "--non-zero", description = "Leaves out counters that are 0.")
    private boolean isNonZeroOnly;

    @Option(names = "--watch", paramLabel = "SECONDS", description = "Prints again every so many seconds.")
    private Integer watchSeconds;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        if (null != watchSeconds && watchSeconds < 1)
        {
            throw new ParameterException(spec.commandLine(), "--watch must be at least 1, is " + watchSeconds);
        }

        print();
        while (null != watchSeconds)
        {
            TimeUnit.SECONDS.sleep(watchSeconds);
            System.out.println();
            print();
        }
        return 0;
    }

    private void print() throws IOException
    {
        final List<Path> files = CountersPaths.find(spec.commandLine(), path);
        final StringWriter text = new StringWriter();
        if (isJson)
        {
            try (JsonGenerator out = new JsonFactory().createGenerator(text).useDefaultPrettyPrinter())
            {
                out.writeStartArray();
                for (final Path file : files)
                {
                    writeJson(file, out);
                }
                out.writeEndArray();
            }
            text.append(System.lineSeparator());
        }
        else
        {
            for (final Path file : files)
            {
                text.append(table(file));
            }
        }
        System.out.print(text);
        System.out.flush();
    }

    private void writeJson(final Path file, final JsonGenerator out) throws IOException
    {
        try (CountersView view = map(file))
        {
            out.writeStartObject();
            out.writeStringField("name", view.name());
            out.writeStringField("file", file.toString());
            out.writeNumberField("pid", view.pid());
            out.writeBooleanField("running", ProcessHandle.of(view.pid()).isPresent());
            out.writeNumberField("start_time_ms", view.startTimeMs());
            out.writeObjectFieldStart("counters");
            final IOException[] failure = new IOException[1];
            view.counters().forEach((value, id, label) ->
            {
                if (!SlotClassFigures.isOne(view, id))
                {
                    writeCounter(out, label, value, failure);
                }
            });
            if (null != failure[0])
            {
                throw failure[0];
            }
            out.writeEndObject();
            SlotClassFigures.write(view, out);
            out.writeEndObject();
        }
    }

    private void writeCounter(
        final JsonGenerator out, final String label, final long value, final IOException[] failure)
    {
        try
        {
            if (isShown(value))
            {
                out.writeNumberField(label, value);
            }
        }
        catch (final IOException ex)
        {
            failure[0] = ex;
        }
    }

    private String table(final Path file)
    {
        try (CountersView view = map(file))
        {
            final Table table = new Table();
            view.counters().forEach((value, id, label) ->
            {
                if (isShown(value) && !SlotClassFigures.isOne(view, id))
                {
                    table.row("  " + label, String.format(Locale.ROOT, "%,d", value));
                }
            });
            return view.name() + ": process " + view.pid() +
                (ProcessHandle.of(view.pid()).isPresent() ? "" : " (gone)") +
                ", since " + Instant.ofEpochMilli(view.startTimeMs()) + ", " + file + System.lineSeparator() + table +
                SlotClassFigures.text(view);
        }
    }

    private CountersView map(final Path file)
    {
        try
        {
            return CountersFile.map(file);
        }
        catch (final IllegalStateException ex)
        {
            throw new ParameterException(spec.commandLine(), ex.getMessage());
        }
    }

    private boolean isShown(final long value)
    {
        return !isNonZeroOnly || 0 != value;
    }
}
