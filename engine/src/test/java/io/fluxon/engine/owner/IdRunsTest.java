package io.fluxon.engine.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("API-10")
class IdRunsTest
{
    private final IdRuns runs = new IdRuns();

    @Test
    @DisplayName("A million ids in a row take the room of one run")
    void longRunIsOneRun()
    {
        runs.add(7, 1_000_000);
        assertThat(runs.size()).isEqualTo(1);
        assertThat(runs.contains(6)).isFalse();
        assertThat(runs.contains(7)).isTrue();
        assertThat(runs.contains(1_000_006)).isTrue();
        assertThat(runs.contains(1_000_007)).isFalse();
    }

    @Test
    @DisplayName("Runs that touch or overlap are one")
    void touchingRunsAreOne()
    {
        runs.add(10, 5);
        runs.add(20, 5);
        assertThat(runs.size()).isEqualTo(2);
        runs.add(15, 5);
        assertThat(runs.size()).isEqualTo(1);
        runs.add(12, 2);
        runs.add(0, 100);
        assertThat(runs.size()).isEqualTo(1);
        assertThat(runs.contains(99)).isTrue();
        assertThat(runs.contains(100)).isFalse();
    }

    @Test
    @DisplayName("A run without ids, or beyond the last id, adds nothing")
    void emptyRunAddsNothing()
    {
        runs.add(1, 0);
        runs.add(1, -1);
        runs.add(Long.MAX_VALUE, 2);
        assertThat(runs.size()).isZero();
    }

    @Test
    @DisplayName("Holds exactly the ids that a set would hold")
    void holdsWhatASetHolds()
    {
        for (int seed = 0; seed < 200; seed++)
        {
            final Random random = new Random(seed);
            final IdRuns ids = new IdRuns();
            final Set<Long> expected = new HashSet<>();
            for (int i = 0; i < 30; i++)
            {
                final long first = random.nextInt(100);
                final int count = random.nextInt(8);
                ids.add(first, count);
                for (long id = first; id < first + count; id++)
                {
                    expected.add(id);
                }
            }
            for (long id = -1; id < 110; id++)
            {
                assertThat(ids.contains(id)).as("seed %d, id %d", seed, id).isEqualTo(expected.contains(id));
            }
        }
    }
}
