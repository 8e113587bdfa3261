package io.fluxon.tools.policy;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.fluxon.tools.report.Table;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The results of a comparison, as text and as JSON.
 */
final class PolicyReport
{
    private static final int DECIMALS = 6;
    private static final double HUNDRED = 100;

    private final List<ComparedPolicy> policies;
    private final List<PolicyResult> results = new ArrayList<>();

    PolicyReport(final List<ComparedPolicy> policies)
    {
        this.policies = policies;
    }

    void add(final PolicyResult result)
    {
        results.add(result);
    }

    List<PolicyResult> results()
    {
        return results;
    }

    /** A table with a row for each trace and capacity, and how much of the gap from LRU to the bound is closed. */
    String text()
    {
        final Table table = new Table();
        final List<String> head = new ArrayList<>(List.of("trace", "blocks"));
        policies.forEach(policy -> head.add(policy.label()));
        head.add("gap closed");
        table.row(head.toArray(String[]::new));
        for (int i = 0; i + policies.size() <= results.size(); i += policies.size())
        {
            final List<PolicyResult> row = results.subList(i, i + policies.size());
            final List<String> cells = new ArrayList<>(
                List.of(row.getFirst().trace(), Integer.toString(row.getFirst().capacityBlocks())));
            row.forEach(result -> cells.add(String.format(Locale.ROOT, "%.4f", result.hitRatio())));
            cells.add(gapClosed(row));
            table.row(cells.toArray(String[]::new));
        }
        return table.toString();
    }

    private String gapClosed(final List<PolicyResult> row)
    {
        final int lru = policies.indexOf(ComparedPolicy.LRU);
        final int bound = policies.indexOf(ComparedPolicy.BOUND);
        final int fluxon = policies.indexOf(ComparedPolicy.FLUXON);
        if (lru < 0 || bound < 0 || fluxon < 0 || row.get(bound).hitRatio() <= row.get(lru).hitRatio())
        {
            return "-";
        }
        final double gap = row.get(bound).hitRatio() - row.get(lru).hitRatio();
        return String.format(
            Locale.ROOT, "%.0f %%", HUNDRED * (row.get(fluxon).hitRatio() - row.get(lru).hitRatio()) / gap);
    }

    /**
     * Writes the results as JSON. The names are stable: programs read them.
     *
     * @param file that is created or replaced.
     * @throws IOException if it cannot be written.
     */
    void writeJson(final Path file) throws IOException
    {
        try (JsonGenerator json = new JsonFactory().createGenerator(Files.newBufferedWriter(file)))
        {
            json.useDefaultPrettyPrinter().writeStartArray();
            for (final PolicyResult result : results)
            {
                json.writeStartObject();
                json.writeStringField("trace", result.trace());
                json.writeNumberField("capacity_blocks", result.capacityBlocks());
                json.writeStringField("policy", result.policy());
                json.writeFieldName("hit_ratio");
                json.writeNumber(BigDecimal.valueOf(result.hitRatio()).setScale(DECIMALS, RoundingMode.HALF_UP));
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeRaw('\n');
        }
    }
}
