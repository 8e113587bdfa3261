package io.fluxon.tools.bench.window;

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
public final class WindowReport
{
    /** Messages of a request at most, when all workers ask for the same keys. */
    private static final double MOST_MESSAGES = 1.0 / 8;
    /** What the window may cost at most: 90th percentile of a start by that without it. */
    private static final double MOST_P90_RATIO = 1.05;
    private static final int DECIMALS = 2;
    private static final int RATIO_DECIMALS = 4;

    private final WindowBenchSettings settings;
    private final List<Pair> pairs;

    WindowReport(final WindowBenchSettings settings, final List<Pair> pairs)
    {
        this.settings = settings;
        this.pairs = pairs;
    }

    /** The same with and without a window, in the same rounds. */
    record Pair(WindowRow with, WindowRow without)
    {
        List<WindowRow> rows()
        {
            return List.of(with, without);
        }
    }

    /** One round. */
    static String round(final int round, final Pair pair)
    {
        return String.format(Locale.ROOT, "%s, round %d: p90 of start %.0f us with, %.0f us without the window",
            pair.with.order().label(), round + 1, pair.with.p90Us(round), pair.without.p90Us(round));
    }

    /**
     * What is asked of workers that ask for the same keys.
     *
     * @return the targets with what was measured; none when that was not measured.
     */
    public List<Target> targets()
    {
        final List<Target> targets = new ArrayList<>();
        for (final Pair pair : pairs)
        {
            if (KeyOrder.SAME == pair.with.order())
            {
                targets.add(
                    Target.atMost("same: messages per request", pair.with.messagesPerRequest(), MOST_MESSAGES));
                targets.add(Target.atMost(
                    "same: p90 by that of none", pair.with.medianP90RatioTo(pair.without), MOST_P90_RATIO));
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
        final Table table = new Table().row("order", "window us", "requests", "keys", "messages", "per key",
            "per request", "p50 us", "p90 us", "p90 of none");
        for (final Pair pair : pairs)
        {
            for (final WindowRow row : pair.rows())
            {
                table.row(
                    row.order().label(),
                    Integer.toString(row.windowUs()),
                    Long.toString(row.requests()),
                    Long.toString(row.keys()),
                    Long.toString(row.messages()),
                    String.format(Locale.ROOT, "%.4f", row.messagesPerKey()),
                    String.format(Locale.ROOT, "%.4f", row.messagesPerRequest()),
                    String.format(Locale.ROOT, "%.1f", row.p50Us()),
                    String.format(Locale.ROOT, "%.1f", row.p90Us()),
                    String.format(Locale.ROOT, "%.3f", row.medianP90RatioTo(pair.without)));
            }
        }
        return String.format(Locale.ROOT,
            "%d workers of one owner miss at the same time, bursts of %d keys that another owner has; %d rounds of " +
            "%d bursts with and without the window in turn; %d processors%n%n%s%n" +
            "Messages are batch get starts to the master, for each different key and for each request of a worker.%n" +
            "Times are those from a request to its answer; the ratio is the median of those of the rounds.%n" +
            "same: all ask for the same keys. turned: each begins with another part of them. apart: each asks for a " +
            "part of its own.%n%s",
            settings.workers(), settings.keys(), settings.rounds(), settings.bursts(),
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
            out.writeNumberField("workers", settings.workers());
            out.writeNumberField("keys_per_burst", settings.keys());
            out.writeNumberField("rounds", settings.rounds());
            out.writeNumberField("bursts", settings.bursts());
            out.writeNumberField("processors", Runtime.getRuntime().availableProcessors());
            out.writeArrayFieldStart("rows");
            for (final Pair pair : pairs)
            {
                for (final WindowRow row : pair.rows())
                {
                    write(out, row, pair.without);
                }
            }
            out.writeEndArray();
        });
    }

    private static void write(final JsonGenerator out, final WindowRow row, final WindowRow without)
        throws IOException
    {
        out.writeStartObject();
        out.writeStringField("order", row.order().label());
        out.writeNumberField("window_us", row.windowUs());
        out.writeNumberField("requests", row.requests());
        out.writeNumberField("keys", row.keys());
        out.writeNumberField("messages", row.messages());
        JsonFile.decimal(out, "messages_per_key", row.messagesPerKey(), RATIO_DECIMALS);
        JsonFile.decimal(out, "messages_per_request", row.messagesPerRequest(), RATIO_DECIMALS);
        JsonFile.decimal(out, "p50_us", row.p50Us(), DECIMALS);
        JsonFile.decimal(out, "p90_us", row.p90Us(), DECIMALS);
        JsonFile.decimal(out, "p90_ratio", row.medianP90RatioTo(without), RATIO_DECIMALS);
        out.writeEndObject();
    }
}
