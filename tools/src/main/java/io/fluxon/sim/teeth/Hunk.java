package io.fluxon.sim.teeth;

import java.util.ArrayList;
import java.util.List;

/**
 * One place of a fault in a source file, written like a piece of a diff. The first character of each line says what the
 * line is: {@code ' '} of the source, {@code '-'} of the source and absent in the fault, {@code '+'} only in the fault,
 * {@code '?'} only in the source that counts how often the fault would show.
 *
 * @param source  path of the source file, from the root of the project.
 * @param find    lines of the source.
 * @param plant   lines that take their place in the fault.
 * @param probes  lines that count.
 * @param probeAt for each of {@code probes}: how many lines of {@code find} come before it.
 */
record Hunk(String source, List<String> find, List<String> plant, List<String> probes, List<Integer> probeAt)
{
    private static final String REACHED = "reached();";

    static Hunk of(final String fault, final String source, final List<String> lines)
    {
        final Hunk hunk = new Hunk(
            source, new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (final String line : lines)
        {
            final String text = line.isEmpty() ? "" : line.substring(1);
            switch (line.isEmpty() ? ' ' : line.charAt(0))
            {
                case ' ' ->
                {
                    hunk.find.add(text);
                    hunk.plant.add(text);
                }
                case '-' -> hunk.find.add(text);
                case '+' -> hunk.plant.add(text);
                case '?' -> hunk.addProbe(text.replace(REACHED, counting(fault)));
                default -> throw new TeethException(fault + ": a line begins with none of ' ', -, +, ?: " + line);
            }
        }
        if (hunk.find.isEmpty() || hunk.find.equals(hunk.plant) && hunk.probes.isEmpty())
        {
            throw new TeethException(fault + ": a place in " + source + " finds or changes nothing");
        }
        return hunk;
    }

    /**
     * Counts before its first line, unless it says where to count.
     *
     * @param fault that it is of.
     * @return with a probe.
     */
    Hunk probed(final String fault)
    {
        return probes.isEmpty() ? new Hunk(source, find, plant, List.of(counting(fault)), List.of(0)) : this;
    }

    /**
     * Where the lines are that it looks for.
     *
     * @param fault that it is of.
     * @param lines of the source file.
     * @return index of the first.
     * @throws TeethException when they are not there, or more than once: the code has moved on, the fault must follow.
     */
    int locate(final String fault, final List<String> lines)
    {
        int at = -1;
        for (int i = 0; i + find.size() <= lines.size(); i++)
        {
            if (find.equals(lines.subList(i, i + find.size())))
            {
                if (at >= 0)
                {
                    throw new TeethException(fault + ": " + source + " has these lines more than once:\n" + text());
                }
                at = i;
            }
        }
        if (at < 0)
        {
            throw new TeethException(fault + ": " + source + " has not these lines:\n" + text());
        }
        return at;
    }

    private String text()
    {
        return String.join("\n", find);
    }

    private void addProbe(final String line)
    {
        probes.add(line);
        probeAt.add(find.size());
    }

    private static String counting(final String fault)
    {
        return Probe.class.getName() + ".reached(\"" + fault + "\");";
    }
}
