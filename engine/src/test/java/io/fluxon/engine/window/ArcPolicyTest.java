package io.fluxon.engine.window;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("HOT-1")
class ArcPolicyTest
{
    private static final int SLOTS = 8;
    private static final int CAPACITY = 4;

    private final Arena arena = Arena.ofConfined();
    private final SlotRun run = new SlotRun(1);
    private final long length = ArcPolicy.requiredLength(SLOTS);
    private final ArcPolicy policy =
        new ArcPolicy(new MemoryCarver(arena.allocate(length, 8), length), SLOTS, CAPACITY);

    @AfterEach
    void close()
    {
        arena.close();
    }

    @Test
    void shouldEvictWhatWasUsedOnceWhenOtherSlotsWereHit()
    {
        add(0);
        add(1);
        policy.touch(page(0), 0);
        add(2);

        assertThat(policy.evict()).isEqualTo(1);
        assertThat(policy.evict()).isEqualTo(2);
        assertThat(policy.evict()).isZero();
    }

    @Test
    void shouldGiveRoomToSlotsUsedOnceWhenOneThatWentComesBack()
    {
        add(0);
        policy.touch(page(0), 0);
        add(1);
        policy.touch(page(1), 0);
        add(2);
        add(3);
        assertThat(policy.evict()).isEqualTo(2);

        add(2);

        assertThat(policy.evict()).isZero();
        assertThat(policy.contains(3)).isTrue();
    }

    private void add(final int slotId)
    {
        policy.add(page(slotId), 0);
    }

    private SlotRun page(final int slotId)
    {
        return run.clear().append(slotId, (slotId + 1) * 0x9e3779b97f4a7c15L);
    }
}
