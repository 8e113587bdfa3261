package io.fluxon.jmh.cluster;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("G10")
class PlanSliceTest
{
    private static final int KEYS = 4096;
    private static final int SLICE_KEYS = 64;
    private static final int WARM_ROUNDS = 150;
    private static final int ROUNDS = 150;
    private static final long MAX_NS = 200_000;

    private SliceRun run;

    @BeforeEach
    void setUp()
    {
        run = new SliceRun(KEYS, 0);
    }

    @AfterEach
    void close()
    {
        run.close();
    }

    @Test
    void shouldKeepEachSliceShortWhenALargeBatchIsRead()
    {
        for (int i = 0; i < WARM_ROUNDS; i++)
        {
            run.get();
        }
        run.clear();
        for (int i = 0; i < ROUNDS; i++)
        {
            run.get();
        }

        System.out.println("get of " + KEYS + " keys: " + run.getCycles());
        System.out.println("longest of each: " + run.longestGetCycles());
        System.out.println("its release: " + run.releaseCycles());
        assertThat(run.getCycles().size()).isGreaterThanOrEqualTo(ROUNDS * KEYS / SLICE_KEYS);
        assertThat(run.getCycles().percentileNs(99)).isLessThanOrEqualTo(MAX_NS);
        assertThat(run.longestGetCycles().percentileNs(50)).isLessThanOrEqualTo(MAX_NS);
    }

    @Test
    void shouldAnswerASingleKeyWhenALargeBatchIsBeingPlanned()
    {
        run.get();

        assertThat(run.isSingleFirst()).isTrue();
        assertThat(run.cyclesToSingle()).isLessThanOrEqualTo(2);
        assertThat(run.cyclesToBatch()).isGreaterThanOrEqualTo(KEYS / SLICE_KEYS);
    }
}
