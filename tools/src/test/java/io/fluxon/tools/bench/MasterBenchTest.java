package io.fluxon.tools.bench;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.agrona.concurrent.UnsafeBuffer;

import static org.assertj.core.api.Assertions.assertThat;

class MasterBenchTest
{
    private static final BenchSettings SETTINGS =
        new BenchSettings(List.of(2_000L), List.of(1, 16), List.of(2), 2, 0.1, "backoff", 8192);

    @Test
    void shouldMeasureEveryOperationOfARealMaster(@TempDir final Path directory) throws IOException
    {
        final BenchResult result = MasterBench.run(SETTINGS, new PrintStream(OutputStream.nullOutputStream()));
        final List<BenchRow> rows = result.rows();

        assertThat(rows).extracting(BenchRow::operation).containsExactly(
            "echo_reserve", "echo_publish", "echo_get_start", "echo_get_done",
            "echo_reserve", "echo_publish", "echo_get_start", "echo_get_done",
            "reserve", "publish", "get_start", "get_done",
            "reserve", "publish", "get_start", "get_done");
        assertThat(rows).allSatisfy((row) ->
        {
            assertThat(row.keysPerSecond()).isPositive();
            assertThat(row.p50Us()).isPositive().isLessThanOrEqualTo(row.p99Us());
        });
        assertThat(rows.getLast().bytesPerKey()).isBetween(256.0, 2_000.0);

        final Path json = directory.resolve("rows.json");
        BenchReport.writeJson(result, json);
        assertThat(Files.readString(json)).contains(
            "\"rows\"", "\"op\" : \"publish\"", "\"keys_per_second\"", "\"p50_us\"", "\"p99_us\"", "\"p999_us\"",
            "\"bytes_per_key\"", "\"cycles_over_1ms\"", "\"cpu_cycles_over_1ms\"", "\"phase\" : \"fill\"");
        assertThat(result.cycles()).extracting(BenchResult.CycleCount::phase)
            .containsExactly("fill", "measured", "other");
        assertThat(result.cycles()).allSatisfy((count) ->
            assertThat(count.longCpuCycles()).isNotNegative());
    }

    @Test
    void shouldComeToEveryNumberOnceBeforeItRepeatsOne()
    {
        for (final long bound : new long[]{1, 2, 1_000, 10_007})
        {
            final KeyCursor walk = KeyCursor.scattered(bound, bound / 2);
            final KeyCursor batch = KeyCursor.inOrder(0, 1);
            final Set<Long> numbers = new HashSet<>();
            for (long left = bound; left > 0; left -= batch.count())
            {
                batch.take(walk, (int) Math.min(left, 7));
                for (int i = 0; i < batch.count(); i++)
                {
                    assertThat(numbers.add(batch.number(i))).isTrue();
                }
            }
            assertThat(numbers).hasSize((int) bound).allMatch((number) -> number >= 0 && number < bound);
        }
    }

    @Test
    void shouldMakeDifferentKeysOfDifferentNumbers()
    {
        final UnsafeBuffer key = new UnsafeBuffer(new byte[BenchKey.LENGTH]);
        final Set<String> keys = new HashSet<>();
        for (int i = 0; i < 10_000; i++)
        {
            BenchKey.write(key, 0, i);
            assertThat(keys.add(key.getStringWithoutLengthAscii(0, BenchKey.LENGTH))).isTrue();
        }
        assertThat(keys).allMatch((text) -> text.matches("model-[a-z0-9:-]*x*[0-9a-f]{16}"));
    }
}
