package io.fluxon.engine.window;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("HOT-1")
class GhostTableTest
{
    private static final int ENTRIES = 37;

    @Test
    void shouldHoldWhatAMapByAgeHoldsWhenUsedAtRandom()
    {
        try (Arena arena = Arena.ofConfined())
        {
            final long length = GhostTable.requiredLength(ENTRIES);
            final GhostTable table = new GhostTable(new MemoryCarver(arena.allocate(length, 8), length), ENTRIES, 1);
            final Map<Long, Long> model = new LinkedHashMap<>();
            final Random random = new Random(7130);
            for (int i = 0; i < 100_000; i++)
            {
                final long key = random.nextInt(100) * 0x1_0000_0001L;
                final int entry = table.find(key);
                assertThat(GhostTable.NONE != entry).isEqualTo(model.containsKey(key));
                if (GhostTable.NONE != entry)
                {
                    assertThat(table.value(entry)).isEqualTo(model.remove(key));
                    table.remove(entry);
                }
                else
                {
                    if (table.isFull())
                    {
                        table.removeOldest(0);
                        model.remove(model.keySet().iterator().next());
                    }
                    table.add(0, key, i);
                    model.put(key, (long)i);
                }
                assertThat(table.size(0)).isEqualTo(model.size()).isLessThanOrEqualTo(ENTRIES);
            }
        }
    }
}
