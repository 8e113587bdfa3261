package io.fluxon.tools.bench.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class EvictionBenchTest
{
    private static final EvictionBenchSettings SETTINGS = new EvictionBenchSettings(3, 64, 16, 64 << 10);

    @TempDir
    private Path directory;

    @Test
    @Tag("HOT-1")
    void shouldEvictAsMuchAsIsPutIntoTheFullPoolAndNothingFromTheEmptyOne() throws IOException
    {
        final EvictionReport report =
            EvictionBench.run(SETTINGS, new PrintStream(OutputStream.nullOutputStream()));

        assertThat(report.rows()).extracting(EvictionRow::source).containsExactly(VictimSource.values());
        for (final EvictionRow row : report.rows())
        {
            assertThat(row.emptySelected()).isZero();
            assertThat(row.freed()).isBetween(2L * row.pages(), 4L * row.pages() + 128);
            assertThat(row.freeP50Ns()).isPositive().isLessThanOrEqualTo(row.freeP99Ns());
            assertThat(row.ratio()).isBetween(0.002, 50.0);
        }
        assertThat(report.rows().getFirst().freed()).isBetween(3L * 64 - 16, 3L * 64 + 16);
        assertThat(report.isValid()).isTrue();
        assertThat(report.text()).contains("full / empty, victims of the window: ");

        final Path file = directory.resolve("eviction.json");
        report.writeJson(file);
        final JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.get("evicted").asLong()).isEqualTo(report.rows().getFirst().freed());
        assertThat(json.get("ratio").asDouble()).isPositive();
        assertThat(json.get("rows").get(2).get("victims_by").asText()).isEqualTo("demotion");
        assertThat(json.get("rows").get(2).get("copied_first").asLong()).isPositive();
        assertThat(json.get("rows").get(1).get("pressure_steps").asLong()).isPositive();
    }

    @Test
    void shouldLeaveTheEmptyPoolRoomForAllThatIsPut()
    {
        final EvictionBenchSettings large = new EvictionBenchSettings(20, 512, 16, 64 << 10);

        assertThat(large.capacityBytes() % EvictionBenchSettings.quantumBytes()).isZero();
        assertThat(large.pagesOfPool() * 0.98).isGreaterThan(4 * 20 * 512);
    }

    @Test
    void shouldNotBeValidWhenThePoolsAreNotWhatTheyAreToBe()
    {
        final double[] rates = { 2, 2, 2 };

        assertThat(row(VictimSource.WINDOW, rates, 192, 0, 1, 0).isValid()).isFalse();
        assertThat(row(VictimSource.WINDOW, rates, 12, 0, 0, 0).isValid()).isFalse();
        assertThat(row(VictimSource.WINDOW, rates, 192, 9, 0, 0).isValid()).isFalse();
        assertThat(row(VictimSource.PRESSURE, rates, 192, 0, 0, 0).isValid()).isFalse();
        assertThat(row(VictimSource.DEMOTION, rates, 192, 0, 0, 0).isValid()).isFalse();
        assertThat(row(VictimSource.DEMOTION, rates, 192, 90, 0, 0).isValid()).isTrue();
        assertThat(row(VictimSource.WINDOW, new double[] { 1, 1, 9 }, 192, 0, 0, 0).ratio()).isEqualTo(0.5);
    }

    private static EvictionRow row(
        final VictimSource source,
        final double[] fullRates,
        final long freed,
        final long copied,
        final long emptySelected,
        final long pressureSteps)
    {
        return new EvictionRow(
            source, 64, fullRates, new double[] { 2, 2, 2 }, freed, copied, emptySelected, pressureSteps, 1, 1);
    }
}
