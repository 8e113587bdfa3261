package io.fluxon.tools.bench;

import com.fasterxml.jackson.core.JsonGenerator;

import io.fluxon.tools.report.JsonFile;
import io.fluxon.tools.report.Table;

import java.io.IOException;
import java.nio.file.Path;
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
     * Aligned columns, and below them the long duty cycles of all phases.
     *
     * @param result of the measurement.
     * @return text of several lines.
     */
    public static String text(final BenchResult result)
    {
        final Table table = new Table().row("operation", "batch", "clients", "keys", "keys/s", "of echo", "p50 us",
            "p99 us", "p99.9 us", "B/key", "core ns/key", "cycles over 1 ms", "by cpu");
        for (final BenchRow row : result.rows())
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
                Long.toString(row.longCycles()),
                Long.toString(row.longCpuCycles()));
        }
        final Table phases = new Table().row("keys", "phase", "cycles over 1 ms", "by cpu");
        for (final BenchResult.CycleCount count : result.cycles())
        {
            phases.row(
                Long.toString(count.keys()),
                count.phase(),
                Long.toString(count.longCycles()),
                Long.toString(count.longCpuCycles()));
        }

        return table + "\n" + phases +
            "\nCycles over 1 ms are duty cycles of the master, by the clock and by its thread's processor time.\n";
    }

    /**
     * Writes it to a file.
     *
     * @param result of the measurement.
     * @param file   that is created or replaced.
     * @throws IOException if it cannot be written.
     */
    public static void writeJson(final BenchResult result, final Path file) throws IOException
    {
        JsonFile.write(file, (out) ->
        {
            out.writeArrayFieldStart("rows");
            for (final BenchRow row : result.rows())
            {
                write(out, row);
            }
            out.writeEndArray();
            out.writeArrayFieldStart("cycles");
            for (final BenchResult.CycleCount count : result.cycles())
            {
                out.writeStartObject();
                out.writeNumberField("keys", count.keys());
                out.writeStringField("phase", count.phase());
                out.writeNumberField("cycles_over_1ms", count.longCycles());
                out.writeNumberField("cpu_cycles_over_1ms", count.longCpuCycles());
                out.writeEndObject();
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
        out.writeNumberField("cpu_cycles_over_1ms", row.longCpuCycles());
        out.writeEndObject();
    }

    private static String number(final String format, final double value)
    {
        return String.format(Locale.ROOT, format, value);
    }
}
