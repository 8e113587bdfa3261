package io.fluxon.tools.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.fluxon.engine.master.MasterCounter;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.ErrorCode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonReportTest
{
    private final RunReport report = new RunReport();

    @TempDir
    private Path directory;

    @Test
    void shouldWriteStableNames() throws IOException
    {
        final JsonNode json = write();

        assertThat(names(json)).containsExactly("requests", "failed", "seconds", "requests_per_second", "pages",
            "verified_bytes", "corrupt_pages", "latency_us", "control", "errors", "leftover", "balance");
        assertThat(names(json.get("pages")))
            .containsExactly("requested", "hit", "hit_local", "hit_remote", "missed", "written");
        assertThat(names(json.get("latency_us"))).containsExactly(
            "put_start", "put_commit_local", "put_commit_global", "get_start", "get_transfer", "release");
        assertThat(names(json.get("latency_us").get("release")))
            .containsExactly("count", "p50", "p90", "p99", "p999", "max");
        assertThat(names(json.get("control")))
            .containsExactly("batch_get_start", "batch_get_done", "descriptors", "submissions", "retries");
        assertThat(names(json.get("leftover"))).containsExactly("prepared", "pending", "quarantined", "flights",
            "handles", "plans", "holdings", "reservations", "fences");
        assertThat(names(json.get("balance"))).containsExactly("ok", "checks");
    }

    @Test
    void shouldWriteWhatWasCounted() throws IOException
    {
        report.onRequest(ErrorCode.OK);
        report.onRequest(ErrorCode.GET_TIMEOUT);
        report.seconds(0.5);
        report.pages().requested = 10;
        report.pages().hit = 6;
        report.pages().hitRemote = 2;
        report.pages().written = 3;
        report.pages().verifiedBytes = 24_576;
        report.latencies().record(Operation.GET_START, 1_500);
        report.control(new ControlCounts(1, 2, 3, 4, 5));
        report.leftover(new Leftover(1, 2, 3, 4, 5, 6, 7, 8, 9));
        report.balance().check("a = b", 3, 4);

        final JsonNode json = write();

        assertThat(json.get("failed").asInt()).isEqualTo(1);
        assertThat(json.get("requests_per_second").asDouble()).isEqualTo(4);
        assertThat(json.get("pages").get("hit_local").asInt()).isEqualTo(4);
        assertThat(json.get("pages").get("missed").asInt()).isEqualTo(4);
        assertThat(json.get("verified_bytes").asLong()).isEqualTo(24_576);
        assertThat(json.get("latency_us").get("get_start").get("count").asInt()).isEqualTo(1);
        assertThat(json.get("latency_us").get("get_start").get("p50").asDouble()).isBetween(1.49, 1.51);
        assertThat(json.get("control").get("retries").asInt()).isEqualTo(5);
        assertThat(json.get("errors").get("116").asInt()).isEqualTo(1);
        assertThat(json.get("leftover").get("fences").asInt()).isEqualTo(9);
        assertThat(json.get("balance").get("ok").asBoolean()).isFalse();
        assertThat(json.get("balance").get("checks").get(0).toString())
            .isEqualTo("{\"name\":\"a = b\",\"left\":3,\"right\":4}");
    }

    @Test
    void shouldWriteDelayAndChaosOnlyWhereThereWereSome() throws IOException
    {
        assertThat(write().has("delay")).isFalse();
        report.delay(new DelayResult(1.01, 1.02, 1.03, 0.99));
        report.chaos(new ChaosResult(1, 1, 1.25, 6));

        final JsonNode json = write();

        assertThat(names(json.get("delay"))).containsExactly(
            "put_start_p50_ratio", "put_commit_local_p50_ratio", "get_start_p50_ratio", "throughput_ratio");
        assertThat(json.get("delay").get("throughput_ratio").asDouble()).isEqualTo(0.99);
        assertThat(names(json.get("chaos"))).containsExactly("killed", "rejoined", "seconds_to_zero");
        assertThat(json.get("chaos").get("seconds_to_zero").asDouble()).isEqualTo(1.25);
    }

    @Test
    void shouldWriteCapacityAndLedgerOnlyWhereAStoreWasFilled() throws IOException
    {
        assertThat(write().has("capacity")).isFalse();
        fill(report, true);
        final RunReport without = new RunReport();
        fill(without, false);
        report.withoutDemotion(without);

        final JsonNode json = write();

        assertThat(json.get("capacity").toString()).isEqualTo("{\"configured_bytes\":100,\"usable_slot_bytes\":80," +
            "\"held_bytes\":38,\"held_once_bytes\":36,\"free_bytes\":42}");
        assertThat(json.get("ledger").toString()).isEqualTo("{\"selected\":21,\"in_progress\":1,\"in_retry\":2," +
            "\"freed\":3,\"restored\":7,\"obsolete\":8}");
        assertThat(json.get("pressure").get("held_once_of_usable").asDouble()).isEqualTo(0.45);
        assertThat(json.get("pressure").get("held_once_of_gpu_usable").asDouble()).isEqualTo(0.9);
        assertThat(json.get("pressure").get("puts_per_second").asDouble()).isEqualTo(250);
        assertThat(json.get("pressure").get("hit_rate").asDouble()).isEqualTo(0.4);
        assertThat(json.get("pressure").get("remote_hit_rate").asDouble()).isEqualTo(0.1);
        assertThat(json.get("pressure").get("selected_to_free_us_p99").asDouble()).isEqualTo(2.5);
        assertThat(names(json.get("replicas"))).containsExactly("wished", "demoted", "made");
        assertThat(json.get("replicas").get("made").get("targeted").asLong())
            .isEqualTo(1_000 + MasterCounter.REPLICA_PAGES_TARGETED.ordinal());
        assertThat(json.get("replicas").get("demoted").get("done").asLong())
            .isEqualTo(OwnerCounter.DEMOTION_PAGES_DONE.ordinal());
        assertThat(json.get("without_demotion").get("pressure").get("hit_rate").asDouble()).isEqualTo(0.4);
        assertThat(report.ledger().accounted()).isEqualTo(report.ledger().selected());
    }

    @Test
    void shouldShowTheVerdictInText()
    {
        report.balance().check("a = b", 3, 4);

        assertThat(TextReport.format(report))
            .contains("balance: NOT ok, 1 checks")
            .contains("FAILED\n  out of balance: a = b: 3 and 4\n");
    }

    @Test
    void shouldShowRunsWithAndWithoutDemotionInOneTable()
    {
        fill(report, true);
        final RunReport without = new RunReport();
        fill(without, false);
        without.balance().check("c = d", 5, 6);
        report.withoutDemotion(without);

        assertThat(TextReport.format(report)).containsSubsequence(
            "copies of pages evicted", "full store", "with demotion", "without demotion",
            "without demotion: out of balance: c = d");
    }

    private static void fill(final RunReport run, final boolean isDemoting)
    {
        run.pressure(new FullPeriod(3, 2, 1000, 400, 100, 500), new CapacityResult(100, 80, 40, 38, 36, 42),
            new LedgerResult(21, 1, 2, 3, 7, 8, 1_500, 2_500),
            ReplicaFigures.of(Enum::ordinal, (counter) -> 1_000 + counter.ordinal()), 4096, isDemoting);
    }

    private JsonNode write() throws IOException
    {
        final Path file = directory.resolve("report.json");
        JsonReport.write(report, file);
        return new ObjectMapper().readTree(file.toFile());
    }

    private static List<String> names(final JsonNode node)
    {
        final List<String> names = new ArrayList<>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }
}
