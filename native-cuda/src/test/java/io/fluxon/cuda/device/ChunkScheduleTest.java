package io.fluxon.cuda.device;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ChunkScheduleTest
{
    private final ChunkSchedule schedule = new ChunkSchedule();

    @ParameterizedTest
    @CsvSource({
        "1, 36, 4718592, 41943040, 524288", "64, 36, 4718592, 41943040, 524288", "256, 61, 4497408, 41943040, 1",
        "256, 36, 73728, 41943040, 524288", "3, 80, 2621440, 65536, 1", "5, 1, 100, 100, 7", "7, 3, 10, 4, 100"})
    void shouldCutEveryLayerOfEveryPageOnceIntoChunksThatFit(
        final int pages, final int layers, final long pageBytes, final long slotBytes, final long leastBytes)
    {
        final long layerBytes = (pageBytes + layers - 1) / layers;
        schedule.cut(pages, layers, 0, pageBytes, layerBytes, slotBytes, leastBytes);
        assertCut(pages, layers, pageBytes, slotBytes);

        schedule.cutByLayers(pages, layers, layerBytes, slotBytes, 4);
        assertCut(pages, layers, pageBytes, slotBytes);
        for (int i = 1; i < schedule.count(); i++)
        {
            assertThat(schedule.firstUnit(i)).isGreaterThanOrEqualTo(schedule.firstUnit(i - 1));
        }
    }

    @ParameterizedTest
    @CsvSource({"64, 8", "10, 8", "1, 8"})
    void shouldCutEverSmallerTowardsTheEnd(final int pages, final int slotPages)
    {
        schedule.cut(pages, 36, 0, 4718592, 131072, slotPages * 4718592L, 512 << 10);

        long previous = Long.MAX_VALUE;
        for (int i = 0; i < schedule.count(); i++)
        {
            final long bytes = schedule.pages(i) * schedule.units(i) * 131072L;
            assertThat(bytes).isLessThanOrEqualTo(previous);
            previous = bytes;
        }
        assertThat(previous).isLessThanOrEqualTo(512 << 10);
    }

    @Test
    void shouldCutNothingThatIsSmallOrNotAtTheEndInHalves()
    {
        schedule.cut(64, 72, 0, 73728, 1024, 80 << 20, 8 << 20);
        assertThat(schedule.count()).isEqualTo(1);
        schedule.cut(40, 72, 0, 4718592, 65536, 17 * 4718592L, Long.MAX_VALUE);
        assertThat(schedule.count()).isEqualTo(3);
        assertThat(schedule.pages(2)).isEqualTo(6);
    }

    @ParameterizedTest
    @CsvSource({"1, 8", "10, 8", "10, 1", "64, 200"})
    void shouldLeaveOutTheLastFragmentsOfTheLastPage(final int pages, final int slotPages)
    {
        schedule.cut(pages, 72, 30, 4718592, 65536, slotPages * 4718592L, 64 << 20);

        final int last = schedule.count() - 1;
        assertThat(schedule.firstPage(last)).isEqualTo(pages - 1);
        assertThat(schedule.pages(last)).isEqualTo(1);
        assertThat(schedule.firstUnit(last) + schedule.units(last)).isEqualTo(42);
        assertThat(schedule.count() < 2 || schedule.units(0) == 72).isTrue();
    }

    private void assertCut(final int pages, final int layers, final long pageBytes, final long slotBytes)
    {
        final int[] seen = new int[pages * layers];
        final long layerBytes = (pageBytes + layers - 1) / layers;
        for (int i = 0; i < schedule.count(); i++)
        {
            assertThat(schedule.pages(i) * schedule.units(i) * layerBytes)
                .isLessThanOrEqualTo(Math.max(slotBytes, layerBytes));
            for (int page = schedule.firstPage(i); page < schedule.firstPage(i) + schedule.pages(i); page++)
            {
                for (int layer = schedule.firstUnit(i); layer < schedule.firstUnit(i) + schedule.units(i); layer++)
                {
                    seen[page * layers + layer]++;
                }
            }
        }
        assertThat(seen).containsOnly(1);
    }
}
