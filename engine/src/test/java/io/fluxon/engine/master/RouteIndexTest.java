package io.fluxon.engine.master;

import io.fluxon.engine.index.Xx128KeyDigest;
import io.fluxon.engine.memory.HugeMemory;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static io.fluxon.engine.master.LineSlab.NONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RouteIndexTest
{
    private static final int KEY_LENGTH = Integer.BYTES;
    private static final int SEGMENT_SLOTS = 16;
    private static final int LARGEST_SEGMENT_BYTES = 2048 * Long.BYTES;

    private final LineSlab slab = new LineSlab(HugeMemory.INSTANCE);
    private final Xx128KeyDigest digest = new Xx128KeyDigest();
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[KEY_LENGTH]);
    private RouteIndex index = new RouteIndex(100, slab);
    private long lowMask = -1;
    private long highMask = -1;

    @AfterEach
    void close()
    {
        index.close();
        slab.close();
    }

    @Test
    @Tag("ID-1")
    void shouldTellKeysWithEqualDigestsApart()
    {
        collide(0);
        final int[] routes = addAll(10);

        for (int number = 0; number < 10; number++)
        {
            assertThat(get(number)).isEqualTo(routes[number]);
        }
        assertThat(get(10)).isEqualTo(NONE);
        assertThat(index.size()).isEqualTo(10);
    }

    @Test
    @Tag("ID-1")
    void shouldTellDigestsWithEqualTagsApart()
    {
        index.add(0x1_0000_0007L, 0, route(1));
        final int second = route(2);
        index.add(0x2_0000_0007L, 0, second);
        key.putInt(0, 2);

        assertThat(index.get(0x2_0000_0007L, 0, key, 0, KEY_LENGTH)).isEqualTo(second);
        assertThat(index.remove(0x2_0000_0007L, 0, second)).isTrue();
        assertThat(index.get(0x2_0000_0007L, 0, key, 0, KEY_LENGTH)).isEqualTo(NONE);
        assertThat(index.size()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @Tag("ID-1")
    void shouldKeepTheOthersWhenOneOfEqualDigestGoes(final int removed)
    {
        collide(0);
        final int[] routes = addAll(4);

        assertThat(remove(removed, routes[removed])).isTrue();
        assertThat(remove(removed, routes[removed])).isFalse();
        for (int number = 0; number < 4; number++)
        {
            assertThat(get(number)).isEqualTo(number == removed ? NONE : routes[number]);
        }
        assertThat(index.size()).isEqualTo(3);
    }

    @Test
    void shouldKeepWhatStandsBehindASlotThatIsFreedAcrossTheEndOfTheTable()
    {
        final long lastSlot = SEGMENT_SLOTS - 1;
        final int[] routes = new int[6];
        for (int i = 0; i < routes.length; i++)
        {
            routes[i] = route(i);
            index.add(lastSlot | (long)i << 16, 0, routes[i]);
        }

        for (int removed = 0; removed < routes.length; removed++)
        {
            assertThat(index.remove(lastSlot | (long)removed << 16, 0, routes[removed])).isTrue();
            for (int i = 0; i < routes.length; i++)
            {
                assertThat(index.candidate(lastSlot | (long)i << 16, 0)).isEqualTo(i <= removed ? NONE : routes[i]);
            }
        }
    }

    @Test
    void shouldTakeOutExactlyTheRouteThatIsNamed()
    {
        final int[] routes = addAll(1);
        final int other = route(0);

        assertThat(remove(0, other)).isFalse();
        assertThat(contains(0, other)).isFalse();
        assertThat(contains(0, routes[0])).isTrue();
        assertThat(get(0)).isEqualTo(routes[0]);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 8, 1024, 1025, 5000})
    @Tag("BOUND-1")
    void shouldTakeExactlyAsManyRoutesAsItMay(final int capacity)
    {
        replace(capacity);
        final int[] routes = addAll(capacity);

        final int late = route(capacity);
        assertThatThrownBy(() -> add(capacity, late)).isInstanceOf(IllegalStateException.class)
            .hasMessageContaining(Integer.toString(capacity));
        assertThat(get(capacity)).isEqualTo(NONE);
        assertThat(remove(0, routes[0])).isTrue();
        add(capacity, late);
        assertThat(get(capacity)).isEqualTo(late);
        assertThat(index.size()).isEqualTo(index.capacity()).isEqualTo(capacity);
    }

    @Test
    @Tag("BOUND-1")
    void shouldNeedNoMoreMemoryWhenRoutesComeAndGo()
    {
        final int capacity = 20_000;
        replace(capacity);
        final int[] routes = addAll(capacity);
        final long memoryBytes = index.memoryBytes();
        assertThat(memoryBytes / capacity).isLessThan(24);

        for (int number = capacity; number < 20 * capacity; number++)
        {
            final int turn = number % capacity;
            assertThat(remove(number - capacity, routes[turn])).isTrue();
            slab.free(routes[turn]);
            routes[turn] = route(number);
            add(number, routes[turn]);
        }
        assertThat(index.memoryBytes()).isLessThan(2 * memoryBytes);
        assertThat(index.size()).isEqualTo(capacity);
    }

    @Test
    @Tag("G10")
    void shouldMakeNoMoreRoomThanASegmentsInOneStep()
    {
        final int capacity = 100_000;
        replace(capacity);
        long memoryBytes = index.memoryBytes();
        for (int number = 0; number < capacity; number++)
        {
            add(number, route(number));
            assertThat(index.memoryBytes() - memoryBytes).isLessThanOrEqualTo(LARGEST_SEGMENT_BYTES / 2);
            memoryBytes = index.memoryBytes();
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 0, 0", "2, 3, 0", "3, 15, 1", "4, 255, 0", "5, -1, -1"})
    @Tag("ID-1")
    void shouldAgreeWithASimpleModelAfterEveryStep(final long seed, final long lows, final long highs)
    {
        final Random random = new Random(seed);
        final Map<Integer, Integer> model = new HashMap<>();
        lowMask = lows;
        highMask = highs;
        replace(4096);
        for (int step = 0; step < 20_000; step++)
        {
            final int number = random.nextInt(300);
            final Integer present = model.get(number);
            assertThat(get(number)).isEqualTo(null == present ? NONE : (int)present);
            if (null == present)
            {
                final int route = route(number);
                add(number, route);
                model.put(number, route);
            }
            else if (random.nextBoolean())
            {
                assertThat(remove(number, present)).isTrue();
                slab.free(present);
                model.remove(number);
            }
            assertThat(index.size()).isEqualTo(model.size());
        }

        for (int number = 0; number < 300; number++)
        {
            assertThat(get(number)).isEqualTo(model.getOrDefault(number, NONE));
        }
    }

    @Test
    @Tag("ID-1")
    void shouldFindEveryRouteAfterEachGrowth()
    {
        final List<Integer> routes = new ArrayList<>();
        collide(-1);
        for (int number = 0; number < 100; number++)
        {
            routes.add(route(number));
            add(number, routes.get(number));
            for (int earlier = 0; earlier <= number; earlier++)
            {
                assertThat(get(earlier)).isEqualTo(routes.get(earlier));
            }
        }
        final List<Integer> numbers = new ArrayList<>();
        routes.forEach((route) -> numbers.add(slab.getInt(route, RouteDescriptor.KEY)));
        Collections.shuffle(numbers, new Random(7));
        numbers.forEach((number) -> assertThat(remove(number, routes.get(number))).isTrue());
        assertThat(index.size()).isZero();
    }

    @Test
    void shouldFreeItsMemoryOnceAndRefuseALaterUse()
    {
        addAll(1);

        index.close();
        index.close();
        assertThatThrownBy(() -> get(0)).isInstanceOf(RuntimeException.class);
    }

    @Test
    void shouldRefuseAnInvalidCapacity()
    {
        assertThatThrownBy(() -> new RouteIndex(0, slab))
            .isInstanceOf(IllegalArgumentException.class).hasMessageStartingWith("capacity: 0");
    }

    /** Leaves only these bits of the low word, and none of the high one. */
    private void collide(final long mask)
    {
        lowMask = mask;
        highMask = 0;
    }

    private void replace(final long capacity)
    {
        index.close();
        index = new RouteIndex(capacity, slab);
    }

    private int[] addAll(final int count)
    {
        final int[] routes = new int[count];
        for (int number = 0; number < count; number++)
        {
            routes[number] = route(number);
            add(number, routes[number]);
        }

        return routes;
    }

    private int route(final int number)
    {
        final int route = slab.allocate(RouteDescriptor.ROUTE_TYPE, 2);
        slab.putInt(route, RouteDescriptor.KEY_LENGTH, KEY_LENGTH);
        slab.putInt(route, RouteDescriptor.KEY, number);

        return route;
    }

    private int get(final int number)
    {
        compute(number);
        return index.get(low(), high(), key, 0, KEY_LENGTH);
    }

    private void add(final int number, final int route)
    {
        compute(number);
        index.add(low(), high(), route);
    }

    private boolean remove(final int number, final int route)
    {
        compute(number);
        return index.remove(low(), high(), route);
    }

    private boolean contains(final int number, final int route)
    {
        compute(number);
        return index.contains(low(), high(), route);
    }

    private void compute(final int number)
    {
        key.putInt(0, number);
        digest.compute(key, 0, KEY_LENGTH);
    }

    private long low()
    {
        return digest.low() & lowMask;
    }

    private long high()
    {
        return digest.high() & highMask;
    }
}
