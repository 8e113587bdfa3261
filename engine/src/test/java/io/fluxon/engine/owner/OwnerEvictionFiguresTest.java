package io.fluxon.engine.owner;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an owner says of its full memory: the figures of its slot classes, and how long evictions take.
 */
class OwnerEvictionFiguresTest
{
    private static final int WINDOW_SLOTS = 12;
    private static final int REFRESH_MS = 101;
    private static final long NANOS_OF_MILLI = 1_000_000;

    private final EvictionStage stage = new EvictionStage(0.75);
    private final OwnerFixture owner = stage.owner;

    @AfterEach
    void after()
    {
        stage.close();
    }

    @Test
    @Tag("PRESS-1")
    void shouldCountTheSlotsOfAClassByWhatTheyAreFor()
    {
        stage.overflow(WINDOW_SLOTS);
        owner.pass(REFRESH_MS);

        assertThat(of(ClassCounter.SLOT_BYTES)).isEqualTo(4096);
        assertThat(of(ClassCounter.TOTAL)).isEqualTo(EvictionStage.SLOTS);
        assertThat(of(ClassCounter.USED)).isEqualTo(WINDOW_SLOTS + 1);
        assertThat(of(ClassCounter.FREE)).isEqualTo(EvictionStage.SLOTS - WINDOW_SLOTS - 1);
        assertThat(of(ClassCounter.HOT)).isEqualTo(WINDOW_SLOTS);
        assertThat(of(ClassCounter.DEBT)).isEqualTo(1);
        assertThat(of(ClassCounter.WAITED_FOR)).isZero();

        stage.worker.startedPut("open");
        owner.pass(REFRESH_MS);
        assertThat(of(ClassCounter.PREPARED)).isEqualTo(1);

        owner.master.answerAll();
        owner.pass(REFRESH_MS);
        assertThat(of(ClassCounter.DEBT)).isZero();
        assertThat(owner.counters.get(1, ClassCounter.SLOT_BYTES)).isZero();
    }

    @Test
    @Tag("EVICT-2")
    void shouldTimeAnEvictionFromItsSelectionUntilItsSlotIsFree()
    {
        stage.overflow(WINDOW_SLOTS);
        owner.pass(REFRESH_MS);
        assertThat(owner.count(OwnerCounter.EVICT_FREE_P99_NS)).isZero();

        owner.master.answerAll();
        owner.pass(REFRESH_MS);
        final long leastNs = REFRESH_MS * NANOS_OF_MILLI;
        assertThat(owner.count(OwnerCounter.EVICT_FREED)).isEqualTo(1);
        assertThat(owner.count(OwnerCounter.EVICT_FREE_P50_NS)).isBetween(leastNs, leastNs + leastNs / 8);
        assertThat(owner.count(OwnerCounter.EVICT_FREE_P99_NS))
            .isEqualTo(owner.count(OwnerCounter.EVICT_FREE_P50_NS));
    }

    private long of(final ClassCounter counter)
    {
        return owner.counters.get(0, counter);
    }
}
