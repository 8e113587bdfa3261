package io.fluxon.tools.bench.eviction;

import com.fasterxml.jackson.core.JsonGenerator;

import io.fluxon.tools.bench.Target;
import io.fluxon.tools.report.JsonFile;
import io.fluxon.tools.report.Median;
import io.fluxon.tools.report.Table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What was measured, as text and as JSON. The names in the JSON are stable: programs read them. The figures beside
 * {@code rows} are those of the first row.
 *
 * @param settings of the measurement.
 * @param rows     by the source of victims; the first is {@link VictimSource#WINDOW}.
 */
public record EvictionReport(EvictionBenchSettings settings, List<EvictionRow> rows)
{
    /** Part of the empty pool's throughput that the full one should have at least, with victims of its window. */
    public static final double TARGET_RATIO = 0.8;

    private static final double NS_OF_US = 1000.0;
    private static final double MEBIBYTE = 1 << 20;
    private static final int DECIMALS = 2;
    private static final int RATIO_DECIMALS = 4;

    /**
     * Were all pools what they were to be?
     *
     * @return false when one was not.
     */
    public boolean isValid()
    {
        return rows.stream().allMatch(EvictionRow::isValid);
    }

    /**
     * What is asked of it.
     *
     * @return the targets with what was measured.
     */
    public List<Target> targets()
    {
        return List.of(Target.atLeast("full / empty, victims of the window", rows.getFirst().ratio(), TARGET_RATIO));
    }

    /**
     * A heading, aligned columns, and what the columns are.
     *
     * @return text of several lines.
     */
    public String text()
    {
        final Table table = new Table().row("victims by", "pages a round", "full puts/s", "MiB/s", "empty puts/s",
            "full / empty", "evicted", "copied first", "pressure steps", "to free p50 us", "p99 us");
        for (final EvictionRow row : rows)
        {
            table.row(
                row.source().label(),
                String.format(Locale.ROOT, "%,d", row.pages()),
                String.format(Locale.ROOT, "%,.0f", Median.of(row.fullRates())),
                String.format(Locale.ROOT, "%,.1f", Median.of(row.fullRates()) * settings.pageBytes() / MEBIBYTE),
                String.format(Locale.ROOT, "%,.0f", Median.of(row.emptyRates())),
                String.format(Locale.ROOT, "%.3f", row.ratio()),
                String.format(Locale.ROOT, "%,d", row.freed()),
                String.format(Locale.ROOT, "%,d", row.copied()),
                String.format(Locale.ROOT, "%,d", row.pressureSteps()),
                String.format(Locale.ROOT, "%,.1f", row.freeP50Ns() / NS_OF_US),
                String.format(Locale.ROOT, "%,.1f", row.freeP99Ns() / NS_OF_US));
        }

        return String.format(Locale.ROOT,
            "%d rounds of pages of %,d bytes into a full pool and one with room in turn, " +
            "%d pages a put; %d processors; medians of the rounds%n%n%s%n%s",
            settings.rounds(), settings.pageBytes(), settings.batchPages(),
            Runtime.getRuntime().availableProcessors(), table, Target.text(targets()));
    }

    /**
     * Writes it to a file.
     *
     * @param file that is created or replaced.
     * @throws IOException if it cannot be written.
     */
    public void writeJson(final Path file) throws IOException
    {
        JsonFile.write(file, (out) ->
        {
            out.writeNumberField("rounds", settings.rounds());
            out.writeNumberField("pages_per_round", settings.pages());
            out.writeNumberField("page_bytes", settings.pageBytes());
            out.writeNumberField("processors", Runtime.getRuntime().availableProcessors());
            write(out, rows.getFirst());
            out.writeArrayFieldStart("rows");
            for (final EvictionRow row : rows)
            {
                out.writeStartObject();
                out.writeStringField("victims_by", row.source().label());
                out.writeNumberField("pages_per_round", row.pages());
                write(out, row);
                out.writeNumberField("copied_first", row.copied());
                out.writeNumberField("pressure_steps", row.pressureSteps());
                out.writeEndObject();
            }
            out.writeEndArray();
        });
    }

    private static void write(final JsonGenerator out, final EvictionRow row) throws IOException
    {
        JsonFile.decimal(out, "full_puts_per_second", Median.of(row.fullRates()), DECIMALS);
        JsonFile.decimal(out, "empty_puts_per_second", Median.of(row.emptyRates()), DECIMALS);
        JsonFile.decimal(out, "ratio", row.ratio(), RATIO_DECIMALS);
        out.writeNumberField("evicted", row.freed());
        JsonFile.decimal(out, "selected_to_free_us_p50", row.freeP50Ns() / NS_OF_US, DECIMALS);
        JsonFile.decimal(out, "selected_to_free_us_p99", row.freeP99Ns() / NS_OF_US, DECIMALS);
    }
}
