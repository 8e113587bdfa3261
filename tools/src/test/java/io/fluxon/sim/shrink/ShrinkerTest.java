package io.fluxon.sim.shrink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxon.sim.check.Violation;
import io.fluxon.sim.cluster.ChoiceLog;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.cluster.FaultKind;
import io.fluxon.sim.cluster.FaultTally;
import io.fluxon.sim.run.RunResult;
import io.fluxon.sim.run.Simulation;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShrinkerTest
{
    private static final long LONG_NS = 300_000_000_000L;
    private static final ShrinkLimits NO_LIMITS = new ShrinkLimits(2, Integer.MAX_VALUE, LONG_NS);

    /** Breaks A2 when one event of a hundred and two of a thousand meet, and another rule when an event is missing. */
    private static RunResult simulate(final Choices choices)
    {
        final boolean[] events = new boolean[1_000];
        int happened = 0;
        for (int i = 0; i < events.length; i++)
        {
            events[i] = choices.stream("events-1").chance(0.5);
            happened += events[i] ? 1 : 0;
        }
        long size = 0;
        for (int i = 0; i < 100; i++)
        {
            size = Math.max(size, choices.stream("sizes").below(1_000));
            choices.stream("noise-" + i).below(7);
        }
        if (events[417] && events[418] && size >= 20)
        {
            return result(new Violation("A2", "met"), happened);
        }
        return result(events[417] ? new Violation("S2", "another rule") : null, happened);
    }

    private static RunResult result(final Throwable failure, final int operations)
    {
        return new RunResult(failure, 0, operations, 3, 0, 0, new FaultTally(), Map.of());
    }

    private static ChoiceLog failingRun(final Function<Choices, RunResult> simulation, final String rule)
    {
        for (long seed = 1; seed < 1_000; seed++)
        {
            final ChoiceLog log = new ChoiceLog();
            if (rule.equals(simulation.apply(Choices.ofSeed(seed, log)).rule()))
            {
                return log;
            }
        }
        throw new AssertionError("no seed breaks " + rule);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void shouldKeepOnlyTheChoicesThatTheRuleTakes(final int threads)
    {
        final ChoiceLog log = failingRun(ShrinkerTest::simulate, "A2");

        final Shrunk shrunk = new Shrinker(
            ShrinkerTest::simulate, log, "A2", new ShrinkLimits(threads, Integer.MAX_VALUE, LONG_NS)).shrink();

        assertThat(shrunk.isMinimal()).isTrue();
        assertThat(shrunk.result().rule()).isEqualTo("A2");
        assertThat(shrunk.choicesBefore()).isGreaterThan(500);
        final List<ChoiceLog.Choice> choices = shrunk.choices().choices();
        assertThat(choices).hasSize(3).startsWith(
            new ChoiceLog.Choice("events-1", 417, 1), new ChoiceLog.Choice("events-1", 418, 1));
        assertThat(choices.get(2).value()).isBetween(20L, 64L);
        assertThat(shrunk.first().operations()).isGreaterThan(400);
        assertThat(shrunk.result().operations()).isEqualTo(2);
    }

    @Test
    void shouldFindTheSameForAnyNumberOfThreads()
    {
        final ChoiceLog log = failingRun(ShrinkerTest::simulate, "A2");

        final Shrunk one = new Shrinker(
            ShrinkerTest::simulate, log, "A2", new ShrinkLimits(1, Integer.MAX_VALUE, LONG_NS)).shrink();
        final Shrunk four = new Shrinker(
            ShrinkerTest::simulate, log, "A2", new ShrinkLimits(4, Integer.MAX_VALUE, LONG_NS)).shrink();

        assertThat(four.choices().choices()).isEqualTo(one.choices().choices());
        assertThat(four.runs()).isEqualTo(one.runs());
    }

    @Test
    void shouldStopWhenTheRunsAreUsedUp()
    {
        final ChoiceLog log = failingRun(ShrinkerTest::simulate, "A2");

        final Shrunk shrunk = new Shrinker(
            ShrinkerTest::simulate, log, "A2", new ShrinkLimits(2, 5, LONG_NS)).shrink();

        assertThat(shrunk.isMinimal()).isFalse();
        assertThat(shrunk.runs()).isEqualTo(5);
        assertThat(shrunk.result().rule()).isEqualTo("A2");
    }

    @Test
    void shouldStopWhenTheTimeIsUp()
    {
        final ChoiceLog log = failingRun(ShrinkerTest::simulate, "A2");

        final Shrunk shrunk = new Shrinker(
            ShrinkerTest::simulate, log, "A2", new ShrinkLimits(2, 1_000, 0)).shrink();

        assertThat(shrunk.runs()).isZero();
        assertThat(shrunk.choices().choices()).hasSameSizeAs(log.choices());
    }

    @Test
    void shouldRefuseARunThatDoesNotBreakTheRule()
    {
        assertThatThrownBy(() -> new Shrinker((choices) -> result(null, 0), new ChoiceLog(), "A2", NO_LIMITS))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("a run of these choices breaks no rule, not A2");
    }

    @Test
    void shouldShrinkAClusterToAHandfulOfChoices()
    {
        final Function<Choices, RunResult> simulation = ShrinkerTest::simulateWithoutKills;
        final ChoiceLog log = failingRun(simulation, "LIFE-1");

        final Shrunk shrunk = new Shrinker(simulation, log, "LIFE-1", new ShrinkLimits(2, 400, LONG_NS)).shrink();

        assertThat(shrunk.result().rule()).isEqualTo("LIFE-1");
        assertThat(shrunk.choicesBefore()).isGreaterThan(500);
        assertThat(shrunk.choices().choices()).hasSizeLessThan(15);
    }

    /** As if no owner might be killed. */
    private static RunResult simulateWithoutKills(final Choices choices)
    {
        final RunResult result = Simulation.run(choices);
        return result.faults().get(FaultKind.OWNER_KILLED) > 0 ?
            result(new Violation("LIFE-1", "an owner was killed"), result.operations()) :
            result(null, result.operations());
    }
}
