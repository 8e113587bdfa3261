package io.fluxon.engine.window;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("HOT-1")
class ReturnPolicyTest
{
    private static final int CAPACITY = 100;
    private static final int SLOTS = 200;
    private static final int ROUNDS = 3000;

    private final Arena arena = Arena.ofConfined();
    private final SlotRun run = new SlotRun(SLOTS);
    private final Map<Long, Integer> slots = new HashMap<>();
    private final Map<Integer, Long> pages = new HashMap<>();

    @AfterEach
    void close()
    {
        arena.close();
    }

    @Test
    void shouldNeverEvictAPageBeforeItsChildWhenPrefixesBranchAtRandom()
    {
        final HotWindow window = window(WindowPolicyKind.FLUXON);
        final Random random = new Random(7110);
        for (int i = 0; i < ROUNDS * 4; i++)
        {
            final int length = 1 + random.nextInt(12);
            final long[] path = new long[length];
            long node = 1;
            for (int depth = 0; depth < length; depth++)
            {
                node = node * 4 + random.nextInt(0 == random.nextInt(3) ? 4 : 2);
                path[depth] = node;
            }
            request(window, path, i * 700L);
            for (final long page : slots.keySet())
            {
                assertThat(page < 8 || slots.containsKey(page / 4)).isTrue();
            }
        }
    }

    @Test
    void shouldKeepThePathsThatReturnWhenOthersNeverDo()
    {
        final int hitsOfLru = hitsOfSessionsAmongOthers(WindowPolicyKind.LRU);
        slots.clear();
        pages.clear();
        final int hits = hitsOfSessionsAmongOthers(WindowPolicyKind.FLUXON);

        assertThat(hitsOfLru).isLessThan(ROUNDS);
        assertThat(hits).isGreaterThan(ROUNDS * 5);
    }

    @Test
    void shouldEvictAPathOfGoodOddsFirstWhenItsTimeToReturnIsLongOver()
    {
        final HotWindow window = window(WindowPolicyKind.FLUXON);
        long nowMs = 0;
        for (int session = 1; session <= 300; session++)
        {
            request(window, path(session * 1000L, 2), nowMs);
            request(window, path(session * 1000L, 2), nowMs + 60_000);
            nowMs += 120_000;
            request(window, path(session * 1000L + 500, 8), nowMs);
            if (0 == session % 2)
            {
                request(window, path(session * 1000L + 500, 8), nowMs + 60_000);
            }
            nowMs += 120_000;
        }
        window.evictSome(Long.MAX_VALUE, this::onVictim);
        request(window, path(1_000_000, 2), nowMs);
        request(window, path(2_000_000, 8), nowMs + 3_600_000);
        window.evictSome(2, this::onVictim);

        assertThat(slots).containsOnlyKeys(
            2_000_000L, 2_000_001L, 2_000_002L, 2_000_003L, 2_000_004L, 2_000_005L, 2_000_006L, 2_000_007L);
    }

    @Test
    void shouldCountTheTurnsOfAPathOverHitsPutsAndEviction()
    {
        final long length = ReturnPolicy.requiredLength(SLOTS);
        final ReturnPolicy policy = new ReturnPolicy(new MemoryCarver(arena.allocate(length, 8), length), SLOTS);
        policy.add(range(0, 4), 0);
        assertThat(policy.turn(3)).isZero();

        policy.touch(range(0, 4), 10_000);
        policy.add(range(0, 6), 11_000);
        policy.add(range(0, 8), 12_000);
        assertThat(policy.turn(7)).isEqualTo(1);
        assertThat(policy.turn(0)).isEqualTo(1);

        for (int i = 0; i < 8; i++)
        {
            policy.evict();
        }
        policy.add(range(0, 9), 20_000);
        assertThat(policy.turn(8)).isEqualTo(2);

        policy.touch(range(0, 2), 30_000);
        assertThat(policy.turn(1)).isZero();
        assertThat(policy.turn(8)).isEqualTo(2);
    }

    @Test
    void shouldEvictTheLastPagesOfPathsFirstWhenTheyAreNeverReadAgain()
    {
        final HotWindow window = window(WindowPolicyKind.FLUXON);
        long now = 0;
        for (int session = 1; session <= 50; session++)
        {
            request(window, new long[]{ session * 1000L, session * 1000L + 1, session * 1000L + 100 }, now);
            request(window, new long[]{ session * 1000L, session * 1000L + 1, session * 1000L + 2 }, now + 30_000);
            now += 60_000;
        }
        window.evictSome(Long.MAX_VALUE, this::onVictim);
        for (int session = 101; session <= 110; session++)
        {
            request(window, new long[]{ session * 1000L, session * 1000L + 1, session * 1000L + 2 }, now);
        }
        window.touch(run.clear(), now + 5000);
        window.evictSome(10, this::onVictim);

        for (long session = 101; session <= 110; session++)
        {
            assertThat(slots).containsKeys(session * 1000, session * 1000 + 1)
                .doesNotContainKey(session * 1000 + 2);
        }
    }

    @Test
    void shouldTakeAHitAndThePutBehindItForOneUseOfThePrefix()
    {
        final HotWindow window = window(WindowPolicyKind.FLUXON);
        final HotWindow other = window(WindowPolicyKind.FLUXON);
        final Random random = new Random(7111);
        for (int i = 0; i < 100; i++)
        {
            final int first = 2 * random.nextInt(SLOTS / 2 - 8);
            for (final HotWindow each : new HotWindow[]{ window, other })
            {
                each.touch(range(first, first + 4), i * 5000L);
                each.add(range(first, first + 8), i * 5000L + (each == other ? 900 : 0));
            }
        }

        final StringBuilder victims = new StringBuilder();
        final StringBuilder otherVictims = new StringBuilder();
        window.touch(run.clear(), 1_000_000);
        other.touch(run.clear(), 1_000_000);
        window.evictSome(Long.MAX_VALUE, victim -> victims.append(victim).append(' '));
        other.evictSome(Long.MAX_VALUE, victim -> otherVictims.append(victim).append(' '));
        assertThat(victims.toString()).isEqualTo(otherVictims.toString()).isNotEmpty();
    }

    /** Ten sessions that come back each minute with eight pages, among many prefixes of two pages that never do. */
    private int hitsOfSessionsAmongOthers(final WindowPolicyKind kind)
    {
        final HotWindow window = window(kind);
        int hits = 0;
        long other = 1_000_000;
        for (int i = 0; i < ROUNDS; i++)
        {
            final long nowMs = i * 6000L;
            final long session = (i % 10 + 1) * 1000L;
            hits += request(
                window,
                new long[]{ session, session + 1, session + 2, session + 3, session + 4, session + 5, session + 6 },
                nowMs);
            for (int j = 0; j < 20; j++)
            {
                request(window, new long[]{ other, other + 1 }, nowMs + 1);
                other += 2;
            }
        }
        return hits;
    }

    private static long[] path(final long first, final int length)
    {
        final long[] path = new long[length];
        for (int i = 0; i < length; i++)
        {
            path[i] = first + i;
        }
        return path;
    }

    private HotWindow window(final WindowPolicyKind kind)
    {
        return new HotWindow(kind, arena.allocate(HotWindow.requiredLength(kind, SLOTS), 8), SLOTS, 1, CAPACITY);
    }

    private int request(final HotWindow window, final long[] path, final long nowMs)
    {
        run.clear();
        while (run.size() < path.length && slots.containsKey(path[run.size()]))
        {
            run.append(slots.get(path[run.size()]), hash(path[run.size()]));
        }
        final int hits = run.size();
        window.touch(run, nowMs);
        for (int i = hits; i < path.length; i++)
        {
            run.append(slotOf(path[i]), hash(path[i]));
        }
        window.add(run, nowMs);
        window.evictSome(window.overflowBytes(), this::onVictim);
        return hits;
    }

    private int slotOf(final long page)
    {
        if (!slots.containsKey(page))
        {
            int slotId = 0;
            while (pages.containsKey(slotId))
            {
                slotId++;
            }
            slots.put(page, slotId);
            pages.put(slotId, page);
        }
        return slots.get(page);
    }

    private void onVictim(final int slotId)
    {
        slots.remove(pages.remove(slotId));
    }

    private SlotRun range(final int from, final int to)
    {
        run.clear();
        for (int i = from; i < to; i++)
        {
            run.append(i, hash(i));
        }
        return run;
    }

    private static long hash(final long page)
    {
        final long mixed = (page + 1) * 0x9e3779b97f4a7c15L;
        return (mixed ^ mixed >>> 29) * 0x9e3779b97f4a7c15L;
    }
}
