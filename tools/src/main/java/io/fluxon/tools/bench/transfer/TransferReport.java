package io.fluxon.tools.bench.transfer;

import com.fasterxml.jackson.core.JsonGenerator;

import io.fluxon.tools.bench.Target;
import io.fluxon.tools.report.JsonFile;
import io.fluxon.tools.report.Table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What was measured, as text and as JSON. The names in the JSON are stable: programs read them.
 */
public final class TransferReport
{
    private static final double MIB = 1 << 20;
    private static final int DECIMALS = 3;
    /** Parts of the bandwidth of ucp_get that are asked for. */
    private static final double LEAST_RATIO_PLAIN = 0.9;
    private static final double LEAST_RATIO_CHECKED = 0.85;

    private final TransferBenchSettings settings;
    private final String path;
    private final TransferRow reference;
    private final List<TransferRow> rows;

    TransferReport(
        final TransferBenchSettings settings,
        final String path,
        final TransferRow reference,
        final List<TransferRow> rows)
    {
        this.settings = settings;
        this.path = path;
        this.reference = reference;
        this.rows = rows;
    }

    /** One round, in MiB a second. */
    static String round(final int round, final List<TransferRow> rows)
    {
        final StringBuilder text = new StringBuilder("round ").append(round + 1).append(':');
        for (final TransferRow row : rows)
        {
            text.append(' ').append(row.operation()).append(row.isFetch() ? " " + row.checksum() : "")
                .append(' ').append(mib(row.bytesPerSecond()[round])).append(';');
        }
        return text.substring(0, text.length() - 1) + " MiB/s";
    }

    /**
     * What is asked of fetches and gets.
     *
     * @return the targets with what was measured.
     */
    public List<Target> targets()
    {
        final List<Target> targets = new ArrayList<>();
        for (final TransferRow row : rows)
        {
            if (row.isFetch())
            {
                final String name = row.operation() + ", checksum " + row.checksum();
                targets.add(Target.atLeast(name + ", of ucp_get", row.medianRatioTo(reference),
                    TransferRow.CHECKED.equals(row.checksum()) ? LEAST_RATIO_CHECKED : LEAST_RATIO_PLAIN));
                targets.add(Target.atMost(name + ", submissions", row.mostSubmissions(), settings.peers()));
            }
        }
        return targets;
    }

    /**
     * A heading, aligned columns, and what the columns are.
     *
     * @return text of several lines.
     */
    public String text()
    {
        final Table table = new Table().row("operation", "checksum", "MiB/s", "least", "most", "of ucp_get",
            "submissions", "peers");
        for (final TransferRow row : rows)
        {
            table.row(
                row.name(),
                row.checksum(),
                mib(row.median()),
                mib(row.least()),
                mib(row.most()),
                String.format(Locale.ROOT, "%.2f", row.medianRatioTo(reference)),
                row.isFetch() ? Long.toString(row.mostSubmissions()) : TransferRow.NO_CHECKSUM,
                row.isFetch() ? Integer.toString(settings.peers()) : TransferRow.NO_CHECKSUM);
        }
        return String.format(Locale.ROOT,
            "path: %s%nfetch of %d pages of %,d bytes, %d rounds, %d processors, idling: %s%n%n%s%n" +
            "MiB/s and ratio are medians over the rounds, the ratio of figures of the same round.%n" +
            "Submissions are the most of any batch. A get is the whole way of a worker, from its start to the last " +
            "page readable; an owner never leaves the checksum out.%n%s",
            path, settings.pages(), settings.pageBytes(), settings.rounds(),
            Runtime.getRuntime().availableProcessors(), settings.idle().name().toLowerCase(Locale.ROOT), table,
            Target.text(targets()));
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
            out.writeStringField("path", path);
            out.writeNumberField("pages", settings.pages());
            out.writeNumberField("page_bytes", settings.pageBytes());
            out.writeNumberField("rounds", settings.rounds());
            out.writeNumberField("processors", Runtime.getRuntime().availableProcessors());
            out.writeStringField("idle", settings.idle().name().toLowerCase(Locale.ROOT));
            out.writeArrayFieldStart("rows");
            for (final TransferRow row : rows)
            {
                write(out, row);
            }
            out.writeEndArray();
        });
    }

    private void write(final JsonGenerator out, final TransferRow row) throws IOException
    {
        out.writeStartObject();
        out.writeStringField("op", row.operation());
        if (row.isFetch())
        {
            out.writeStringField("checksum", row.checksum());
            out.writeNumberField("submissions", row.mostSubmissions());
            out.writeNumberField("peers", settings.peers());
            out.writeNumberField("checksum_bytes", row.leastChecksumBytes());
        }
        JsonFile.decimal(out, "mib_per_second", row.median() / MIB, DECIMALS);
        JsonFile.decimal(out, "least_mib_per_second", row.least() / MIB, DECIMALS);
        JsonFile.decimal(out, "most_mib_per_second", row.most() / MIB, DECIMALS);
        JsonFile.decimal(out, "of_ucp_get", row.medianRatioTo(reference), DECIMALS);
        out.writeEndObject();
    }

    private static String mib(final double bytesPerSecond)
    {
        return String.format(Locale.ROOT, "%,.0f", bytesPerSecond / MIB);
    }
}
