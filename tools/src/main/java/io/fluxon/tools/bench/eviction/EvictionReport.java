package io.fluxon.tools.bench.eviction;

import io.fluxon.tools.bench.Target;
import io.fluxon.tools.report.JsonFile;
import io.fluxon.tools.report.Median;
import io.fluxon.tools.report.Table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What was measured, as text and as JSON. The names in the JSON are stable: programs read them.
 *
 * @param settings      of the measurement.
 * @param fullRates     of the rounds: pages a second into the full pool.
 * @param emptyRates    of the rounds: pages a second into the empty pool.
 * @param freed         pages that the full pool evicted in the rounds.
 * @param emptySelected pages that the empty pool selected: 0, or it was not empty.
 * @param pressureSteps of the full pool: 0 when all victims are those of its window.
 * @param freeP50Ns     median time of the full pool's victims from selected to free.
 * @param freeP99Ns     99th percentile of that time.
 */
public record EvictionReport(
    EvictionBenchSettings settings,
    double[] fullRates,
    double[] emptyRates,
    long freed,
    long emptySelected,
    long pressureSteps,
    long freeP50Ns,
    long freeP99Ns)
{
    /** Part of the empty pool's throughput that the full one should have at least. */
    public static final double TARGET_RATIO = 0.8;

    private static final double NS_OF_US = 1000.0;
    private static final double MEBIBYTE = 1 << 20;
    private static final int DECIMALS = 2;
    private static final int RATIO_DECIMALS = 4;

    /**
     * Throughput into the full pool by that into the empty one.
     *
     * @return ratio of the medians of the rounds.
     */
    public double ratio()
    {
        return Median.of(fullRates) / Median.of(emptyRates);
    }

    /**
     * Did every put into the full pool need a victim, and none into the empty one?
     *
     * @return false when the pools were not what they were to be.
     */
    public boolean isValid()
    {
        return 0 == emptySelected && freed >= (long) settings.rounds() * settings.pages() / 2;
    }

    /**
     * What is asked of it.
     *
     * @return the targets with what was measured.
     */
    public List<Target> targets()
    {
        return List.of(Target.atLeast("full / empty, medians of the rounds", ratio(), TARGET_RATIO));
    }

    /**
     * A heading, aligned columns, and what the columns are.
     *
     * @return text of several lines.
     */
    public String text()
    {
        return String.format(Locale.ROOT,
            "%d rounds of %,d pages of %,d bytes into a full pool and one with room in turn, " +
            "%d pages a put; %d processors%n%n%s%n" +
            "%s" +
            "from selected to free: p50 %.1f us, p99 %.1f us; steps of pressure: %d%n",
            settings.rounds(), settings.pages(), settings.pageBytes(), settings.batchPages(),
            Runtime.getRuntime().availableProcessors(),
            new Table().row("pool", "puts/s", "MiB/s", "evicted").row(row("full", fullRates, freed))
                .row(row("empty", emptyRates, emptySelected)),
            Target.text(targets()), freeP50Ns / NS_OF_US, freeP99Ns / NS_OF_US, pressureSteps);
    }

    private String[] row(final String name, final double[] rates, final long evicted)
    {
        final double median = Median.of(rates);
        return new String[]
        {
            name,
            String.format(Locale.ROOT, "%,.0f", median),
            String.format(Locale.ROOT, "%,.1f", median * settings.pageBytes() / MEBIBYTE),
            String.format(Locale.ROOT, "%,d", evicted)
        };
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
            JsonFile.decimal(out, "full_puts_per_second", Median.of(fullRates), DECIMALS);
            JsonFile.decimal(out, "empty_puts_per_second", Median.of(emptyRates), DECIMALS);
            JsonFile.decimal(out, "ratio", ratio(), RATIO_DECIMALS);
            out.writeNumberField("evicted", freed);
            JsonFile.decimal(out, "selected_to_free_us_p50", freeP50Ns / NS_OF_US, DECIMALS);
            JsonFile.decimal(out, "selected_to_free_us_p99", freeP99Ns / NS_OF_US, DECIMALS);
        });
    }
}
