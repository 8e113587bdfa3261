package io.fluxon.tools.bench.path;

import static java.util.Locale.ROOT;

import io.fluxon.tools.report.Table;

/**
 * What was measured.
 *
 * @param settings of the measurement.
 * @param place    where copies were made, in words.
 * @param runs     of each way.
 * @param restore  stages of restores.
 * @param backup   stages of backups.
 * @param smallRestore stages of restores of small pages.
 * @param smallBackup  stages of backups of small pages.
 * @param compared pages that were compared byte by byte, and right.
 */
public record PathReport(
    PathBenchSettings settings,
    String place,
    int runs,
    PathTimes restore,
    PathTimes backup,
    PathTimes smallRestore,
    PathTimes smallBackup,
    long compared)
{
    static final String COPY = "copy alone";
    static final String PATH = "whole path";
    static final String GET_START = "  getStart";
    static final String GET_TRANSFER = "  getTransfer";
    static final String RESTORE = "  restore, release";
    static final String PUT_START = "  putStart";
    static final String BACKUP = "  backup";
    static final String LOCAL = "  commit until readable here";
    static final String GLOBAL = "commit until global";
    /** What the path may take above the copy, microseconds. */
    static final double TARGET_MICROS = 150;

    private static final double MEDIAN = 0.5;
    private static final double P90 = 0.9;
    private static final double P99 = 0.99;

    /**
     * The report for people.
     *
     * @return lines.
     */
    public String text()
    {
        return String.format(ROOT, "%s; %d pages of %d bytes (%d layers of K and V, %d bytes each), %d runs, %s%n",
            place, settings.pages(), settings.geometry().valueBytes(), settings.layers(), settings.fragmentBytes(),
            runs, settings.idle()) +
            text("restore: getStart, getTransfer, restore, release", restore) +
            text("backup: putStart, backup, commit until readable here", backup) +
            String.format(ROOT, "with pages of %d bytes, p50, us:", settings.smallGeometry().valueBytes()) +
            medians(smallRestore) + medians(smallBackup) +
            String.format(ROOT, "%n%d pages came back bit for bit%n", compared);
    }

    private String text(final String way, final PathTimes times)
    {
        final Table table = new Table().row(way + ", us", "p50", "p90", "p99");
        for (final String stage : times.stages())
        {
            table.row(stage, micros(times, stage, MEDIAN), micros(times, stage, P90), micros(times, stage, P99));
        }
        final double bytes = (double) settings.pages() * settings.geometry().valueBytes();
        final double above = times.medianDifference(PATH, COPY);
        return table + String.format(ROOT,
            "above the copy: %.1f us, median of the runs' differences (p50 less p50: %.1f us; target %.0f us: %s); " +
            "copy %.2f GB/s, path %.2f GB/s%n%n",
            above, times.micros(PATH, MEDIAN) - times.micros(COPY, MEDIAN), TARGET_MICROS,
            above <= TARGET_MICROS ? "reached" : "missed",
            bytes / times.micros(COPY, MEDIAN) / 1e3, bytes / times.micros(PATH, MEDIAN) / 1e3);
    }

    private static String medians(final PathTimes times)
    {
        final StringBuilder out = new StringBuilder();
        for (final String stage : times.stages())
        {
            out.append(out.isEmpty() ? " " : ", ").append(stage.strip()).append(' ')
                .append(micros(times, stage, MEDIAN));
        }
        return out.append(';').toString();
    }

    private static String micros(final PathTimes times, final String stage, final double quantile)
    {
        return String.format(ROOT, "%.1f", times.micros(stage, quantile));
    }
}
