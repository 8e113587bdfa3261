package io.fluxon.engine.window;

import com.sun.management.ThreadMXBean;
import io.fluxon.engine.memory.CapacityPlan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a window of an owner takes: its slots are those that a class has when all grants are its own.
 */
@Tag("HOT-1")
@Tag("ZERO-1")
class WindowMemoryTest
{
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private static final long SLOT_SIZE = 4_718_592;
    private static final int GRANTS = 1 << 8;
    private static final int SLOTS =
        GRANTS * CapacityPlan.slotsPerGrant(SLOT_SIZE, CapacityPlan.DEFAULT_GRANT_QUANTUM_BYTES);
    private static final int MAX_RUN = 64;
    private static final int USES = 4000;
    private static final int MIB = 1 << 20;

    /** Bytes for each slot, rounded up, at the slots of an owner of 128 GiB and at a million. */
    private static final Map<WindowPolicyKind, int[]> STATED = Map.of(
        WindowPolicyKind.LRU, new int[]{ 12, 12 },
        WindowPolicyKind.SLRU, new int[]{ 12, 12 },
        WindowPolicyKind.ARC, new int[]{ 61, 60 },
        WindowPolicyKind.TINYLFU, new int[]{ 30, 28 },
        WindowPolicyKind.FLUXON, new int[]{ 254, 254 });

    private final Arena arena = Arena.ofConfined();
    private final SlotRun run = new SlotRun(MAX_RUN);
    private long nowMs;

    @AfterEach
    void close()
    {
        arena.close();
    }

    @ParameterizedTest
    @EnumSource(WindowPolicyKind.class)
    void shouldNeedNoMoreBytesForEachSlotThanStated(final WindowPolicyKind kind)
    {
        final double ofOwner = (double)HotWindow.requiredLength(kind, SLOTS) / SLOTS;
        final double ofMillion = (double)HotWindow.requiredLength(kind, MIB) / MIB;
        System.out.printf(
            Locale.ROOT, "hot window %s: %.1f B a slot of %,d slots, %.1f B of %,d%n",
            kind, ofOwner, SLOTS, ofMillion, MIB);

        assertThat((int)Math.ceil(ofOwner)).isEqualTo(STATED.get(kind)[0]);
        assertThat((int)Math.ceil(ofMillion)).isEqualTo(STATED.get(kind)[1]);
    }

    @ParameterizedTest
    @EnumSource(WindowPolicyKind.class)
    void shouldLeaveMemoryBeyondItsOwnAloneWhenFullAndUsedAtRandom(final WindowPolicyKind kind)
    {
        final long length = HotWindow.requiredLength(kind, SLOTS);
        final MemorySegment memory = arena.allocate(length + MIB, 8);
        memory.asSlice(length).fill((byte)0x5a);
        final HotWindow window = new HotWindow(kind, memory, SLOTS, SLOT_SIZE, SLOTS * SLOT_SIZE);
        final Random random = new Random(7140);
        for (int slotId = 0; slotId < SLOTS; slotId++)
        {
            window.add(run.clear().append(slotId, random.nextLong()), 0);
        }
        useAtRandom(window, random, USES);

        assertThat(memory.asSlice(length).toArray(JAVA_BYTE))
            .containsOnly((byte)0x5a);
    }

    @ParameterizedTest
    @EnumSource(WindowPolicyKind.class)
    void shouldHoldWhatIsCommittedWhenRebuiltInTheSameMemoryPageByPage(final WindowPolicyKind kind)
    {
        final MemorySegment memory = arena.allocate(HotWindow.requiredLength(kind, SLOTS), 8);
        final HotWindow before = window(kind, memory);
        final Random random = new Random(7141);
        useAtRandom(before, random, USES);
        final BitSet committed = new BitSet();
        for (int slotId = 0; slotId < SLOTS; slotId++)
        {
            committed.set(slotId, before.contains(slotId));
        }

        memory.fill((byte)0);
        final HotWindow rebuilt = window(kind, memory);
        committed.stream().forEach(slotId -> rebuilt.add(run.clear().append(slotId, hash(slotId)), nowMs));

        for (int slotId = 0; slotId < SLOTS; slotId++)
        {
            assertThat(rebuilt.contains(slotId)).isEqualTo(committed.get(slotId));
        }
        useAtRandom(rebuilt, random, USES);
        final List<Integer> victims = new ArrayList<>();
        final long weight = rebuilt.weightBytes();
        assertThat(rebuilt.evictSome(Long.MAX_VALUE, victims::add)).isEqualTo(weight);
        assertThat(victims).doesNotHaveDuplicates().hasSize((int)(weight / SLOT_SIZE));
    }

    @ParameterizedTest
    @EnumSource(WindowPolicyKind.class)
    void shouldAllocateNothingWhenUsedAtRandom(final WindowPolicyKind kind)
    {
        final HotWindow window = window(kind, arena.allocate(HotWindow.requiredLength(kind, SLOTS), 8));
        final Random random = new Random(7142);
        useAtRandom(window, random, USES);

        long least = Long.MAX_VALUE;
        for (int round = 0; round < 10; round++)
        {
            final long before = THREADS.getCurrentThreadAllocatedBytes();
            useAtRandom(window, random, 1000);
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isZero();
    }

    @Test
    void shouldTouchOnlyTheMemoryOfSlotsThatWereUsedWhenTheWindowIsLarge()
    {
        final WindowPolicyKind kind = WindowPolicyKind.FLUXON;
        final MemorySegment memory = arena.allocate(HotWindow.requiredLength(kind, MIB), 8);
        final HotWindow window = new HotWindow(kind, memory, MIB, SLOT_SIZE, MIB * SLOT_SIZE);
        for (int slotId = 0; slotId < 1000; slotId++)
        {
            window.add(run.clear().append(slotId, hash(slotId)), slotId);
        }
        window.evictSome(500 * SLOT_SIZE, slotId -> { });

        long touched = 0;
        for (long offset = 0; offset + Long.BYTES <= memory.byteSize(); offset += Long.BYTES)
        {
            touched += 0 == memory.get(JAVA_LONG, offset) ? 0 : Long.BYTES;
        }
        assertThat(touched).isPositive().isLessThan(1000L * STATED.get(kind)[1]);
    }

    private HotWindow window(final WindowPolicyKind kind, final MemorySegment memory)
    {
        return new HotWindow(kind, memory, SLOTS, SLOT_SIZE, SLOTS * SLOT_SIZE * 49 / 50);
    }

    private void useAtRandom(final HotWindow window, final Random random, final int uses)
    {
        for (int use = 0; use < uses; use++)
        {
            nowMs += 100;
            final int length = 1 + random.nextInt(MAX_RUN);
            final int first = random.nextInt(SLOTS - length);
            run.clear();
            for (int slotId = first; slotId < first + length; slotId++)
            {
                run.append(slotId, hash(slotId));
            }
            window.touch(run, nowMs);
            window.add(run, nowMs);
            window.evictSome(window.overflowBytes(), WindowMemoryTest::ignore);
        }
    }

    private static void ignore(final int slotId)
    {
    }

    private static long hash(final long page)
    {
        final long mixed = (page + 1) * 0x9e3779b97f4a7c15L;
        return (mixed ^ mixed >>> 29) * 0x9e3779b97f4a7c15L;
    }
}
