package io.fluxon.tools.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class TraceModelTest
{
    private static final String TRACES = "fluxon.traces";
    private static final int[] FIGURES_OF_SEED_42 = { 500, 16_941, 12_027, 2_136, 4_914 };

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
    void shouldCountAGeneratedWorkloadTheSameEveryTime()
    {
        assertFigures(SessionWorkload.generate(500, 42), FIGURES_OF_SEED_42);
    }

    /** The published traces are no part of the project: they are checked where the property names their folder. */
    @TestFactory
    Stream<DynamicTest> shouldMatchTheKnownFiguresOfPublishedTraces()
    {
        final String folder = System.getProperty(TRACES);
        return null == folder ? Stream.empty() : Stream.of(
            publishedTrace(folder, "conversation_trace.jsonl", 12_031, 288_500, 105_710, 27_634, 182_790),
            publishedTrace(folder, "synthetic_trace.jsonl", 3_993, 121_877, 77_953, 15_942, 43_924));
    }

    private static DynamicTest publishedTrace(final String folder, final String name, final int... figures)
    {
        return dynamicTest(
            name, () -> assertFigures(TraceReader.read(Path.of(folder, name), Integer.MAX_VALUE), figures));
    }

    private static void assertFigures(final Trace trace, final int... figures)
    {
        final TraceModel model = new TraceModel(2, 4).run(trace);

        assertThat(new int[]{
            model.requests(),
            model.requestedPages(),
            model.hitPages(),
            model.remoteHitPages(),
            model.writtenPages() }).isEqualTo(figures);
    }
}
