package io.fluxon.sim.cluster;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.agrona.collections.LongArrayList;

/**
 * The choices of a run that are not the default, by stream and position in it. A run made of all choices of another is
 * the same run.
 */
public final class ChoiceLog
{
    private final Map<String, Entries> streams = new LinkedHashMap<>();

    /**
     * One choice.
     *
     * @param stream name of its stream.
     * @param index  position in the stream, from 0.
     * @param value  that was chosen, positive.
     */
    public record Choice(String stream, int index, long value)
    {
    }

    /**
     * A log of given choices.
     *
     * @param choices ascending by index in each stream.
     * @return the log.
     */
    public static ChoiceLog of(final List<Choice> choices)
    {
        final ChoiceLog log = new ChoiceLog();
        for (final Choice choice : choices)
        {
            log.writer(choice.stream).add(choice.index, choice.value);
        }
        return log;
    }

    /**
     * All choices.
     *
     * @return stream by stream, ascending by index in each.
     */
    public List<Choice> choices()
    {
        final List<Choice> choices = new ArrayList<>();
        streams.forEach((name, entries) ->
        {
            for (int i = 0; i < entries.indexes.size(); i++)
            {
                choices.add(new Choice(name, (int)entries.indexes.getLong(i), entries.values.getLong(i)));
            }
        });
        return choices;
    }

    Writer writer(final String stream)
    {
        return new Writer(streams.computeIfAbsent(stream, (name) -> new Entries()));
    }

    Reader reader(final String stream)
    {
        return new Reader(streams.getOrDefault(stream, new Entries()));
    }

    private static final class Entries
    {
        private final LongArrayList indexes = new LongArrayList();
        private final LongArrayList values = new LongArrayList();
    }

    /** Takes the choices of one stream. */
    static final class Writer
    {
        private final Entries entries;

        private Writer(final Entries entries)
        {
            this.entries = entries;
        }

        void add(final int index, final long value)
        {
            entries.indexes.addLong(index);
            entries.values.addLong(value);
        }
    }

    /** Gives the choices of one stream, to be asked with rising indexes. */
    static final class Reader
    {
        private final Entries entries;
        private int position;

        private Reader(final Entries entries)
        {
            this.entries = entries;
        }

        long valueAt(final int index)
        {
            while (position < entries.indexes.size() && entries.indexes.getLong(position) < index)
            {
                position++;
            }
            return position < entries.indexes.size() && index == entries.indexes.getLong(position) ?
                entries.values.getLong(position) : 0;
        }
    }
}
