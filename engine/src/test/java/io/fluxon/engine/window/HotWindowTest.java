package io.fluxon.engine.window;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("HOT-1")
class HotWindowTest
{
    private static final int SLOTS = 64;
    private static final int SLOT_SIZE = 4096;
    private static final int CAPACITY = 40;
    private static final int STEPS = 200_000;

    private final Arena arena = Arena.ofConfined();
    private final List<Integer> victims = new ArrayList<>();
    private final HotWindow lru = HotWindow.lru(
        arena.allocate(HotWindow.requiredLength(SLOTS), 8), SLOTS, SLOT_SIZE, (long)CAPACITY * SLOT_SIZE);
    private final HotWindow slru = HotWindow.slru(
        arena.allocate(HotWindow.requiredLength(SLOTS), 8), SLOTS, SLOT_SIZE, (long)CAPACITY * SLOT_SIZE);

    @AfterEach
    void close()
    {
        arena.close();
    }

    @Test
    void shouldEvictTheDeepestPageFirstWhenAPrefixIsTouchedDeepestFirst()
    {
        addAndTouchDeepestFirst(3);

        assertThat(lru.evictSome(1, victims::add)).isEqualTo(SLOT_SIZE);
        assertThat(victims).containsExactly(2);
    }

    @Test
    void shouldEvictNoMoreThanIsThereWhenMoreIsWanted()
    {
        addAndTouchDeepestFirst(3);

        assertThat(lru.evictSome(Long.MAX_VALUE, victims::add)).isEqualTo(3L * SLOT_SIZE);
        assertThat(lru.weightBytes()).isZero();
    }

    @Test
    void shouldSayWhatOverflowsWhenMoreIsInTheWindowThanItsCapacity()
    {
        addAndTouchDeepestFirst(CAPACITY + 2);

        assertThat(lru.overflowBytes()).isEqualTo(2L * SLOT_SIZE);
    }

    @Test
    void shouldRefuseASlotWhenItIsInTheWindowAlready()
    {
        lru.add(7);

        assertThatThrownBy(() -> lru.add(7)).isInstanceOf(IllegalStateException.class);
        assertThat(lru.weightBytes()).isEqualTo(SLOT_SIZE);
    }

    @Test
    void shouldChooseTheVictimsOfTheModelWhenLruIsUsedAtRandom()
    {
        shouldChooseTheVictimsOfTheModel(lru, 0);
    }

    @Test
    void shouldChooseTheVictimsOfTheModelWhenSlruIsUsedAtRandom()
    {
        shouldChooseTheVictimsOfTheModel(slru, CAPACITY / 5);
    }

    private void addAndTouchDeepestFirst(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            lru.add(i);
        }
        for (int i = count - 1; i >= 0; i--)
        {
            lru.touch(i);
        }
    }

    private void shouldChooseTheVictimsOfTheModel(final HotWindow window, final int maxProtected)
    {
        final Random random = new Random(7101);
        final ModelWindow model = new ModelWindow(maxProtected);
        for (int i = 0; i < STEPS; i++)
        {
            final int slotId = random.nextInt(SLOTS);
            switch (random.nextInt(4))
            {
                case 0 -> assertThat(window.remove(slotId)).isEqualTo(model.remove(slotId));
                case 1 -> addUnlessThere(window, model, slotId);
                default ->
                {
                    window.touch(slotId);
                    model.touch(slotId);
                }
            }
            if (0 < window.overflowBytes() || 0 == random.nextInt(8))
            {
                victims.clear();
                window.evictSome(1, victims::add);
                assertThat(victims).isEqualTo(model.evict());
            }
            assertThat(window.weightBytes()).isEqualTo((long)model.size() * SLOT_SIZE);
        }
    }

    private static void addUnlessThere(final HotWindow window, final ModelWindow model, final int slotId)
    {
        if (model.add(slotId))
        {
            window.add(slotId);
        }
    }
}
