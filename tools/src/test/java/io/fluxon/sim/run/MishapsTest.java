package io.fluxon.sim.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxon.sim.cluster.ClusterOptions;
import io.fluxon.sim.cluster.FaultKind;
import io.fluxon.sim.cluster.VirtualCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class MishapsTest
{
    private static final int RESTART_OF_AN_OWNER = 1 << 1;
    private static final long MEAN_NS = 100_000_000;
    private static final long LONG_NS = 300_000_000_000L;

    @Test
    @Tag("LIFE-1")
    void shouldRestartAnOwnerSixTimesAtMost()
    {
        final ClusterOptions options = new ClusterOptions();
        options.owners = 1;
        options.workers = 1;
        try (VirtualCluster cluster = new VirtualCluster(options))
        {
            final Mishaps mishaps = new Mishaps(cluster, RESTART_OF_AN_OWNER, MEAN_NS);
            while (cluster.clock().nanoTime() < LONG_NS)
            {
                mishaps.tend();
                cluster.step(mishaps.nextNs());
            }

            assertThat(cluster.faults().get(FaultKind.OWNER_KILLED)).isEqualTo(6);
            assertThat(cluster.allOwners()).hasSize(7);
        }
    }
}
