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

        assertThat(report.emptySelected()).isZero();
        assertThat(report.freed()).isBetween(3L * 64 - 16, 3L * 64 + 16);
        assertThat(report.isValid()).isTrue();
        assertThat(report.freeP50Ns()).isPositive().isLessThanOrEqualTo(report.freeP99Ns());
        assertThat(report.ratio()).isBetween(0.02, 50.0);
        assertThat(report.text()).contains("full / empty, medians of the rounds: ");

        final Path file = directory.resolve("eviction.json");
        report.writeJson(file);
        final JsonNode json = new ObjectMapper().readTree(file.toFile());
        assertThat(json.get("evicted").asLong()).isEqualTo(report.freed());
        assertThat(json.get("ratio").asDouble()).isPositive();
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

        assertThat(new EvictionReport(SETTINGS, rates, rates, 192, 1, 0, 1, 1).isValid()).isFalse();
        assertThat(new EvictionReport(SETTINGS, rates, rates, 12, 0, 0, 1, 1).isValid()).isFalse();
        assertThat(new EvictionReport(SETTINGS, new double[] { 1, 1, 9 }, rates, 192, 0, 0, 1, 1).ratio())
            .isEqualTo(0.5);
    }
}
