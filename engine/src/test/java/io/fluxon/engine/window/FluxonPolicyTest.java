package io.fluxon.engine.window;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The default against the policies that it is made of, on traffic that is made to favour one of them. Each request uses
 * one path of eight pages.
 */
@Tag("HOT-1")
class FluxonPolicyTest
{
    private static final int PAGES = 8;
    private static final int PATHS = 2500;
    private static final int REQUESTS = 40_000;
    private static final long GAP_MS = 1000;
    private static final double POINT = 0.01 * REQUESTS * PAGES;

    private final Arena arena = Arena.ofConfined();
    private final SlotRun run = new SlotRun(PAGES);
    private FluxonPolicy fluxon;
    private long nowMs;

    @AfterEach
    void close()
    {
        arena.close();
    }

    @ParameterizedTest
    @ValueSource(ints = { 400, 2000 })
    void shouldHitNearlyAsMuchAsArcWhenOnlyPopularityCounts(final int capacity)
    {
        final long hits = hits(fluxon(capacity), capacity, popularity(1));

        assertThat(hits).isGreaterThan((long)(hits(arc(capacity), capacity, popularity(1)) - 3 * POINT));
        assertThat(hits).isGreaterThan((long)(hits(returns(capacity), capacity, popularity(1)) + 2 * POINT));
    }

    @ParameterizedTest
    @ValueSource(ints = { 400, 2000 })
    void shouldHitNearlyAsMuchAsLruWhenOnlyRecencyCounts(final int capacity)
    {
        final long hits = hits(fluxon(capacity), capacity, recency(1));

        assertThat(hits).isGreaterThan((long)(hits(lru(capacity), capacity, recency(1)) - POINT));
    }

    @ParameterizedTest
    @ValueSource(ints = { 400, 2000 })
    void shouldHitNearlyAllThatCanBeWhenPathsComeInALoopThatIsTooLong(final int capacity)
    {
        final int paths = capacity * 3 / 2 / PAGES;

        assertThat(hits(arc(capacity), capacity, request -> request % paths)).isLessThan((long)POINT);
        assertThat(hits(fluxon(capacity), capacity, request -> request % paths))
            .isGreaterThan((long)((2.0 / 3 - 0.02) * REQUESTS * PAGES));
        assertThat(fluxon.isArc()).isFalse();
    }

    @Test
    void shouldGoBackToTheReturnsWhenPopularityCountsNoMore()
    {
        final int capacity = 400;
        final WindowPolicy policy = fluxon(capacity);
        hits(policy, capacity, popularity(1));
        assertThat(fluxon.isArc()).isTrue();

        hits(policy, capacity, request -> PATHS + request % 75);
        assertThat(hits(policy, capacity, request -> PATHS + request % 75)).isGreaterThan((long)(60 * POINT));
        assertThat(fluxon.isArc()).isFalse();
    }

    @Test
    void shouldHoldTheSameSlotsInAllPartsWhenUsedAtRandom()
    {
        final int capacity = 400;
        final WindowPolicy policy = fluxon(capacity);
        final List<Integer> victims = new ArrayList<>();
        final Random random = new Random(7130);
        for (int i = 0; i < REQUESTS / 4; i++)
        {
            run.clear();
            final int first = random.nextInt(capacity);
            for (int slotId = first; slotId < Math.min(capacity, first + PAGES); slotId++)
            {
                run.append(slotId, hash(slotId));
            }
            if (random.nextBoolean())
            {
                policy.add(run, i);
            }
            else
            {
                policy.touch(run, i);
            }
            policy.remove(random.nextInt(capacity));
            while (policy.size() > capacity / 2)
            {
                victims.add(policy.evict());
            }
        }
        int held = 0;
        for (int slotId = 0; slotId < capacity; slotId++)
        {
            held += policy.contains(slotId) ? 1 : 0;
        }
        assertThat(policy.size()).isEqualTo(held);
        assertThat(victims).isNotEmpty();
    }

    /** Zipf with exponent 0.9. */
    private static IntUnaryOperator popularity(final long seed)
    {
        final double[] shares = new double[PATHS];
        double sum = 0;
        for (int path = 0; path < PATHS; path++)
        {
            sum += 1 / Math.pow(path + 1, 0.9);
            shares[path] = sum;
        }
        final double total = sum;
        final Random random = new Random(seed);
        return request -> Math.min(PATHS - 1, Math.abs(Arrays.binarySearch(shares, random.nextDouble() * total) + 1));
    }

    /** One path of ten is new, the others are the more likely the less paths were used since. */
    private static IntUnaryOperator recency(final long seed)
    {
        final Random random = new Random(seed);
        final List<Integer> stack = new ArrayList<>();
        return request ->
        {
            final int depth = (int)(-200 * Math.log(1 - random.nextDouble()));
            final boolean isNew = 0 == random.nextInt(10) || depth >= stack.size();
            stack.add(isNew ? request : stack.remove(stack.size() - 1 - depth));
            return stack.getLast();
        };
    }

    private long hits(final WindowPolicy policy, final int capacity, final IntUnaryOperator pathOfRequest)
    {
        final PathSlots slots = new PathSlots(capacity + PAGES);
        for (int slotId = 0; slotId < capacity + PAGES; slotId++)
        {
            policy.remove(slotId);
        }

        long hits = 0;
        for (int request = 0; request < REQUESTS; request++)
        {
            nowMs += GAP_MS;
            final long first = (long)pathOfRequest.applyAsInt(request) * PAGES;
            run.clear();
            for (int i = 0; i < PAGES && slots.holds(first + i); i++)
            {
                run.append(slots.slotOf(first + i), hash(first + i));
            }
            hits += run.size();
            policy.touch(run, nowMs);
            for (int i = run.size(); i < PAGES; i++)
            {
                run.append(slots.slotOf(first + i), hash(first + i));
            }
            policy.add(run, nowMs);
            while (policy.size() > capacity)
            {
                slots.free(policy.evict());
            }
        }
        return hits;
    }

    private WindowPolicy fluxon(final int capacity)
    {
        fluxon = new FluxonPolicy(
            carver(FluxonPolicy.requiredLength(capacity + PAGES)), capacity + PAGES, capacity);
        return fluxon;
    }

    private WindowPolicy returns(final int capacity)
    {
        return new ReturnPolicy(carver(ReturnPolicy.requiredLength(capacity + PAGES)), capacity + PAGES);
    }

    private WindowPolicy arc(final int capacity)
    {
        return new ArcPolicy(carver(ArcPolicy.requiredLength(capacity + PAGES)), capacity + PAGES, capacity);
    }

    private WindowPolicy lru(final int capacity)
    {
        return new LruPolicy(carver(LruPolicy.requiredLength(capacity + PAGES)), capacity + PAGES);
    }

    private MemoryCarver carver(final long length)
    {
        return new MemoryCarver(arena.allocate(length, 8), length);
    }

    private static long hash(final long page)
    {
        final long mixed = (page + 1) * 0x9e3779b97f4a7c15L;
        return (mixed ^ mixed >>> 29) * 0x9e3779b97f4a7c15L;
    }
}
