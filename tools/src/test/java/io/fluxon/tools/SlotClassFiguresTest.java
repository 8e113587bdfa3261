package io.fluxon.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fluxon.engine.owner.ClassCounter;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.counters.CountersFile;
import io.fluxon.ipc.counters.CountersView;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.status.AtomicCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;

class SlotClassFiguresTest
{
    private static final int IN_USE = 2;

    @TempDir
    private Path directory;

    private CountersFile file;
    private CountersView view;

    @BeforeEach
    void create()
    {
        final Path path = directory.resolve("owner.cnc");
        file = CountersFile.create(
            path, "owner", 256, CountersFile.DEFAULT_ERROR_LOG_LENGTH, SystemEpochClock.INSTANCE);
        view = CountersFile.map(path);
        file.counters().newCounter(OwnerCounter.SLOTS_FREE.label(), OwnerCounter.SLOTS_FREE.typeId()).set(7);
        for (int i = 0; i < ClassCounter.MAX_CLASSES; i++)
        {
            for (final ClassCounter counter : ClassCounter.values())
            {
                final AtomicCounter of = file.counters().newCounter(counter.label(i), counter.typeId(i));
                of.set(IN_USE == i ? 1000 * (counter.ordinal() + 1) : 0);
            }
        }
    }

    @AfterEach
    void close()
    {
        view.close();
        file.close();
    }

    @Test
    void shouldShowTheClassesInUse()
    {
        final String[] lines = SlotClassFigures.text(view).split("\n");

        assertThat(lines).hasSize(2);
        assertThat(lines[0].trim().split(" {2,}")).containsExactly("slot class", "slot bytes", "total", "free", "used",
            "prepared", "pending", "hot", "debt", "waited for");
        assertThat(lines[1].trim().split(" {2,}")).containsExactly(
            "2", "1,000", "2,000", "3,000", "4,000", "5,000", "6,000", "7,000", "8,000", "9,000");
    }

    @Test
    void shouldTellCountersOfClassesFromOthers()
    {
        assertThat(SlotClassFigures.isOne(view, 0)).isFalse();
        assertThat(SlotClassFigures.isOne(view, 1)).isTrue();
        assertThat(SlotClassFigures.isOne(view, ClassCounter.MAX_CLASSES * ClassCounter.values().length)).isTrue();
    }

    @Test
    void shouldWriteTheClassesInUse() throws IOException
    {
        final StringWriter text = new StringWriter();
        try (JsonGenerator out = new JsonFactory().createGenerator(text))
        {
            out.writeStartObject();
            SlotClassFigures.write(view, out);
            out.writeEndObject();
        }

        final JsonNode json = new ObjectMapper().readTree(text.toString()).get("classes");
        assertThat(json).hasSize(1);
        assertThat(json.get(0).get("class").asInt()).isEqualTo(IN_USE);
        assertThat(json.get(0).get("debt").asInt()).isEqualTo(8000);
        assertThat(json.get(0).get("waited_for").asInt()).isEqualTo(9000);
    }
}
