package io.fluxon.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

class BenchReportTest
{
    private static final long FEW = 10_000;
    private static final long MANY = 10_000_000;

    private static BenchRow row(
        final String operation, final int batch, final int clients, final long keys, final double keysPerSecond,
        final double coreNsPerKey)
    {
        return new BenchRow(
            operation, batch, clients, keys, keysPerSecond, 20, 40, 60, 300, 900, 0.5, coreNsPerKey, 3, 0);
    }

    private static List<Target> targets(final String idle, final long longCpuCycles, final BenchRow... rows)
    {
        return BenchReport.targets(
            new BenchResult(List.of(rows), List.of(new BenchResult.CycleCount(FEW, "fill", 9, longCpuCycles))),
            new BenchSettings(List.of(FEW), List.of(1, 128), List.of(1, 4), 4, 1, idle, 8192));
    }

    @Test
    void shouldAskForThroughputAndMemoryOfLargeBatchesOfFourClients()
    {
        final List<Target> targets = targets("backoff", 0,
            row("get_start", 128, 4, FEW, 1_999_999, 400), row("publish", 128, 4, FEW, 600_000, 500),
            row("get_start", 128, 1, FEW, 1, 400), row("get_start", 1, 1, FEW, 1, 400),
            row("echo_get_start", 128, 4, 0, 1, 1));

        assertThat(targets).hasSize(5);
        assertThat(targets).filteredOn((target) -> !target.isReached()).singleElement()
            .satisfies((target) -> assertThat(target.name()).isEqualTo("get_start, 10,000 keys: keys/s"));
    }

    @Test
    void shouldAskForTheRoundTripOfASingleKeyWhenNothingBacksOff()
    {
        assertThat(targets("yield", 0, row("get_done", 1, 1, FEW, 1, 1))).hasSize(2).allMatch(Target::isReached);
        assertThat(targets("backoff", 0, row("get_done", 1, 1, FEW, 1, 1))).hasSize(1);
    }

    @Test
    void shouldAskForTheCostOfManyKeysByThatOfFewAndForNoLongCycle()
    {
        final List<Target> targets = targets("backoff", 1,
            row("publish", 8, 2, FEW, 1, 100), row("publish", 8, 2, MANY, 1, 131), row("publish", 1, 2, FEW, 1, 400));

        assertThat(targets).hasSize(2).noneMatch(Target::isReached);
        assertThat(targets.getFirst().figure()).isEqualTo(1.31);
    }
}
