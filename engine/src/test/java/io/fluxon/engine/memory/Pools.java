package io.fluxon.engine.memory;

import java.lang.foreign.Arena;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Small pools in plain memory for tests: grants of 64 KiB, so 16 slots of 4 KiB.
 */
final class Pools
{
    static final long QUANTUM = 65_536;
    static final long GRANTS_OFFSET = 12_288;

    private Pools()
    {
    }

    static CapacityPlan plan(final int grantCount)
    {
        return new CapacityPlan().grantQuantumBytes(QUANTUM).capacityBytes(grantCount * QUANTUM)
            .softTimeoutNs(10).hardTimeoutNs(1000);
    }

    static SlotPool pool(final CapacityPlan plan)
    {
        plan.conclude();

        return new SlotPool(table(plan), plan, GRANTS_OFFSET);
    }

    static SlotTable table(final CapacityPlan plan)
    {
        final long length = SlotTable.requiredLength(plan.grantCount(), plan.grantQuantumBytes());

        return new SlotTable(Arena.ofAuto().allocate(length, 64), plan.grantCount(), plan.grantQuantumBytes());
    }

    static void audit(final SlotPool pool)
    {
        final SlotAudit audit = new SlotAudit(pool);
        audit.begin();
        assertThat(audit.scan(Integer.MAX_VALUE)).isTrue();
        assertThat(audit.firstMismatch()).isNull();
        assertThat(audit.mismatches()).isZero();
    }
}
