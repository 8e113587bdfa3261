package io.fluxon.sim.teeth;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What came of planted faults.
 */
public final class TeethReport
{
    private static final String FORMAT = "%-48s %-7s %5s  %-20s %9s";
    private static final int SEEN_LENGTH = 160;

    private final List<Bite> bites;
    private final Map<String, Long> reached;
    private final int probeSeeds;
    private final Map<Long, String> falseAlarms;

    TeethReport(
        final List<Bite> bites,
        final Map<String, Long> reached,
        final int probeSeeds,
        final Map<Long, String> falseAlarms)
    {
        this.bites = bites;
        this.reached = reached;
        this.probeSeeds = probeSeeds;
        this.falseAlarms = falseAlarms;
        falseAlarms.values().removeIf("clean"::equals);
    }

    static String line(final Bite bite)
    {
        final StringBuilder text = new StringBuilder(String.format("%-48s %-7s %s after %d seeds, %.1f s",
            bite.fault().name(),
            bite.fault().rule(),
            bite.isFound() ? "found by " + bite.foundBy() : "NOT FOUND",
            bite.seeds(),
            bite.seconds()));
        if (bite.isFound())
        {
            text.append("\n    ").append(firstOf(bite.seen()));
        }
        bite.others().forEach((rule, seen) ->
            text.append("\n    not expected ").append(rule).append(", ").append(firstOf(seen)));
        return text.toString();
    }

    private static String firstOf(final String seen)
    {
        final String line = seen.lines().findFirst().orElse("");
        return line.substring(0, Math.min(SEEN_LENGTH, line.length()));
    }

    /**
     * Is every fault found, its place reached, and no alarm raised without one?
     *
     * @return true when the simulator has teeth.
     */
    public boolean isGood()
    {
        return found() == bites.size() && reached.values().stream().allMatch((count) -> count > 0) &&
            falseAlarms.isEmpty();
    }

    /**
     * Number of faults that were planted.
     *
     * @return their number.
     */
    public int planted()
    {
        return bites.size();
    }

    /**
     * Number of faults that were found.
     *
     * @return their number.
     */
    public long found()
    {
        return bites.stream().filter(Bite::isFound).count();
    }

    /**
     * How often the place of a fault was reached without it.
     *
     * @param fault name of it.
     * @return times.
     */
    public long reached(final String fault)
    {
        return reached.get(fault);
    }

    /**
     * The table: fault, rule, seeds needed, whose checker found it, how often its place is reached without it.
     *
     * @return lines of text.
     */
    public String table()
    {
        final StringBuilder text = new StringBuilder()
            .append(String.format(FORMAT, "fault", "rule", "seeds", "found by", "reached")).append('\n');
        for (final Bite bite : bites)
        {
            text.append(String.format(FORMAT,
                bite.fault().name(),
                bite.fault().rule(),
                bite.isFound() ? bite.seeds() : "-",
                bite.isFound() ? bite.foundBy() : "NOT FOUND",
                reached.get(bite.fault().name()))).append('\n');
        }
        falseAlarms.forEach((seed, seen) ->
            text.append("seed ").append(seed).append(" without a fault: ").append(seen).append('\n'));
        return text.append(String.format("%d of %d faults found; reached: in %d seeds without a fault%n",
            found(), bites.size(), probeSeeds)).toString();
    }

    /**
     * Writes it as JSON.
     *
     * @param file that is created or replaced.
     * @throws IOException if it cannot be written.
     */
    public void writeJson(final Path file) throws IOException
    {
        try (JsonGenerator json = new JsonFactory().createGenerator(Files.newBufferedWriter(file)))
        {
            json.useDefaultPrettyPrinter().writeStartObject();
            json.writeNumberField("planted", bites.size());
            json.writeNumberField("found", found());
            json.writeObjectFieldStart("seeds_needed");
            for (final Bite bite : bites)
            {
                if (bite.isFound())
                {
                    json.writeNumberField(bite.fault().name(), bite.seeds());
                }
            }
            json.writeEndObject();
            json.writeObjectFieldStart("rule");
            for (final Bite bite : bites)
            {
                json.writeStringField(bite.fault().name(), bite.fault().rule());
            }
            json.writeEndObject();
            json.writeObjectFieldStart("found_by");
            for (final Bite bite : bites)
            {
                json.writeStringField(bite.fault().name(), bite.foundBy());
            }
            json.writeEndObject();
            json.writeObjectFieldStart("reached");
            for (final Map.Entry<String, Long> entry : reached.entrySet())
            {
                json.writeNumberField(entry.getKey(), entry.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        }
    }
}
