package io.fluxon.sim.teeth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A fault that can be planted in the production sources. It is a text file, so that no fault is ever in a shipped jar:
 * <pre>
 * What is wrong, in one sentence.
 * rule: SLOT-7
 * also: CRC-1, LIFE-1
 * --- engine/src/main/java/io/fluxon/engine/owner/FlightService.java
 *          joinable.remove(flight);
 * -        if (flight.isInMotion)
 * +        if (false)
 * </pre>
 * {@code rule} is the rule that it breaks, {@code also} names further checkers that may see it first: what a fault does
 * to a run depends on the run. {@code ---} begins a source file, {@code @@} a further place in it; lines are those of a
 * {@link Hunk}.
 *
 * @param name  of its file, without the ending.
 * @param title what is wrong.
 * @param rule  of the contract that it breaks.
 * @param rules all whose checkers may find it, {@code rule} first.
 * @param hunks its places.
 */
record Fault(String name, String title, String rule, List<String> rules, List<Hunk> hunks)
{
    private static final String ENDING = ".fault";
    private static final String RULE = "rule: ";
    private static final String ALSO = "also: ";
    private static final String SOURCE = "--- ";
    private static final String PLACE = "@@";

    /**
     * Reads a catalogue.
     *
     * @param directory with the files.
     * @return the faults, by name.
     * @throws TeethException when a file is not that of a fault.
     */
    static List<Fault> readAll(final Path directory)
    {
        try (Stream<Path> files = Files.list(directory))
        {
            final List<Fault> faults = new ArrayList<>();
            for (final Path file : files.filter((path) -> path.toString().endsWith(ENDING)).sorted().toList())
            {
                final String name = file.getFileName().toString();
                faults.add(of(name.substring(0, name.length() - ENDING.length()), Files.readAllLines(file)));
            }
            return faults;
        }
        catch (final IOException ex)
        {
            throw new TeethException("faults cannot be read: " + ex);
        }
    }

    /**
     * Reads a fault.
     *
     * @param name  of it.
     * @param lines of its file.
     * @return the fault.
     * @throws TeethException when they are not those of a fault.
     */
    static Fault of(final String name, final List<String> lines)
    {
        final List<String> rules = new ArrayList<>();
        final List<Hunk> hunks = new ArrayList<>();
        final List<String> place = new ArrayList<>();
        String source = null;
        for (final String line : lines)
        {
            if (line.startsWith(SOURCE) || line.startsWith(PLACE))
            {
                addHunk(name, source, place, hunks);
                source = line.startsWith(SOURCE) ? line.substring(SOURCE.length()) : source;
            }
            else if (null != source)
            {
                place.add(line);
            }
            else if (line.startsWith(RULE))
            {
                rules.addFirst(line.substring(RULE.length()));
            }
            else if (line.startsWith(ALSO))
            {
                rules.addAll(List.of(line.substring(ALSO.length()).split(", ")));
            }
        }
        addHunk(name, source, place, hunks);
        if (rules.isEmpty() || hunks.isEmpty())
        {
            throw new TeethException(name + ": a fault has a rule and a place in a source");
        }
        return new Fault(name, lines.getFirst(), rules.getFirst(), rules, hunks);
    }

    private static void addHunk(
        final String name, final String source, final List<String> place, final List<Hunk> hunks)
    {
        if (!place.isEmpty())
        {
            hunks.add(Hunk.of(name, source, place));
            place.clear();
        }
    }
}
