package io.fluxon.sim.shrink;

import io.fluxon.sim.cluster.ChoiceLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads scenario files, strictly; {@link ScenarioWriter} says what they look like.
 */
public final class ScenarioReader
{
    private static final int MAX_CHOICES = 10_000_000;
    private static final int MAX_NAME_LENGTH = 200;

    private final List<ChoiceLog.Choice> choices = new ArrayList<>();
    private final Set<String> streams = new HashSet<>();
    private final String name;
    private final List<String> lines;
    private int next;
    private String stream;
    private int lastIndex;

    private ScenarioReader(final String name, final List<String> lines)
    {
        this.name = name;
        this.lines = lines;
    }

    /**
     * Reads a file.
     *
     * @param file to read.
     * @return the scenario in it.
     * @throws ScenarioException if the file cannot be read, or holds something else.
     */
    public static Scenario read(final Path file)
    {
        try
        {
            return parse(file.toString(), new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        }
        catch (final IOException ex)
        {
            throw new ScenarioException(file + " cannot be read: " + ex);
        }
    }

    /**
     * Reads the text of a scenario file.
     *
     * @param name of the file, for messages.
     * @param text of the file.
     * @return the scenario in it.
     * @throws ScenarioException if the text is something else.
     */
    public static Scenario parse(final String name, final String text)
    {
        return new ScenarioReader(name, text.lines().toList()).scenario();
    }

    private Scenario scenario()
    {
        final String header = line();
        if (!ScenarioWriter.HEADER.equals(header))
        {
            throw wrong("'" + header + "'", "'" + ScenarioWriter.HEADER + "' in the first line");
        }
        final String rule = field("rule");
        if (!rule.matches("[A-Za-z0-9-]{1,40}"))
        {
            throw wrong("rule '" + rule + "'", "1 to 40 letters, digits and '-'");
        }
        final long seed = seed(field("seed"));
        final String shows = field("shows");
        final long count = number(field("choices"), "number of choices", MAX_CHOICES);
        readChoices();
        if (count != choices.size())
        {
            throw wrong(choices.size() + " choices", count + ", as the line 'choices' says");
        }
        return new Scenario(rule, seed, shows, ChoiceLog.of(choices));
    }

    private void readChoices()
    {
        String line = line();
        while (!"end".equals(line))
        {
            if (line.startsWith("stream "))
            {
                begin(line.substring("stream ".length()));
            }
            else if (null == stream)
            {
                throw wrong("'" + line + "'", "'stream NAME' or 'end'");
            }
            else
            {
                for (final String item : line.split(" "))
                {
                    add(item);
                }
            }
            line = line();
        }
        skip();
        if (next < lines.size())
        {
            next++;
            throw wrong("'" + lines.get(next - 1) + "'", "nothing after 'end'");
        }
    }

    private void begin(final String newStream)
    {
        if (newStream.isBlank() || newStream.length() > MAX_NAME_LENGTH || !streams.add(newStream))
        {
            throw wrong(
                "stream '" + newStream + "'", "a name of 1 to " + MAX_NAME_LENGTH + " characters, each name once");
        }
        stream = newStream;
        lastIndex = -1;
    }

    private void add(final String item)
    {
        final int equals = item.indexOf('=');
        if (equals < 0)
        {
            throw wrong("'" + item + "'", "INDEX=VALUE, 'stream NAME' or 'end'");
        }
        final int index = (int)number(item.substring(0, equals), "index", Integer.MAX_VALUE);
        final long value = number(item.substring(equals + 1), "value", Long.MAX_VALUE);
        if (index <= lastIndex || 0 == value)
        {
            throw wrong("'" + item + "'", "an index above " + lastIndex + " and a value above 0");
        }
        lastIndex = index;
        choices.add(new ChoiceLog.Choice(stream, index, value));
    }

    private String field(final String key)
    {
        final String line = line();
        if (!line.startsWith(key + " "))
        {
            throw wrong("'" + line + "'", "'" + key + " ...'");
        }
        return line.substring(key.length() + 1).strip();
    }

    private String line()
    {
        skip();
        if (next >= lines.size())
        {
            throw wrong("the end of the file", "a line 'end' at last");
        }
        return lines.get(next++).stripTrailing();
    }

    private void skip()
    {
        while (next < lines.size() && (lines.get(next).isBlank() || lines.get(next).startsWith("#")))
        {
            next++;
        }
    }

    private long seed(final String text)
    {
        try
        {
            return Long.parseUnsignedLong(text);
        }
        catch (final NumberFormatException ex)
        {
            throw wrong("seed '" + text + "'", "a number from 0 to 18446744073709551615");
        }
    }

    private long number(final String text, final String what, final long max)
    {
        try
        {
            final long number = text.startsWith("+") ? -1 : Long.parseLong(text);
            if (number >= 0 && number <= max)
            {
                return number;
            }
        }
        catch (final NumberFormatException ignore)
        {
            // said below
        }
        throw wrong(what + " '" + text + "'", "a number from 0 to " + max);
    }

    private ScenarioException wrong(final String is, final String allowed)
    {
        return new ScenarioException(name + ":" + Math.max(1, next) + ": is " + is + ", allowed: " + allowed);
    }
}
