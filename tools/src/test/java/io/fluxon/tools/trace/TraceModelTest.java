package io.fluxon.tools.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

class TraceModelTest
{
    private static final String TRACES = "fluxon.traces";

    @Test
    void shouldCountHitsByOwnerWhenRequestsAlternate()
    {
        final Trace trace = new Trace.Builder()
            .addBlock(0).addBlock(1).addBlock(2).endRequest()
            .addBlock(0).addBlock(1).addBlock(3).endRequest()
            .addBlock(0).addBlock(1).addBlock(3).addBlock(4).endRequest()
            .addBlock(5).addBlock(0).endRequest()
            .build();

        final TraceModel model = new TraceModel(2, 4).run(trace);

        assertThat(model.requests()).isEqualTo(4);
        assertThat(model.requestedPages()).isEqualTo(12);
        assertThat(model.hitPages()).isEqualTo(2 + 3);
        assertThat(model.remoteHitPages()).isEqualTo(2 + 1);
        assertThat(model.writtenPages()).isEqualTo(3 + 1 + 1 + 2);
        assertThat(model.pagesOf(0)).isEqualTo(5);
        assertThat(model.pagesOf(1)).isEqualTo(4);
    }

    @Test
    void shouldPutARepeatedMissingBlockOnce()
    {
        final Trace trace = new Trace.Builder().addBlock(1).addBlock(1).addBlock(2).endRequest().build();

        final TraceModel model = new TraceModel(1, 1).run(trace);

        assertThat(model.requestedPages()).isEqualTo(3);
        assertThat(model.writtenPages()).isEqualTo(2);
    }

    @Test
    void shouldServeRequestsAsWorkersAreAttached()
    {
        final TraceModel model = new TraceModel(2, 3);

        assertThat(model.ownerOf(0)).isEqualTo(0);
        assertThat(model.ownerOf(1)).isEqualTo(1);
        assertThat(model.ownerOf(2)).isEqualTo(0);
        assertThat(model.ownerOf(3)).isEqualTo(0);
        assertThat(model.ownerOf(4)).isEqualTo(1);
    }

    @Test
    @EnabledIfSystemProperty(named = TRACES, matches = ".+")
    void shouldMatchTheKnownFiguresOfTheConversationTrace()
    {
        assertFigures("conversation_trace.jsonl", 12_031, 288_500, 105_710, 27_634, 182_790);
    }

    @Test
    @EnabledIfSystemProperty(named = TRACES, matches = ".+")
    void shouldMatchTheKnownFiguresOfTheSyntheticTrace()
    {
        assertFigures("synthetic_trace.jsonl", 3_993, 121_877, 77_953, 15_942, 43_924);
    }

    private static void assertFigures(
        final String name,
        final int requests,
        final int requested,
        final int hit,
        final int remote,
        final int written)
    {
        final Trace trace = TraceReader.read(Path.of(System.getProperty(TRACES)).resolve(name), Integer.MAX_VALUE);
        final TraceModel model = new TraceModel(2, 4).run(trace);

        assertThat(model.requests()).isEqualTo(requests);
        assertThat(model.requestedPages()).isEqualTo(requested);
        assertThat(model.hitPages()).isEqualTo(hit);
        assertThat(model.remoteHitPages()).isEqualTo(remote);
        assertThat(model.writtenPages()).isEqualTo(written);
    }
}
