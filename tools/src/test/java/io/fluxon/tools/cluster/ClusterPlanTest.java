package io.fluxon.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxon.engine.config.MasterConfig;
import io.fluxon.engine.config.OwnerConfig;
import io.fluxon.engine.config.RoleName;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterPlanTest
{
    @ParameterizedTest
    @CsvSource({ "4096,106092", "65536,20000", "1,1", "4718592,500", "536870912,3", "12288,1000000" })
    void shouldHoldEveryPageInWholeGrants(final int pageBytes, final long pages)
    {
        final ClusterPlan plan = ClusterPlan.of(2, 1, pageBytes, pages, pages, 0);

        assertThat(plan.slotBytes()).isGreaterThanOrEqualTo(pageBytes).isGreaterThanOrEqualTo(4096);
        assertThat(plan.quantumBytes()).isBetween(plan.slotBytes(), 512L << 20);
        assertThat(plan.capacityBytes() % plan.quantumBytes()).isZero();
        assertThat(plan.capacityBytes() / plan.quantumBytes() * (plan.quantumBytes() / plan.slotBytes()))
            .isGreaterThanOrEqualTo(pages);
        assertThat(plan.capacityBytes() * 98 / 100).isGreaterThanOrEqualTo(pages * plan.slotBytes());
    }

    @Test
    void shouldWriteConfigurationsThatProcessesTake()
    {
        final ClusterPlan plan = ClusterPlan.of(1, 1, 4096, 1000, 2000, 50);
        final Path share = Path.of("/dev/shm/it's here");

        final MasterConfig master =
            MasterConfig.parse("master", ConfigText.master(share, "127.0.0.1:1234", plan), List.of());
        final OwnerConfig gpu = OwnerConfig.parse(
            "gpu", ConfigText.owner(share, "127.0.0.1:1234", plan, "gpu-0", 1, true, Host.LOCAL), List.of());
        final OwnerConfig cache = OwnerConfig.parse(
            "cache", ConfigText.owner(share, "127.0.0.1:1234", plan, "cache-0", 2, false, Host.LOCAL), List.of());

        assertThat(master.shareMemPath()).isEqualTo(share);
        assertThat(master.maxKeys()).isEqualTo(2000);
        assertThat(gpu.role()).isEqualTo(RoleName.GPU);
        assertThat(gpu.dramBytes()).isEqualTo(plan.capacityBytes());
        assertThat(gpu.delayMasterMs()).isEqualTo(50);
        assertThat(cache.role()).isEqualTo(RoleName.REMOTE_CACHE);
        assertThat(cache.dramBytes()).isEqualTo(plan.quantumBytes());
        assertThat(gpu.eviction().demotionBoundMs()).isPositive();
        assertThat(OwnerConfig.parse("gpu", ConfigText.owner(
            share, "127.0.0.1:1234", plan.withoutDemotion(), "gpu-0", 1, true, Host.LOCAL), List.of())
            .eviction().demotionBoundMs()).isZero();
    }

    @Test
    void shouldCountOnlyWholeSlotsOfGrantsAsUsable()
    {
        final ClusterPlan plan = ClusterPlan.ofMemory(2, 1, 3 << 20, 64 << 20, 128 << 20, 32 << 20, true);

        assertThat(plan.configuredBytes()).isEqualTo(256 << 20);
        assertThat(plan.usableSlotBytes(true)).isEqualTo(2 * 2 * 10 * (3 << 20));
        assertThat(plan.usableSlotBytes(false)).isEqualTo((2 * 2 + 4) * 10 * (3 << 20));
        assertThat(plan.totalBytes()).isGreaterThan(plan.configuredBytes());

        final OwnerConfig cache = OwnerConfig.parse("cache", ConfigText.owner(
            Path.of("/dev/shm/share"), "127.0.0.1:1234", plan, "cache-0", 3, false, Host.LOCAL), List.of());
        assertThat(cache.dramBytes()).isEqualTo(plan.cacheCapacityBytes());
        assertThat(cache.isPreallocated()).isTrue();
    }

    @Test
    void shouldSayWhatIsMissingWhenThereIsNoRoom()
    {
        try (WorkDirectory directory = WorkDirectory.create())
        {
            final ClusterPlan plan = ClusterPlan.of(2, 1, 512 << 20, 1_000_000, 1_000_000, 0);

            assertThatThrownBy(() -> plan.checkRoom(directory))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("GiB left: use smaller pages (--page-bytes) or fewer requests (--requests)");
        }
    }

    @Test
    void shouldLetEveryOwnerHaveACopyOfEveryPage()
    {
        final String text = ConfigText.master(
            Path.of("/dev/shm/share"), "127.0.0.1:1234", ClusterPlan.of(3, 1, 4096, 1000, 2000, 0));

        assertThat(MasterConfig.parse("master", text, List.of()).maxReplicas()).isEqualTo(8000);
    }
}
