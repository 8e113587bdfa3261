package io.fluxon.tools.bench.window;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fluxon.ipc.client.core.KeyBatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

@Timeout(120)
class WindowBenchTest
{
    private static final int WORKERS = 8;
    private static final int KEYS = 16;
    private static final int BURSTS = 2 * 3;

    @TempDir
    Path directory;

    @Test
    @Tag("G6")
    @Tag("G9")
    void shouldAskForTheKeysOfAllWorkersWithFewerMessagesWhenTheyShareThem() throws Exception
    {
        final WindowReport report = WindowBench.run(
            new WindowBenchSettings(2, 3, KEYS, WORKERS, List.of(KeyOrder.values())),
            new PrintStream(OutputStream.nullOutputStream()));
        final Path json = directory.resolve("report.json");
        report.writeJson(json);

        final JsonNode rows = new ObjectMapper().readTree(json.toFile()).get("rows");
        assertThat(rows).hasSize(6).allSatisfy((row) ->
        {
            assertThat(row.get("requests").asInt()).isEqualTo(BURSTS * WORKERS);
            assertThat(row.get("keys").asInt()).isEqualTo(BURSTS * KEYS);
            assertThat(row.get("p50_us").asDouble()).isPositive().isLessThanOrEqualTo(row.get("p90_us").asDouble());
            assertThat(row.get("p90_ratio").asDouble()).isPositive();
        });
        assertThat(rows).filteredOn((row) -> !"apart".equals(row.get("order").asText())).allSatisfy((row) ->
            assertThat(row.get("messages").asInt()).isEqualTo(BURSTS));
        final JsonNode shared = rows.get(4);
        final JsonNode alone = rows.get(5);
        assertThat(shared.get("window_us").asInt()).isEqualTo(200);
        assertThat(alone.get("window_us").asInt()).isZero();
        assertThat(alone.get("messages").asInt()).isEqualTo(BURSTS * WORKERS);
        assertThat(shared.get("messages").asInt()).isLessThanOrEqualTo(BURSTS * WORKERS / 2);
        assertThat(report.text()).contains("8 workers of one owner", "p90 of none", "turned");
    }

    @Test
    void shouldAskForEveryKeyInEachOrder()
    {
        final KeyBatch batch = new KeyBatch(KEYS, 1_000);
        for (final KeyOrder order : KeyOrder.values())
        {
            final Set<String> asked = new HashSet<>();
            for (int worker = 0; worker < WORKERS; worker++)
            {
                order.fill(batch, 100, KEYS, worker, WORKERS);
                assertThat(batch.size()).isEqualTo(KeyOrder.APART == order ? KEYS / WORKERS : KEYS);
                for (int i = 0; i < batch.size(); i++)
                {
                    asked.add(batch.key(i));
                    assertThat(batch.key(i)).isEqualTo(KeyOrder.key(order.number(100, KEYS, worker, WORKERS, i)));
                }
            }
            assertThat(asked).containsExactlyInAnyOrderElementsOf(
                IntStream.range(100, 100 + KEYS).mapToObj(KeyOrder::key).toList());
        }
    }
}
