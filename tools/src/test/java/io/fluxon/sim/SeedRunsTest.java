package io.fluxon.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.sim.check.Violation;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.cluster.FaultKind;
import io.fluxon.sim.cluster.FaultTally;
import io.fluxon.sim.run.RunResult;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SeedRunsTest
{
    private static final SeedPlan PLAN = new SeedPlan(1, 200, 0, 4, 3);

    private static RunResult simulate(final Choices choices)
    {
        final long drawn = choices.stream("a").below(1_000);
        final FaultTally faults = new FaultTally();
        faults.count(FaultKind.STALL, "a");
        return new RunResult(
            drawn < 100 ? new Violation("A1", "drawn " + drawn) : null,
            drawn, (int)drawn, 3, 7, 2_000_000_000L, faults, Map.of("rare", drawn < 200 ? 1L : 0L, "never", 0L));
    }

    private static SimTotals run(final Function<Choices, RunResult> simulation, final SeedPlan plan)
    {
        return new SeedRuns(simulation, plan).run((totals) -> {});
    }

    @Test
    void shouldAddUpAllSeeds()
    {
        final SimTotals totals = run(SeedRunsTest::simulate, PLAN);

        assertThat(totals.seeds()).isEqualTo(200);
        assertThat(totals.steps()).isEqualTo(1_400);
        assertThat(totals.virtualNs()).isEqualTo(400_000_000_000L);
        assertThat(totals.medianOperations()).isBetween(350L, 650L);
        assertThat(totals.medianProcesses()).isEqualTo(3);
        assertThat(totals.medianFaults()).isEqualTo(1);
        assertThat(totals.faults().get(FaultKind.STALL)).isEqualTo(200);
        assertThat(totals.repeated()).isEqualTo(4);
        assertThat(totals.failed()).isNotEmpty().allSatisfy((failed) -> assertThat(failed.rule()).isEqualTo("A1"));
        assertThat(totals.failed()).isSortedAccordingTo((a, b) -> Long.compare(a.seed(), b.seed()));
        assertThat(new SimReport(totals, 1_000_000_000L).text())
            .contains("200 seeds in 1.0 s: 200.0 a second; 4 of them run again: the same runs")
            .contains("never reached: never")
            .contains("broke A1: A1: drawn ");
    }

    @Test
    void shouldGiveOneDigestForTheSameSeeds()
    {
        final String one = run(SeedRunsTest::simulate, new SeedPlan(1, 200, 0, 0, 1)).digest();

        assertThat(run(SeedRunsTest::simulate, PLAN).digest()).isEqualTo(one);
        assertThat(run(SeedRunsTest::simulate, new SeedPlan(2, 200, 0, 0, 1)).digest()).isNotEqualTo(one);
        assertThat(run(SeedRunsTest::simulate, new SeedPlan(1, 199, 0, 0, 1)).digest()).isNotEqualTo(one);
    }

    @Test
    void shouldTakeADifferentRunOfTheSameSeedForAViolation()
    {
        final AtomicLong runs = new AtomicLong();
        final SimTotals totals = run((choices) ->
        {
            final RunResult result = simulate(choices);
            return new RunResult(null, runs.incrementAndGet(), 1, 1, 1, 1, result.faults(), Map.of());
        }, PLAN);

        assertThat(totals.repeated()).isZero();
        assertThat(totals.failed()).hasSize(4).allSatisfy((failed) ->
        {
            assertThat(failed.rule()).isEqualTo(FailedSeed.SAME_RUN);
            assertThat(failed.isReplayable()).isFalse();
        });
    }

    @Test
    void shouldTakeAnErrorForAViolation()
    {
        final SimTotals totals = run((choices) ->
        {
            throw new StackOverflowError("deep");
        }, new SeedPlan(1, 3, 0, 0, 2));

        assertThat(totals.failed()).hasSize(3).allSatisfy((failed) ->
            assertThat(failed).isEqualTo(new FailedSeed(failed.seed(), "StackOverflowError", "deep")));
    }

    @Test
    void shouldBeginNoSeedWhenTheTimeIsUp()
    {
        final SimTotals totals = run(SeedRunsTest::simulate, new SeedPlan(1, 0, 1, 0, 2));

        assertThat(totals.seeds()).isZero();
    }
}
