package io.fluxon.engine.memory;

import io.fluxon.ipc.segment.SegmentFile;
import io.fluxon.ipc.segment.SegmentLayout;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The slot table in the memory that an owner's segment gives it.
 */
class SparseSlotTableTest
{
    private static final long GIB = 1L << 30;
    private static final long QUANTUM = 1 << 20;

    @TempDir
    private Path directory;

    @Test
    @Tag("SLOT-1")
    void shouldHoldTheRecordsOf256GibOfSmallSlots()
    {
        final CapacityPlan plan = new CapacityPlan().capacityBytes(256 * GIB).conclude();
        final long length = SlotTable.requiredLength(plan.grantCount(), plan.grantQuantumBytes());
        final SegmentLayout layout = new SegmentLayout("a", 1, 1, 4096, QUANTUM, QUANTUM);
        try (SegmentFile segment = SegmentFile.create(directory, layout, length))
        {
            assertThat(segment.slotsLength()).isEqualTo(67_108_864L * 704);
            final SlotTable table = new SlotTable(segment.slots(), plan.grantCount(), plan.grantQuantumBytes());
            final SlotPool pool = new SlotPool(table, plan, 1 << 20);
            int last = SlotTable.NONE;
            for (int i = 0; i < 512; i++)
            {
                last = pool.takeNow(pool.classFor(512L << 20));
            }

            assertThat(pool.takeNow(pool.classFor(512L << 20))).isEqualTo(SlotTable.NONE);
            assertThat(table.grantId(last)).isEqualTo(511);
            assertThat(pool.offset(last)).isEqualTo((1 << 20) + 511 * (512L << 20));
            assertThat(pool.count(SlotState.PREPARED)).isEqualTo(512);
        }
    }
}
