package io.fluxon.tools.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongHashSet;
import org.junit.jupiter.api.Test;

class PressureWorkloadTest
{
    private static final int WORKERS = 4;
    private static final int PAGES = 100 * PressureWorkload.BLOCKS_OF_SESSION;

    private final Trace trace = PressureWorkload.generate(WORKERS, PAGES, 42);

    @Test
    void shouldHaveTheWorkingSetThatWasAskedFor()
    {
        final LongHashSet blocks = new LongHashSet();
        for (int i = 0; i < trace.requestCount(); i++)
        {
            for (int j = 0; j < trace.blockCount(i); j++)
            {
                blocks.add(trace.blockId(i, j));
            }
        }

        assertThat(blocks).hasSize(PAGES);
        assertThat(trace.requestCount() % WORKERS).isZero();
        assertThat(trace.maxBlocksOfRequest()).isEqualTo(PressureWorkload.BLOCKS_OF_SESSION);
    }

    @Test
    void shouldKeepEverySessionWithOneWorker()
    {
        final Long2LongHashMap workerOfBlock = new Long2LongHashMap(-1);
        for (int i = 0; i < trace.requestCount(); i++)
        {
            for (int j = 0; j < trace.blockCount(i); j++)
            {
                final long before = workerOfBlock.put(trace.blockId(i, j), i % WORKERS);
                assertThat(before).isIn(-1L, (long) (i % WORKERS));
            }
        }
    }

    @Test
    void shouldRepeatTheHistoryInEveryTurnAndLetSomeSessionsComeBack()
    {
        final Long2LongHashMap firstTurns = new Long2LongHashMap(0);
        for (int i = 0; i < trace.requestCount(); i++)
        {
            assertThat(trace.blockId(i, trace.blockCount(i) - 1) - trace.blockId(i, 0))
                .isEqualTo(trace.blockCount(i) - 1);
            assertThat(trace.blockCount(i) % PressureWorkload.BLOCKS_OF_TURN).isZero();
            if (PressureWorkload.BLOCKS_OF_TURN == trace.blockCount(i))
            {
                firstTurns.merge(trace.blockId(i, 0), 1, Long::sum);
            }
        }

        assertThat(firstTurns).hasSize(PAGES / PressureWorkload.BLOCKS_OF_SESSION);
        assertThat(firstTurns.values()).containsOnly(1L, 4L);
    }

    @Test
    void shouldGenerateTheSameTraceFromTheSameSeed()
    {
        final Trace same = PressureWorkload.generate(WORKERS, PAGES, 42);
        final Trace other = PressureWorkload.generate(WORKERS, PAGES, 43);

        assertThat(firstBlocks(trace)).isEqualTo(firstBlocks(same)).isNotEqualTo(firstBlocks(other));
    }

    @Test
    void shouldRefuseNoWorkersOrPages()
    {
        assertThatThrownBy(() -> PressureWorkload.generate(0, 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PressureWorkload.generate(1, 0, 1)).hasMessageContaining("are 1 and 0");
    }

    private static long[] firstBlocks(final Trace trace)
    {
        final long[] blocks = new long[trace.requestCount()];
        for (int i = 0; i < blocks.length; i++)
        {
            blocks[i] = trace.blockId(i, 0);
        }
        return blocks;
    }
}
