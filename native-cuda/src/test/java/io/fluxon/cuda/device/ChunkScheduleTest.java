package io.fluxon.cuda.device;

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
        schedule.cut(pages, layers, pageBytes, layerBytes, slotBytes, leastBytes);
        assertCut(pages, layers, pageBytes, slotBytes);

        schedule.cutByLayers(pages, layers, layerBytes, slotBytes, 4);
        assertCut(pages, layers, pageBytes, slotBytes);
        for (int i = 1; i < schedule.count(); i++)
        {
            assertThat(schedule.firstLayer(i)).isGreaterThanOrEqualTo(schedule.firstLayer(i - 1));
        }
    }

    @ParameterizedTest
    @CsvSource({"64, 8", "10, 8", "1, 8"})
    void shouldCutEverSmallerTowardsTheEnd(final int pages, final int slotPages)
    {
        schedule.cut(pages, 36, 4718592, 131072, slotPages * 4718592L, 512 << 10);

        long previous = Long.MAX_VALUE;
        for (int i = 0; i < schedule.count(); i++)
        {
            final long bytes = schedule.pages(i) * schedule.layers(i) * 131072L;
            assertThat(bytes).isLessThanOrEqualTo(previous);
            previous = bytes;
        }
        assertThat(previous).isLessThanOrEqualTo(512 << 10);
    }

    private void assertCut(final int pages, final int layers, final long pageBytes, final long slotBytes)
    {
        final int[] seen = new int[pages * layers];
        final long layerBytes = (pageBytes + layers - 1) / layers;
        for (int i = 0; i < schedule.count(); i++)
        {
            assertThat(schedule.pages(i) * schedule.layers(i) * layerBytes)
                .isLessThanOrEqualTo(Math.max(slotBytes, layerBytes));
            for (int page = schedule.firstPage(i); page < schedule.firstPage(i) + schedule.pages(i); page++)
            {
                for (int layer = schedule.firstLayer(i); layer < schedule.firstLayer(i) + schedule.layers(i); layer++)
                {
                    seen[page * layers + layer]++;
                }
            }
        }
        assertThat(seen).containsOnly(1);
    }
}
