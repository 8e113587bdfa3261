package io.fluxon.tools.bench;

import com.fasterxml.jackson.core.JsonGenerator;

import io.fluxon.tools.report.JsonFile;
import io.fluxon.tools.report.Table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The rows as text and as JSON. The names in the JSON are stable: programs read them.
 */
public final class BenchReport
{
    private static final int DECIMALS = 2;
    private static final int BATCH = 128;
    private static final int CLIENTS = 4;
    private static final long FEW_KEYS = 10_000;
    private static final long MANY_KEYS = 10_000_000;
    private static final double LEAST_GETS = 2_000_000;
    private static final double LEAST_PUBLISHES = 600_000;
    private static final double MOST_ROUND_TRIP_US = 30;
    private static final double MOST_COST_RATIO = 1.3;
    private static final double MOST_BYTES_PER_KEY = 350;
    private static final String BACK_OFF = "backoff";

    private BenchReport()
    {
    }

    /**
     * Aligned columns, and below them the long duty cycles of all phases.
     *
     * @param result   of the measurement.
     * @param settings of the measurement.
     * @return text of several lines.
     */
    public static String text(final BenchResult result, final BenchSettings settings)
    {
        final Table table = new Table().row("operation", "batch", "clients", "keys", "keys/s", "of echo", "p50 us",
            "p99 us", "p99.9 us", "B/key", "RSS/key", "core ns/key", "cycles over 1 ms", "by cpu");
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
                number("%.0f", row.rssPerKey()),
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
            "\nCycles over 1 ms are duty cycles of the master, by the clock and by its thread's processor time.\n" +
            "core ns/key includes polling while nothing is there; RSS/key is the growth of this whole process.\n" +
            Target.text(targets(result, settings));
    }

    /**
     * What is asked of the rows that were measured: throughput of batches of 128 with 4 clients at each size, the round
     * trip of a single key when nothing backs off, memory, cost of many keys by that of few, and no long duty cycle.
     *
     * @param result   of the measurement.
     * @param settings of the measurement.
     * @return the targets with what was measured.
     */
    public static List<Target> targets(final BenchResult result, final BenchSettings settings)
    {
        final List<Target> targets = new ArrayList<>();
        for (final BenchRow row : result.rows())
        {
            if (row.keys() > 0)
            {
                addTargets(targets, row, settings);
                addCostTarget(targets, row, result);
            }
        }
        long longCycles = 0;
        for (final BenchResult.CycleCount count : result.cycles())
        {
            longCycles += count.longCpuCycles();
        }
        targets.add(Target.atMost("cycles over 1 ms by cpu, all phases", longCycles, 0));

        return targets;
    }

    private static void addTargets(final List<Target> targets, final BenchRow row, final BenchSettings settings)
    {
        final String name = String.format(Locale.ROOT, "%s, %,d keys: ", row.operation(), row.keys());
        final boolean isGet = BenchOperation.GET_START.label().equals(row.operation());
        final boolean isPublish = BenchOperation.PUBLISH.label().equals(row.operation());
        if (BATCH == row.batch() && CLIENTS == row.clients() && (isGet || isPublish))
        {
            targets.add(
                Target.atLeast(name + "keys/s", row.keysPerSecond(), isGet ? LEAST_GETS : LEAST_PUBLISHES));
            targets.add(Target.atMost(name + "B/key", row.bytesPerKey(), MOST_BYTES_PER_KEY));
        }
        if (1 == row.batch() && 1 == row.clients() && !BACK_OFF.equals(settings.idle()))
        {
            targets.add(Target.atMost(name + "p50 us", row.p50Us(), MOST_ROUND_TRIP_US));
        }
    }

    /** The two operations of a pair have one cost. */
    private static void addCostTarget(final List<Target> targets, final BenchRow row, final BenchResult result)
    {
        final boolean isOnceAPair = BenchOperation.GET_START.label().equals(row.operation()) ||
            BenchOperation.PUBLISH.label().equals(row.operation());
        if (MANY_KEYS != row.keys() || !isOnceAPair)
        {
            return;
        }

        for (final BenchRow few : result.rows())
        {
            if (FEW_KEYS == few.keys() && few.operation().equals(row.operation()) && few.batch() == row.batch() &&
                few.clients() == row.clients())
            {
                targets.add(Target.atMost(
                    String.format(Locale.ROOT, "%s, batch %d, clients %d: core ns/key at %,d keys by that at %,d",
                        row.operation(), row.batch(), row.clients(), MANY_KEYS, FEW_KEYS),
                    row.coreNsPerKey() / few.coreNsPerKey(),
                    MOST_COST_RATIO));
            }
        }
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
        JsonFile.decimal(out, "rss_per_key", row.rssPerKey(), DECIMALS);
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
