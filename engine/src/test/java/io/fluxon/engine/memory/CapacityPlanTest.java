package io.fluxon.engine.memory;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class CapacityPlanTest
{
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final long QUANTUM = 512 * MIB;
    private static final long PAGE = 4_718_592;
    private static final long PAYLOAD = 109_951_162_777L;

    @Test
    @Tag("SLOT-1")
    void shouldReachTheCheckValuesOfTheContract()
    {
        final CapacityPlan plan = new CapacityPlan().capacityBytes(128 * GIB).expect(PAGE, PAYLOAD).conclude();

        assertThat(plan.grantQuantumBytes()).isEqualTo(QUANTUM);
        assertThat(CapacityPlan.slotSize(PAGE)).isEqualTo(PAGE);
        assertThat(CapacityPlan.slotsPerGrant(PAGE, QUANTUM)).isEqualTo(113);
        assertThat(plan.expectedGrants(0)).isEqualTo(207);
        assertThat(plan.expectedGrantsTotal()).isEqualTo(207);
        assertThat(plan.expectedSlotsTotal()).isEqualTo(23_391);
        assertThat(plan.expectedSlotsTotal() * CapacityPlan.slotSize(PAGE)).isEqualTo(110_372_585_472L);
        assertThat(plan.expectedGrantsTotal() * plan.grantQuantumBytes()).isEqualTo(111_132_278_784L);
        assertThat(plan.grantCount()).isEqualTo(256);
    }

    @ParameterizedTest
    @CsvSource({
        "1, 4096", "4095, 4096", "4096, 4096", "4097, 8192", "8192, 8192", "65537, 69632", "4718592, 4718592",
        "4718593, 4722688", "536870912, 536870912"
    })
    @Tag("SLOT-1")
    void shouldFitTheSlotExactlyToTheValue(final long valueLength, final long slotSize)
    {
        assertThat(CapacityPlan.slotSize(valueLength)).isEqualTo(slotSize);
    }

    @ParameterizedTest
    @CsvSource({
        "4096, 536870912, 131072", "4097, 536870912, 65536", "536870912, 536870912, 1", "268435457, 536870912, 1",
        "4096, 65536, 16", "20000, 65536, 3", "65537, 65536, 0"
    })
    @Tag("SLOT-1")
    void shouldCountWholeSlotsInAGrant(final long valueLength, final long quantum, final int slots)
    {
        assertThat(CapacityPlan.slotsPerGrant(valueLength, quantum)).isEqualTo(slots);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "65536, 1", "65537, 2", "131072, 2", "131073, 3"})
    @Tag("SLOT-1")
    void shouldRoundExpectedGrantsUp(final long payload, final long grants)
    {
        assertThat(CapacityPlan.expectedGrants(4096, payload, 65_536)).isEqualTo(grants);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4096, 4096, capacity_bytes",
        "-65536, 4096, 4096, capacity_bytes",
        "65537, 4096, 4096, capacity_bytes",
        "65536, 0, 4096, owner_local_reserve_expected_capacity.value_len",
        "65536, -1, 4096, owner_local_reserve_expected_capacity.value_len",
        "65536, 65537, 4096, owner_local_reserve_expected_capacity.value_len",
        "65536, 4096, 0, owner_local_reserve_expected_capacity.payload_capacity_bytes",
        "65536, 4096, -1, owner_local_reserve_expected_capacity.payload_capacity_bytes",
        "65536, 4096, 65537, owner_local_reserve_expected_capacity.payload_capacity_bytes"
    })
    @Tag("SLOT-3")
    void shouldNameTheFieldThatIsInvalid(
        final long capacity, final long valueLength, final long payload, final String field)
    {
        final CapacityPlan plan = new CapacityPlan()
            .grantQuantumBytes(65_536).capacityBytes(capacity).expect(valueLength, payload);

        assertThatThrownBy(plan::conclude).isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith(field + ": ");
        assertThat(plan.isConcluded()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"0", "-4096", "4097", "100"})
    @Tag("SLOT-3")
    void shouldRefuseAnInvalidQuantum(final long quantum)
    {
        assertThatThrownBy(() -> plan().grantQuantumBytes(quantum).conclude())
            .isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith("grant_quantum_bytes: ");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 10, owner_local_reserve_soft_wait_timeout_ms", "-1, 10, owner_local_reserve_soft_wait_timeout_ms",
        "10, 0, owner_local_reserve_hard_wait_timeout_ms", "10, 10, owner_local_reserve_hard_wait_timeout_ms",
        "11, 10, owner_local_reserve_hard_wait_timeout_ms"
    })
    @Tag("SLOT-3")
    void shouldRefuseInvalidTimeouts(final long soft, final long hard, final String field)
    {
        assertThatThrownBy(() -> plan().softTimeoutNs(soft).hardTimeoutNs(hard).conclude())
            .isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith(field + ": ");
    }

    @Test
    @Tag("SLOT-3")
    void shouldRefuseExpectedCapacitiesThatTogetherNeedMoreThanTheSegment()
    {
        final CapacityPlan plan = new CapacityPlan().grantQuantumBytes(65_536).capacityBytes(3 * 65_536)
            .expect(4096, 2 * 65_536).expect(8192, 2 * 65_536);

        assertThatThrownBy(plan::conclude)
            .hasMessageStartingWith("owner_local_reserve_expected_capacity.payload_capacity_bytes: ")
            .hasMessageContaining("needs 2 grants").hasMessageContaining("has 1 left");
    }

    @Test
    @Tag("SLOT-3")
    void shouldRefuseTwoExpectedCapacitiesOfOneSlotSize()
    {
        final CapacityPlan plan = plan().expect(4095, 1).expect(4096, 1);

        assertThatThrownBy(plan::conclude)
            .hasMessageStartingWith("owner_local_reserve_expected_capacity.value_len: ");
    }

    @Test
    @Tag("BOUND-1")
    void shouldRefuseMoreSlotsThanThereAreSlotIds()
    {
        assertThat(new CapacityPlan().capacityBytes(8192 * GIB - QUANTUM).conclude().grantCount()).isEqualTo(16_383);
        assertThatThrownBy(() -> new CapacityPlan().capacityBytes(8192 * GIB).conclude())
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageStartingWith("capacity_bytes: ").hasMessageContaining("2147483647");
    }

    @Test
    @Tag("BOUND-1")
    void shouldRefuseInvalidBounds()
    {
        assertThatThrownBy(() -> plan().maxSlotClasses(0).conclude()).hasMessageStartingWith("max_slot_classes: 0");
        assertThatThrownBy(() -> plan().maxSlotClasses(1).expect(4096, 1).expect(8192, 1).conclude())
            .hasMessageStartingWith("max_slot_classes: 1");
        assertThatThrownBy(() -> plan().maxWaitingClaims(0).conclude())
            .hasMessageStartingWith("max_waiting_claims: 0");
    }

    private static CapacityPlan plan()
    {
        return new CapacityPlan().grantQuantumBytes(65_536).capacityBytes(8 * 65_536);
    }
}
