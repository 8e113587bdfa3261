package io.fluxon.engine.master;

import io.fluxon.engine.memory.HugeMemory;
import io.fluxon.engine.memory.InvariantViolation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class LineSlabTest
{
    private final LineSlab slab = new LineSlab(HugeMemory.INSTANCE);

    @AfterEach
    void close()
    {
        slab.close();
    }

    @Test
    void shouldKeepEveryRecordApartWhenRecordsComeAndGo()
    {
        final Random random = new Random(3);
        final List<int[]> records = new ArrayList<>();
        for (int n = 0; n < 200_000; n++)
        {
            if (records.size() > 20_000 || !records.isEmpty() && random.nextInt(5) < 2)
            {
                final int[] record = records.remove(random.nextInt(records.size()));
                assertThat(slab.getInt(record[0], 4)).isEqualTo(record[1]);
                assertThat(slab.getInt(record[0], record[2] * 64 - 4)).isEqualTo(record[1]);
                slab.free(record[0]);
            }
            else
            {
                final int lines = 1 + random.nextInt(10);
                final int ref = slab.allocate(1 + random.nextInt(3), lines);
                slab.putInt(ref, 4, n);
                slab.putInt(ref, lines * 64 - 4, n);
                assertThat(slab.lines(ref)).isEqualTo(lines);
                records.add(new int[]{ ref, n, lines });
            }
        }

        long live = 0;
        for (int type = 1; type < LineSlab.TYPES; type++)
        {
            live += slab.live(type);
        }
        assertThat(live).isEqualTo(records.size());
    }

    @Test
    void shouldUseFreedMemoryAgain()
    {
        for (int n = 0; n < 100_000; n++)
        {
            slab.free(slab.allocate(1, 3));
        }
        assertThat(slab.memoryBytes()).isEqualTo(1 << 20);
    }

    @Test
    void shouldKeepEveryRecordApartWhenTheSlabComesToHugePages()
    {
        final List<Integer> records = new ArrayList<>();
        final int chunks = 37;
        for (int n = 0; n < chunks << 10; n++)
        {
            final int ref = slab.allocate(1, 16);
            slab.putInt(ref, 4, n);
            slab.putInt(ref, 16 * 64 - 4, n);
            records.add(ref);
        }

        for (int n = 0; n < records.size(); n++)
        {
            assertThat(slab.getInt(records.get(n), 4)).isEqualTo(n);
            assertThat(slab.getInt(records.get(n), 16 * 64 - 4)).isEqualTo(n);
        }
        assertThat(slab.memoryBytes()).isEqualTo(32 * (1L << 20) + 3 * (2L << 20));
    }

    @Test
    void shouldCountWhatThereIsAtTheEndWhenRecordsChangeDuringTheCount()
    {
        final Random random = new Random(9);
        final List<Integer> records = new ArrayList<>();
        for (int n = 0; n < 30_000; n++)
        {
            records.add(slab.allocate(1 + random.nextInt(2), 1 + random.nextInt(6)));
        }

        slab.beginCount();
        while (LineSlab.NONE != slab.countNext())
        {
            slab.free(records.remove(random.nextInt(records.size())));
            if (random.nextInt(3) < 2)
            {
                records.add(slab.allocate(1 + random.nextInt(2), 1 + random.nextInt(6)));
            }
            if (records.size() < 100)
            {
                records.add(slab.allocate(1, 1));
            }
        }
        assertThat(slab.counted(1)).isEqualTo(slab.live(1));
        assertThat(slab.counted(2)).isEqualTo(slab.live(2));
        slab.endCount();
    }

    @Test
    void shouldStopWhenARecordIsFreedTwice()
    {
        final int ref = slab.allocate(1, 1);
        slab.free(ref);
        assertThatThrownBy(() -> slab.free(ref)).isInstanceOf(InvariantViolation.class);
    }
}
