package io.fluxon.engine.window;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Tag("HOT-1")
class HotWindowTest
{
    private static final int SLOTS = 64;
    private static final int SLOT_SIZE = 4096;
    private static final int CAPACITY = 40;
    private static final int STEPS = 100_000;
    private static final int MAX_RUN = 12;
    private static final int PATH = 16;

    private final Arena arena = Arena.ofConfined();
    private final SlotRun run = new SlotRun(SLOTS);
    private final List<Integer> victims = new ArrayList<>();

    @AfterEach
    void close()
    {
        arena.close();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TINYLFU")
    void shouldEvictTheDeepestPageFirstWhenThereIsOnePrefix(final WindowPolicyKind kind)
    {
        final HotWindow window = window(kind);
        window.add(run(0, 1, 2), 0);
        window.touch(run(0, 1, 2), 1000);

        assertThat(window.evictSome(1, victims::add)).isEqualTo(SLOT_SIZE);
        assertThat(victims).containsExactly(2);
    }

    @ParameterizedTest
    @EnumSource(WindowPolicyKind.class)
    void shouldEvictNoMoreThanIsThereWhenMoreIsWanted(final WindowPolicyKind kind)
    {
        final HotWindow window = window(kind);
        window.add(run(0, 1, 2), 0);

        assertThat(window.evictSome(Long.MAX_VALUE, victims::add)).isEqualTo(3L * SLOT_SIZE);
        assertThat(victims).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(window.weightBytes()).isZero();
        assertThat(window.evictSome(1, victims::add)).isZero();
    }

    @ParameterizedTest
    @EnumSource(WindowPolicyKind.class)
    void shouldSayWhatOverflowsWhenMoreIsInTheWindowThanItsCapacity(final WindowPolicyKind kind)
    {
        final HotWindow window = window(kind);
        for (int i = 0; i < CAPACITY + 2; i++)
        {
            window.add(run(i), i);
        }

        assertThat(window.weightBytes()).isEqualTo((CAPACITY + 2L) * SLOT_SIZE);
        assertThat(window.overflowBytes()).isEqualTo(2L * SLOT_SIZE);
    }

    @ParameterizedTest
    @EnumSource(WindowPolicyKind.class)
    void shouldPassOverASlotThatIsNotInTheWindowWhenItIsTouched(final WindowPolicyKind kind)
    {
        final HotWindow window = window(kind);
        window.touch(run(3, 4), 0);

        assertThat(window.contains(3)).isFalse();
        assertThat(window.weightBytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource(WindowPolicyKind.class)
    void shouldHoldExactlyWhatWasAddedAndDidNotLeaveWhenUsedAtRandom(final WindowPolicyKind kind)
    {
        final HotWindow window = window(kind);
        final Set<Integer> held = new HashSet<>();
        final Random random = new Random(7102);
        for (int i = 0; i < STEPS; i++)
        {
            final SlotRun slots = randomRun(random);
            switch (random.nextInt(4))
            {
                case 0 ->
                    assertThat(window.remove(slots.slotId(0))).isEqualTo(held.remove(slots.slotId(0)));
                case 1 -> window.touch(slots, i * 100L);
                default ->
                {
                    window.add(slots, i * 100L);
                    addAll(held, slots);
                }
            }
            if (0 == random.nextInt(16))
            {
                victims.clear();
                window.evictSome(window.overflowBytes() + SLOT_SIZE, victims::add);
                victims.forEach(victim -> assertThat(held.remove(victim)).isTrue());
            }
            assertThat(window.weightBytes()).isEqualTo((long)held.size() * SLOT_SIZE);
        }
        for (int i = 0; i < SLOTS; i++)
        {
            assertThat(window.contains(i)).isEqualTo(held.contains(i));
        }
    }

    @ParameterizedTest
    @EnumSource(WindowPolicyKind.class)
    void shouldChooseTheSameVictimsWhenTheCallsAreTheSame(final WindowPolicyKind kind)
    {
        assertThat(victimsOfRandomCalls(window(kind))).isEqualTo(victimsOfRandomCalls(window(kind))).isNotEmpty();
    }

    /** TinyLFU climbs between any two calls, so that its parts have other sizes. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TINYLFU")
    @Tag("G10")
    void shouldChooseTheSameVictimsWhenRunsAreTouchedInParts(final WindowPolicyKind kind)
    {
        assertThat(victimsOfPaths(window(kind), 3)).isEqualTo(victimsOfPaths(window(kind), PATH)).isNotEmpty();
    }

    @Test
    void shouldChooseTheVictimsOfTheModelWhenLruIsUsedAtRandom()
    {
        shouldChooseTheVictimsOfTheModel(window(WindowPolicyKind.LRU), 0);
    }

    @Test
    void shouldChooseTheVictimsOfTheModelWhenSlruIsUsedAtRandom()
    {
        shouldChooseTheVictimsOfTheModel(window(WindowPolicyKind.SLRU), CAPACITY / 5);
    }

    @Test
    void shouldRefuseMemoryWhenItIsTooShort()
    {
        final MemorySegment memory = arena.allocate(HotWindow.requiredLength(WindowPolicyKind.LRU, SLOTS) - 1, 8);

        assertThatThrownBy(() -> new HotWindow(WindowPolicyKind.LRU, memory, SLOTS, SLOT_SIZE, SLOT_SIZE))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("needs 768 B");
    }

    @Test
    void shouldRefuseACapacityWhenItIsLessThanASlot()
    {
        final MemorySegment memory = arena.allocate(HotWindow.requiredLength(WindowPolicyKind.LRU, SLOTS), 8);

        assertThatThrownBy(() -> new HotWindow(WindowPolicyKind.LRU, memory, SLOTS, SLOT_SIZE, SLOT_SIZE - 1))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("capacity 4095 B");
    }

    private HotWindow window(final WindowPolicyKind kind)
    {
        final MemorySegment memory = arena.allocate(HotWindow.requiredLength(kind, SLOTS), 8);
        return new HotWindow(kind, memory, SLOTS, SLOT_SIZE, (long)CAPACITY * SLOT_SIZE);
    }

    private SlotRun run(final int... slotIds)
    {
        run.clear();
        for (final int slotId : slotIds)
        {
            run.append(slotId, slotId * 0x9e3779b97f4a7c15L);
        }
        return run;
    }

    private SlotRun randomRun(final Random random)
    {
        run.clear();
        final int first = random.nextInt(SLOTS);
        final int length = 1 + random.nextInt(MAX_RUN);
        for (int i = first; i < Math.min(SLOTS, first + length); i++)
        {
            run.append(i, i * 0x9e3779b97f4a7c15L);
        }
        return run;
    }

    private static void addAll(final Set<Integer> held, final SlotRun slots)
    {
        for (int i = 0; i < slots.size(); i++)
        {
            held.add(slots.slotId(i));
        }
    }

    private List<Integer> victimsOfRandomCalls(final HotWindow window)
    {
        final List<Integer> all = new ArrayList<>();
        final Random random = new Random(7103);
        for (int i = 0; i < STEPS / 10; i++)
        {
            if (random.nextBoolean())
            {
                window.touch(randomRun(random), i * 100L);
            }
            window.add(randomRun(random), i * 100L);
            window.evictSome(window.overflowBytes(), all::add);
        }
        return all;
    }

    /** Paths of pages that lie one behind the other, touched in parts of so many, the deepest first. */
    private List<Integer> victimsOfPaths(final HotWindow window, final int part)
    {
        final List<Integer> all = new ArrayList<>();
        final Random random = new Random(31);
        for (int step = 0; step < STEPS / 10; step++)
        {
            final int front = random.nextInt(SLOTS / PATH) * PATH;
            final int length = 1 + random.nextInt(PATH);
            int present = 0;
            while (present < length && window.contains(front + present))
            {
                present++;
            }
            touchInParts(window, front, present, part, step * 100L);
            window.add(run(IntStream.range(front, front + length).toArray()), step * 100L);
            window.evictSome(window.overflowBytes(), all::add);
        }
        return all;
    }

    private void touchInParts(
        final HotWindow window, final int front, final int length, final int part, final long nowMs)
    {
        int end = length;
        while (end > 0)
        {
            final int begin = Math.max(0, end - part);
            run(IntStream.range(front + begin, front + end).toArray());
            window.touch(end < length ? run.behind(front + end) : run, nowMs);
            end = begin;
        }
    }

    private void shouldChooseTheVictimsOfTheModel(final HotWindow window, final int maxProtected)
    {
        final Random random = new Random(7101);
        final ModelWindow model = new ModelWindow(maxProtected);
        for (int i = 0; i < STEPS; i++)
        {
            final SlotRun slots = randomRun(random);
            final int kind = random.nextInt(4);
            if (0 == kind)
            {
                assertThat(window.remove(slots.slotId(0))).isEqualTo(model.remove(slots.slotId(0)));
            }
            else if (1 == kind)
            {
                window.add(slots, i);
            }
            else
            {
                window.touch(slots, i);
            }
            for (int page = slots.size() - 1; page >= 0 && 0 != kind; page--)
            {
                if (1 == kind)
                {
                    model.add(slots.slotId(page));
                }
                else
                {
                    model.touch(slots.slotId(page));
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
}
