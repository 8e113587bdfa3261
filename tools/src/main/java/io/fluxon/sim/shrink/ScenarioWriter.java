package io.fluxon.sim.shrink;

import io.fluxon.sim.cluster.ChoiceLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes scenario files.
 * <pre>
 *   fluxon-scenario 1
 *   rule A2
 *   seed 4711
 *   shows group of 3 keys published in two parts
 *   choices 3
 *   stream worker-0
 *   0=3 17=1
 *   stream worker-0&gt;owner-1#1
 *   4=1
 *   end
 * </pre>
 * The lines below a stream have its choices that are not the default, {@code index=value}, ascending by index. Empty
 * lines and lines that begin with # say nothing to the reader.
 */
public final class ScenarioWriter
{
    static final String HEADER = "fluxon-scenario 1";
    private static final int LINE_LENGTH = 120;

    private final StringBuilder out = new StringBuilder();
    private int lineLength;

    private ScenarioWriter()
    {
    }

    /**
     * Writes a scenario to a file.
     *
     * @param scenario to write.
     * @param file     that is created or replaced.
     * @throws IOException if it cannot be written.
     */
    public static void write(final Scenario scenario, final Path file) throws IOException
    {
        Files.writeString(file, format(scenario));
    }

    /**
     * Makes the text of a scenario file.
     *
     * @param scenario to write.
     * @return the text.
     */
    public static String format(final Scenario scenario)
    {
        return new ScenarioWriter().text(scenario);
    }

    private String text(final Scenario scenario)
    {
        final List<ChoiceLog.Choice> choices = scenario.choices().choices();
        out.append(HEADER).append('\n')
            .append("rule ").append(scenario.rule()).append('\n')
            .append("seed ").append(Long.toUnsignedString(scenario.seed())).append('\n')
            .append("shows ").append(oneLine(scenario.shows())).append('\n')
            .append("choices ").append(choices.size()).append('\n');
        String stream = null;
        for (final ChoiceLog.Choice choice : choices)
        {
            if (!choice.stream().equals(stream))
            {
                stream = choice.stream();
                endLine();
                out.append("stream ").append(stream).append('\n');
            }
            append(choice.index() + "=" + choice.value());
        }
        endLine();
        return out.append("end\n").toString();
    }

    private void append(final String item)
    {
        if (lineLength + 1 + item.length() > LINE_LENGTH)
        {
            endLine();
        }
        out.append(0 == lineLength ? "" : " ").append(item);
        lineLength += (0 == lineLength ? 0 : 1) + item.length();
    }

    private void endLine()
    {
        out.append(0 == lineLength ? "" : "\n");
        lineLength = 0;
    }

    private static String oneLine(final String text)
    {
        return text.replaceAll("\\s+", " ").strip();
    }
}
