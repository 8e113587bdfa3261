package io.fluxon.sim;

import static java.util.Locale.ROOT;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.fluxon.sim.cluster.FaultKind;
import io.fluxon.tools.report.Table;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Shows what came of many seeds: to people as text, to programs as JSON.
 */
final class SimReport
{
    private static final double NS_OF_SECOND = 1e9;
    private static final int DECIMALS = 3;
    private static final int MAX_FAILED = 20;
    private static final int MAX_MESSAGE = 600;

    private final SimTotals totals;
    private final long elapsedNs;

    /**
     * A report.
     *
     * @param totals    of all seeds.
     * @param elapsedNs time that they took, in nanoseconds of this machine.
     */
    SimReport(final SimTotals totals, final long elapsedNs)
    {
        this.totals = totals;
        this.elapsedNs = elapsedNs;
    }

    /** One line on what there is so far. */
    static String progress(final SimTotals totals, final long elapsedNs)
    {
        return String.format(ROOT, "sim: %,d seeds, %,d operations, %,.0f virtual seconds, %.0f s, %,d violations",
            totals.seeds(), totals.operations(), totals.virtualNs() / NS_OF_SECOND, elapsedNs / NS_OF_SECOND,
            totals.failed().size());
    }

    /** The tables. */
    String text()
    {
        final StringBuilder out = new StringBuilder();
        final double seconds = elapsedNs / NS_OF_SECOND;
        out.append(String.format(ROOT, "%,d seeds in %.1f s: %.1f a second; %,d of them run again: the same runs%n%n",
            totals.seeds(), seconds, totals.seeds() / seconds, totals.repeated()));
        out.append(new Table()
            .row("work", "operations", "virtual_seconds", "steps", "steps/s")
            .row("", number(totals.operations()), number(totals.virtualNs() / 1_000_000_000L), number(totals.steps()),
                number((long)(totals.steps() / seconds)))).append('\n');
        out.append(new Table()
            .row("median seed", "operations", "processes", "faults")
            .row("", number(totals.medianOperations()), number(totals.medianProcesses()),
                number(totals.medianFaults()))).append('\n');
        appendFaults(out);
        appendBranches(out);
        appendFailed(out);
        return out.toString();
    }

    private void appendFaults(final StringBuilder out)
    {
        final Table table = new Table().row("fault", "number", "seeds");
        for (final FaultKind kind : FaultKind.values())
        {
            table.row(name(kind), number(totals.faults().get(kind)), number(totals.seedsWith(kind)));
        }
        out.append(table).append('\n');
    }

    private void appendBranches(final StringBuilder out)
    {
        final Table table = new Table().row("branch", "number", "seeds");
        final List<String> unreached = new ArrayList<>();
        totals.branches().forEach((name, count) ->
        {
            if (0 == count)
            {
                unreached.add(name);
            }
            else
            {
                table.row(name, number(count), number(totals.seedsWith(name)));
            }
        });
        out.append(table).append('\n');
        if (!unreached.isEmpty())
        {
            out.append("never reached: ").append(String.join(", ", unreached)).append("\n\n");
        }
    }

    private void appendFailed(final StringBuilder out)
    {
        final List<FailedSeed> failed = totals.failed();
        if (failed.isEmpty())
        {
            out.append("violations: none\n");
            return;
        }
        final Map<String, Integer> rules = new TreeMap<>();
        failed.forEach((seed) -> rules.merge(seed.rule(), 1, Integer::sum));
        final Table table = new Table().row("violations", "seeds");
        rules.forEach((rule, count) -> table.row("  " + rule, number(count)));
        out.append(table);
        failed.stream().limit(MAX_FAILED).forEach((seed) -> out.append(line(seed)).append('\n'));
        if (failed.size() > MAX_FAILED)
        {
            out.append(String.format(ROOT, "and %,d more%n", failed.size() - MAX_FAILED));
        }
    }

    /** One failed seed. */
    static String line(final FailedSeed failed)
    {
        final String message = failed.message().strip();
        return "seed " + Long.toUnsignedString(failed.seed()) + " broke " + failed.rule() + ": " +
            message.substring(0, Math.min(MAX_MESSAGE, message.length()));
    }

    /**
     * Writes the JSON. The names are stable: programs read them.
     *
     * @param file that is created or replaced.
     * @throws IOException if it cannot be written.
     */
    void writeJson(final Path file) throws IOException
    {
        try (JsonGenerator json = new JsonFactory().createGenerator(Files.newBufferedWriter(file)))
        {
            json.useDefaultPrettyPrinter().writeStartObject();
            json.writeNumberField("seeds", totals.seeds());
            json.writeNumberField("operations", totals.operations());
            json.writeNumberField("median_operations", totals.medianOperations());
            json.writeNumberField("median_processes", totals.medianProcesses());
            json.writeNumberField("median_faults", totals.medianFaults());
            json.writeNumberField("steps", totals.steps());
            json.writeFieldName("virtual_seconds");
            json.writeNumber(
                BigDecimal.valueOf(totals.virtualNs() / NS_OF_SECOND).setScale(DECIMALS, RoundingMode.HALF_UP));
            json.writeNumberField("violations", totals.failed().size());
            write(json, "faults", totals.faults().byName());
            write(json, "branches", totals.branches());
            json.writeStringField("digest", totals.digest());
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    private static void write(final JsonGenerator json, final String name, final Map<String, Long> counts)
        throws IOException
    {
        json.writeObjectFieldStart(name);
        for (final Map.Entry<String, Long> entry : counts.entrySet())
        {
            json.writeNumberField(entry.getKey(), entry.getValue());
        }
        json.writeEndObject();
    }

    private static String name(final FaultKind kind)
    {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static String number(final long value)
    {
        return String.format(ROOT, "%,d", value);
    }
}
