package io.fluxon.tools.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.agrona.collections.LongHashSet;
import org.junit.jupiter.api.Test;

class SessionWorkloadTest
{
    @Test
    void shouldGenerateTheSameTraceFromTheSameSeed()
    {
        final Trace first = SessionWorkload.generate(300, 42);
        final Trace second = SessionWorkload.generate(300, 42);

        assertThat(flat(first)).isEqualTo(flat(second));
        assertThat(flat(first)).isNotEqualTo(flat(SessionWorkload.generate(300, 43)));
    }

    @Test
    void shouldGenerateAPrefixOfTheLongerTrace()
    {
        assertThat(flat(SessionWorkload.generate(300, 42))).startsWith(flat(SessionWorkload.generate(100, 42)));
    }

    @Test
    void shouldShareHistoryBetweenTurns()
    {
        final Trace trace = SessionWorkload.generate(1000, 1);
        final TraceModel model = new TraceModel(2, 4).run(trace);

        assertThat(trace.requestCount()).isEqualTo(1000);
        assertThat((double) model.hitPages() / model.requestedPages()).isBetween(0.3, 0.95);
        assertThat(model.remoteHitPages()).isPositive();
        assertThat(trace.maxBlocksOfRequest()).isBetween(20, 200);
    }

    @Test
    void shouldNotRepeatABlockWithinARequest()
    {
        final Trace trace = SessionWorkload.generate(500, 3);
        for (int i = 0; i < trace.requestCount(); i++)
        {
            final LongHashSet blocks = new LongHashSet();
            for (int j = 0; j < trace.blockCount(i); j++)
            {
                assertThat(blocks.add(trace.blockId(i, j))).isTrue();
            }
        }
    }

    @Test
    void shouldRefuseNoRequests()
    {
        assertThatThrownBy(() -> SessionWorkload.generate(0, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static String flat(final Trace trace)
    {
        final StringBuilder out = new StringBuilder();
        for (int i = 0; i < trace.requestCount(); i++)
        {
            for (int j = 0; j < trace.blockCount(i); j++)
            {
                out.append(trace.blockId(i, j)).append(' ');
            }
            out.append('\n');
        }
        return out.toString();
    }
}
