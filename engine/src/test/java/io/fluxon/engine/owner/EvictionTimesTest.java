package io.fluxon.engine.owner;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The histogram of the times of evictions.
 */
class EvictionTimesTest
{
    private final EvictionTimes times = new EvictionTimes();

    @Test
    void shouldSayNothingBeforeAnythingWasRecorded()
    {
        assertThat(times.percentileNs(500)).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = { 0, 1, 15, 16, 17, 31, 32, 33, 1000, 25_000_000, 1L << 40, (1L << 40) - 1, Long.MAX_VALUE })
    void shouldBeAtMostASixteenthAboveWhatWasRecorded(final long durationNs)
    {
        times.record(durationNs);

        final long mostAbove = Math.min(durationNs / 16, Long.MAX_VALUE - durationNs);
        assertThat(times.percentileNs(500)).isBetween(durationNs, durationNs + mostAbove);
    }

    @Test
    void shouldOrderWhatWasRecorded()
    {
        for (int i = 1; i <= 1000; i++)
        {
            times.record(i * 1000L);
        }

        assertThat(times.percentileNs(500)).isBetween(500_000L, 531_250L);
        assertThat(times.percentileNs(990)).isBetween(990_000L, 1_051_875L);
        assertThat(times.percentileNs(1000)).isBetween(1_000_000L, 1_062_500L);
    }

    @Test
    void shouldCountAnEvictionThatBeganAfterNowAsOneWithoutDuration()
    {
        times.record(-5);

        assertThat(times.percentileNs(1000)).isZero();
    }
}
