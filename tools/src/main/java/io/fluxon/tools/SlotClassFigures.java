package io.fluxon.tools;

import com.fasterxml.jackson.core.JsonGenerator;

import io.fluxon.engine.owner.ClassCounter;
import io.fluxon.ipc.counters.CountersView;
import io.fluxon.tools.report.Table;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the counters of an owner say of its slot classes.
 */
final class SlotClassFigures
{
    private SlotClassFigures()
    {
    }

    /** Slot classes in use, a row each; nothing for a process that has none. */
    static String text(final CountersView view)
    {
        final Map<Integer, Long> values = ofClasses(view);
        final Table table = new Table().row(Stream.concat(Stream.of("  slot class"),
            Arrays.stream(ClassCounter.values()).map(ClassCounter::title)).toArray(String[]::new));
        boolean isAny = false;
        for (int i = 0; i < ClassCounter.MAX_CLASSES; i++)
        {
            if (isInUse(values, i))
            {
                final int classIndex = i;
                isAny = true;
                table.row(Stream.concat(Stream.of("  " + i), Arrays.stream(ClassCounter.values()).map(
                    counter -> String.format(Locale.ROOT, "%,d", values.get(counter.typeId(classIndex)))))
                    .toArray(String[]::new));
            }
        }
        return isAny ? table.toString() : "";
    }

    /** Writes the field {@code classes}: an object for each slot class in use. */
    static void write(final CountersView view, final JsonGenerator out) throws IOException
    {
        final Map<Integer, Long> values = ofClasses(view);
        out.writeArrayFieldStart("classes");
        for (int i = 0; i < ClassCounter.MAX_CLASSES; i++)
        {
            if (isInUse(values, i))
            {
                out.writeStartObject();
                out.writeNumberField("class", i);
                for (final ClassCounter counter : ClassCounter.values())
                {
                    out.writeNumberField(counter.title().replace(' ', '_'), values.get(counter.typeId(i)));
                }
                out.writeEndObject();
            }
        }
        out.writeEndArray();
    }

    private static Map<Integer, Long> ofClasses(final CountersView view)
    {
        final Map<Integer, Long> values = new HashMap<>();
        view.counters().forEach((value, id, label) ->
        {
            if (isOne(view, id))
            {
                values.put(view.counters().getCounterTypeId(id), value);
            }
        });
        return values;
    }

    private static boolean isInUse(final Map<Integer, Long> values, final int classIndex)
    {
        return values.getOrDefault(ClassCounter.SLOT_BYTES.typeId(classIndex), 0L) > 0;
    }

    /** Is a counter one of a slot class? */
    static boolean isOne(final CountersView view, final int counterId)
    {
        return ClassCounter.isTypeId(view.counters().getCounterTypeId(counterId));
    }
}
