package io.fluxon.jmh.cluster;

import io.fluxon.engine.owner.OwnerCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

@Tag("ZERO-1")
class CoreAllocationTest
{
    private static final double MAX_BYTES_PER_CYCLE = 0.5;
    // the master's table of routes takes a little for each chunk of 4,096 new keys: growth, not steady state
    private static final int BATCH = 16;
    private static final int REFUSALS = 10_000;
    private static final int WARM_REFUSALS = 3 * REFUSALS;
    private static final long FULL_BYTES = 64L << 20;
    private static final int NEAR = 0;
    private static final int FAR = 1;

    private CoreCluster cluster;

    @AfterEach
    void close()
    {
        cluster.close();
    }

    @Test
    void shouldAllocateNothingWhenPagesArePutReadAndReleased()
    {
        shouldAllocateNothing(1, 20_000, 100_000, NEAR);
    }

    @Test
    void shouldAllocateNothingWhenBatchesArePutReadAndReleased()
    {
        shouldAllocateNothing(BATCH, 1_500, 3_000, NEAR);
    }

    @Test
    void shouldAllocateNothingWhenPagesAreReadThroughAnotherOwner()
    {
        shouldAllocateNothing(1, 10_000, 20_000, FAR);
    }

    @Test
    void shouldAllocateNothingWhenBatchesAreReadThroughAnotherOwner()
    {
        shouldAllocateNothing(BATCH, 1_500, 3_000, FAR);
    }

    @Test
    void shouldAllocateNothingWhenEachPutEvictsAPage()
    {
        shouldAllocateNothingWhenPutsEvict(1, 60_000, 60_000);
    }

    @Test
    void shouldAllocateNothingWhenEachPutEvictsABatch()
    {
        shouldAllocateNothingWhenPutsEvict(BATCH, 5_000, 5_000);
    }

    @Test
    @Tag("REPL-1")
    void shouldAllocateNothingWhenEachPutIsCopiedToARemoteCacheOwner()
    {
        final int warmCycles = 10_000;
        final int cycles = 10_000;
        cluster = new CoreCluster(2, 1, 1, 4096L * (warmCycles + cycles) + FULL_BYTES);
        final CoreCycle cycle = new CoreCycle(cluster, 1, 0);
        cluster.metered(true);
        runCopied(cycle, 0, warmCycles);
        cluster.meter().clear();
        runCopied(cycle, warmCycles, cycles);

        assertNothingAllocated(cycles);
        assertThat(cluster.owner(NEAR).get(OwnerCounter.REPLICA_PAGES_DONE)).isEqualTo(warmCycles + cycles);
    }

    private void runCopied(final CoreCycle cycle, final int before, final int cycles)
    {
        for (int i = 1; i <= cycles; i++)
        {
            cycle.putCopied(NEAR);
            while (cluster.owner(NEAR).get(OwnerCounter.REPLICA_PAGES_DONE) < before + i)
            {
                cluster.step();
            }
        }
    }

    @Test
    void shouldAllocateNothingWhenPutsAreRefusedBecauseTheirKeysHaveValues()
    {
        cluster = new CoreCluster(1, 1, 4096);
        final CoreCycle cycle = new CoreCycle(cluster, 1, 0);
        cycle.put(NEAR);
        cluster.metered(true);
        for (int i = 0; i < WARM_REFUSALS; i++)
        {
            cycle.putRefused(NEAR);
        }
        cluster.meter().clear();
        for (int i = 0; i < REFUSALS; i++)
        {
            cycle.putRefused(NEAR);
        }

        assertNothingAllocated(REFUSALS);
    }

    private void shouldAllocateNothing(
        final int keyCount, final int warmCycles, final int cycles, final int reader)
    {
        cluster = new CoreCluster(2, 1, 4096L * keyCount * (warmCycles + cycles));
        final CoreCycle cycle = new CoreCycle(cluster, keyCount, 0);
        cluster.metered(true);
        run(cycle, warmCycles, reader);
        cluster.meter().clear();
        run(cycle, cycles, reader);

        assertNothingAllocated(cycles);
        assertThat(cycle.remoteHits()).isEqualTo(NEAR == reader ? 0 : keyCount);
    }

    private void shouldAllocateNothingWhenPutsEvict(final int keyCount, final int warmCycles, final int cycles)
    {
        cluster = new CoreCluster(1, 1, FULL_BYTES);
        final CoreCycle cycle = new CoreCycle(cluster, keyCount, 0);
        cluster.metered(true);
        run(cycle, warmCycles, NEAR);
        final long evicted = cluster.owner(NEAR).get(OwnerCounter.EVICT_FREED);
        cluster.meter().clear();
        run(cycle, cycles, NEAR);

        assertNothingAllocated(cycles);
        assertThat(cluster.owner(NEAR).get(OwnerCounter.EVICT_FREED) - evicted)
            .isCloseTo((long)keyCount * cycles, within(2L * keyCount));
    }

    private void assertNothingAllocated(final int cycles)
    {
        final AllocationMeter meter = cluster.meter();
        assertThat(perCycle(meter.clientBytes(), cycles)).as("client, B per cycle").isLessThan(MAX_BYTES_PER_CYCLE);
        assertThat(perCycle(meter.ownerBytes(), cycles)).as("owner, B per cycle").isLessThan(MAX_BYTES_PER_CYCLE);
        assertThat(perCycle(meter.masterBytes(), cycles)).as("master, B per cycle").isLessThan(MAX_BYTES_PER_CYCLE);
    }

    private static void run(final CoreCycle cycle, final int cycles, final int reader)
    {
        for (int i = 0; i < cycles; i++)
        {
            cycle.put(NEAR);
            cycle.get(reader);
        }
    }

    private static double perCycle(final long bytes, final int cycles)
    {
        return (double)bytes / cycles;
    }
}
