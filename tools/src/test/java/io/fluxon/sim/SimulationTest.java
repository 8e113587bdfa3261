package io.fluxon.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.sim.cluster.ChoiceLog;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.run.RunResult;
import io.fluxon.sim.run.Simulation;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SimulationTest
{
    private static final int SEEDS =
        Integer.getInteger("fluxon.seeds", Boolean.getBoolean("fluxon.test.all") ? 2_000 : 60);
    private static final long FIRST_SEED = Long.getLong("fluxon.seed", 1);

    static LongStream seeds()
    {
        return LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS);
    }

    static LongStream someSeeds()
    {
        return seeds().limit(5);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldKeepEveryRuleWhateverHappens(final long seed)
    {
        final RunResult result = Simulation.run(seed);

        assertThat(result.failure()).as("scripts/sim --seed %d shrinks it", seed).isNull();
    }

    @ParameterizedTest
    @MethodSource("someSeeds")
    void shouldBeTheSameRunAgainFromTheSeedAndFromItsChoices(final long seed)
    {
        final ChoiceLog log = new ChoiceLog();
        final ChoiceLog made = new ChoiceLog();

        final RunResult first = Simulation.run(Choices.ofSeed(seed, log));
        final RunResult again = Simulation.run(seed);
        final RunResult replayed = Simulation.run(Choices.of(log, made));

        assertSame(first, again);
        assertSame(first, replayed);
        assertThat(made.choices()).containsExactlyInAnyOrderElementsOf(log.choices());
    }

    private static void assertSame(final RunResult one, final RunResult other)
    {
        assertThat(other.digest()).isEqualTo(one.digest());
        assertThat(other.steps()).isEqualTo(one.steps());
        assertThat(other.virtualNs()).isEqualTo(one.virtualNs());
        assertThat(other.branches()).isEqualTo(one.branches());
        assertThat(other.faults().byName()).isEqualTo(one.faults().byName());
    }

    @Test
    void shouldDoNothingWhenEveryChoiceIsTheDefault()
    {
        final RunResult result = Simulation.run(Choices.of(new ChoiceLog()));

        assertThat(result.failure()).isNull();
        assertThat(result.operations()).isZero();
        assertThat(result.faults().total()).isZero();
    }
}
