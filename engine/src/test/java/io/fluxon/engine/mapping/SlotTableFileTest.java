package io.fluxon.engine.mapping;

import io.fluxon.engine.memory.CapacityPlan;
import io.fluxon.engine.memory.SlotPool;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SlotTableFileTest
{
    private static final long GIB = 1L << 30;

    @TempDir
    private Path directory;

    @Test
    @Tag("SLOT-1")
    void shouldHoldTheRecordsOf256GibOfSmallSlots() throws IOException
    {
        final CapacityPlan plan = new CapacityPlan().capacityBytes(256 * GIB).conclude();
        final Path path = directory.resolve("a-1.slots");
        final long usableBytes = Files.getFileStore(directory).getUsableSpace();
        try (SlotTableFile file = SlotTableFile.create(path, plan))
        {
            assertThat(usableBytes - Files.getFileStore(path).getUsableSpace()).isLessThan(4 * GIB);
            assertThat(Files.size(path)).isEqualTo(67_108_864L * 704);
            final SlotTable table = new SlotTable(file.memory(), plan.grantCount(), plan.grantQuantumBytes());
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
        assertThat(path).doesNotExist();
    }

    @Test
    void shouldRefuseAFileThatExistsAndLeaveItAlone() throws IOException
    {
        final CapacityPlan plan = new CapacityPlan().grantQuantumBytes(65_536).capacityBytes(65_536).conclude();
        final Path path = Files.writeString(directory.resolve("a-1.slots"), "x");

        assertThatThrownBy(() -> SlotTableFile.create(path, plan)).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(path).hasContent("x");
    }

    @Test
    @Tag("SLOT-3")
    void shouldRefuseAFileSystemWithTooLittleSpace()
    {
        final CapacityPlan plan = new CapacityPlan().capacityBytes(4096 * GIB).expect(4096, 4096 * GIB).conclude();
        final Path path = directory.resolve("a-1.slots");

        assertThatThrownBy(() -> SlotTableFile.create(path, plan)).isInstanceOf(IOException.class)
            .hasMessageContaining("a-1.slots").hasMessageContaining("need");
        assertThat(path).doesNotExist();
    }

    @Test
    void shouldCloseTwice() throws IOException
    {
        final CapacityPlan plan = new CapacityPlan().grantQuantumBytes(65_536).capacityBytes(65_536).conclude();
        final SlotTableFile file = SlotTableFile.create(directory.resolve("a-1.slots"), plan);

        file.close();
        file.close();
        assertThat(file.path()).doesNotExist();
    }
}
