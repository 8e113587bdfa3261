package io.fluxon.engine.window;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.Arena;
import java.util.stream.LongStream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

@Tag("HOT-1")
class SampledArcTest
{
    private static final int PAGES = 100_000;

    private final Arena arena = Arena.ofConfined();

    @AfterEach
    void close()
    {
        arena.close();
    }

    @ParameterizedTest
    @CsvSource({ "100,1", "255,1", "256,2", "512,4", "1024,8", "30000,8" })
    void shouldSampleTheShareOfPagesThatTheShareOfSlotsSays(final int slotCount, final int part)
    {
        final SampledArc sample = sample(slotCount);

        assertThat(sample.share(slotCount)).isEqualTo(slotCount / part);
        assertThat((double)LongStream.range(0, PAGES).filter(page -> sample.isSampled(hash(page))).count() / PAGES)
            .isCloseTo(1.0 / part, within(0.01));
    }

    @Test
    void shouldSayWhetherAPageWasThereWhenItWasUsedLast()
    {
        final SampledArc sample = sample(100);
        assertThat(sample.contains(1)).isFalse();
        assertThat(sample.wasHit(1)).isFalse();

        sample.use(1, 0);
        assertThat(sample.contains(1)).isTrue();
        assertThat(sample.wasHit(1)).isFalse();

        sample.renew(1, 0);
        assertThat(sample.wasHit(1)).isFalse();

        sample.use(1, 0);
        assertThat(sample.wasHit(1)).isTrue();
    }

    @Test
    void shouldHoldNoMoreThanItIsShrunkToAndWhatWasHitLongest()
    {
        final SampledArc sample = sample(100);
        for (int page = 0; page < 1000; page++)
        {
            sample.use(hash(page), 0);
            sample.use(hash(-1), 0);
        }
        sample.shrinkTo(10);

        assertThat(LongStream.range(-1, 1000).filter(page -> sample.contains(hash(page))).boxed())
            .hasSize(10).contains(-1L, 999L);
    }

    private SampledArc sample(final int slotCount)
    {
        final long length = SampledArc.requiredLength(slotCount);
        return new SampledArc(new MemoryCarver(arena.allocate(length, 8), length), slotCount, slotCount);
    }

    private static long hash(final long page)
    {
        final long mixed = (page + 2) * 0x9e3779b97f4a7c15L;
        return (mixed ^ mixed >>> 29) * 0x9e3779b97f4a7c15L;
    }
}
