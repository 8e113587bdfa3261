package io.fluxon.tools.bench;

import com.fasterxml.jackson.core.JsonGenerator;

import io.fluxon.tools.report.JsonFile;
import io.fluxon.tools.report.Table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The rows as text and as JSON. The names in the JSON are stable: programs read them.
 */
public final class BenchReport
{
    private static final int DECIMALS = 2;

    private BenchReport()
    {
    }

    /**
     * Aligned columns.
     *
     * @param rows of the report.
     * @return text of several lines.
     */
    public static String text(final List<BenchRow> rows)
    {
        final Table table = new Table().row("operation", "batch", "clients", "keys", "keys/s", "of echo", "p50 us",
            "p99 us", "p99.9 us", "B/key", "core ns/key", "cycles over 1 ms");
        for (final BenchRow row : rows)
        {
            table.row(
                row.operation(),
                Integer.toString(row.batch()),
                Integer.toString(row.clients()),
                Long.toString(row.keys()),
                number("%,.0f", row.keysPerSecond()),
                number("%.2f", row.echoRatio()),
                number("%.1f", row.p50Us()),
                number("%.1f", row.p99Us()),
                number("%.1f", row.p999Us()),
                number("%.0f", row.bytesPerKey()),
                number("%.0f", row.coreNsPerKey()),
                Long.toString(row.longCycles()));
        }

        return table.toString();
    }

    /**
     * Writes the rows to a file.
     *
     * @param rows of the report.
     * @param file that is created or replaced.
     * @throws IOException if it cannot be written.
     */
    public static void writeJson(final List<BenchRow> rows, final Path file) throws IOException
    {
        JsonFile.write(file, (out) ->
        {
            out.writeArrayFieldStart("rows");
            for (final BenchRow row : rows)
            {
                write(out, row);
            }
            out.writeEndArray();
        });
    }

    private static void write(final JsonGenerator out, final BenchRow row) throws IOException
    {
        out.writeStartObject();
        out.writeStringField("op", row.operation());
        out.writeNumberField("batch", row.batch());
        out.writeNumberField("clients", row.clients());
        out.writeNumberField("keys", row.keys());
        JsonFile.decimal(out, "keys_per_second", row.keysPerSecond(), DECIMALS);
        JsonFile.decimal(out, "p50_us", row.p50Us(), DECIMALS);
        JsonFile.decimal(out, "p99_us", row.p99Us(), DECIMALS);
        JsonFile.decimal(out, "p999_us", row.p999Us(), DECIMALS);
        JsonFile.decimal(out, "bytes_per_key", row.bytesPerKey(), DECIMALS);
        JsonFile.decimal(out, "echo_ratio", row.echoRatio(), DECIMALS);
        JsonFile.decimal(out, "core_ns_per_key", row.coreNsPerKey(), DECIMALS);
        out.writeNumberField("cycles_over_1ms", row.longCycles());
        out.writeEndObject();
    }

    private static String number(final String format, final double value)
    {
        return String.format(Locale.ROOT, format, value);
    }
}
