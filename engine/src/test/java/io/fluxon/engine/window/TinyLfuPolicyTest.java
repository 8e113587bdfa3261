package io.fluxon.engine.window;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

@Tag("HOT-1")
class TinyLfuPolicyTest
{
    private static final int SLOTS = 256;
    private static final int CAPACITY = 100;
    private static final long KEY = 0x1234_5678_9abc_def0L;
    private static final long OTHER_KEY = 0xfedc_ba98_7654_3218L;

    private final Arena arena = Arena.ofConfined();
    private final SlotRun run = new SlotRun(1);

    @AfterEach
    void close()
    {
        arena.close();
    }

    @Test
    void shouldCountUpToFifteenAndHalveWhenTheSampleIsFull()
    {
        final FrequencySketch sketch = new FrequencySketch(
            carver(FrequencySketch.requiredLength(SLOTS)), SLOTS, CAPACITY);
        for (int i = 0; i < 20; i++)
        {
            sketch.increment(KEY);
        }
        assertThat(sketch.frequency(KEY)).isEqualTo(15);
        assertThat(sketch.frequency(OTHER_KEY)).isZero();

        for (int i = 0; i < 10 * CAPACITY - 15; i++)
        {
            sketch.increment(i * 0x9e3779b97f4a7c15L);
        }
        assertThat(sketch.frequency(KEY)).isBetween(7, 8);
    }

    @Test
    void shouldHalveEachCounterByItselfWhenTheSampleIsFull()
    {
        final long length = FrequencySketch.requiredLength(1);
        final MemorySegment words = arena.allocate(length, 8);
        final FrequencySketch sketch = new FrequencySketch(new MemoryCarver(words, length), 1, 50);
        final int keys = 60;
        int last = 0;
        for (int i = 0; sketch.frequency(0) >= last; i++)
        {
            last = sketch.frequency(0);
            sketch.increment(i % keys * 0x9e3779b97f4a7c15L);
        }

        for (int i = 0; i < length / Long.BYTES; i++)
        {
            assertThat(words.getAtIndex(JAVA_LONG, i) & 0x8888_8888_8888_8888L).isZero();
        }
    }

    @Test
    void shouldKeepWhatIsUsedOftenWhenASlotThatWasUsedOnceCompetes()
    {
        final TinyLfuPolicy policy =
            new TinyLfuPolicy(carver(TinyLfuPolicy.requiredLength(SLOTS)), SLOTS, CAPACITY);
        for (int i = 0; i < CAPACITY; i++)
        {
            policy.add(slot(i), 0);
            policy.touch(slot(i), 0);
        }

        final List<Integer> victims = new ArrayList<>();
        for (int i = CAPACITY; i < SLOTS; i++)
        {
            policy.add(slot(i), 0);
            victims.add(policy.evict());
        }

        assertThat(victims.stream().filter(victim -> victim < CAPACITY).count()).isLessThan(CAPACITY / 8);
    }

    private SlotRun slot(final int slotId)
    {
        return run.clear().append(slotId, (slotId + 1) * 0x9e3779b97f4a7c15L);
    }

    private MemoryCarver carver(final long length)
    {
        return new MemoryCarver(arena.allocate(length, 8), length);
    }
}
