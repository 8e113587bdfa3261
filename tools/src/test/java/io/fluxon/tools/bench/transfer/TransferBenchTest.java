package io.fluxon.tools.bench.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fluxon.engine.config.IdleStrategyName;
import io.fluxon.engine.transfer.ucx.UcxLibrary;
import io.fluxon.tools.bench.Target;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;

@Timeout(120)
class TransferBenchTest
{
    private static final int PEERS = 2;
    /** More than an owner's core offers in one duty cycle. */
    private static final int PAGES = 150;
    private static final int PAGE_BYTES = 10_001;

    @TempDir
    Path directory;

    @BeforeEach
    void lookForUcx()
    {
        final String problem = null == UcxPerftest.missing() ? UcxLibrary.load() : UcxPerftest.missing();
        if (null != problem)
        {
            System.out.println("skipped TransferBenchTest: " + problem);
        }
        assumeTrue(null == problem, problem);
    }

    @Test
    @Tag("G8")
    @Tag("CRC-1")
    void shouldMeasureFetchesOfOneSubmissionForEachPeerAndAllTheirChecksums() throws Exception
    {
        final TransferReport report = TransferBench.run(
            new TransferBenchSettings(1, PAGES, PAGE_BYTES, PEERS, IdleStrategyName.BACKOFF, true),
            new PrintStream(OutputStream.nullOutputStream()));
        final Path json = directory.resolve("report.json");
        report.writeJson(json);

        final JsonNode rows = new ObjectMapper().readTree(json.toFile()).get("rows");
        assertThat(rows).hasSize(6).allSatisfy((row) ->
        {
            assertThat(row.get("mib_per_second").asDouble()).isPositive();
            assertThat(row.get("of_ucp_get").asDouble()).isPositive();
        });
        assertThat(rows).filteredOn((row) -> "fetch".equals(row.get("op").asText())).hasSize(2).allSatisfy((row) ->
        {
            assertThat(row.get("submissions").asInt()).isEqualTo(PEERS);
            assertThat(row.get("checksum_bytes").asInt()).isEqualTo(
                "on".equals(row.get("checksum").asText()) ? PAGES * PAGE_BYTES : 0);
        });
        assertThat(rows).filteredOn((row) -> "get".equals(row.get("op").asText())).hasSize(1).allSatisfy((row) ->
        {
            assertThat(row.get("submissions").asInt()).isEqualTo(PEERS);
            assertThat(row.get("checksum_bytes").asInt()).isEqualTo(PAGES * PAGE_BYTES);
        });
        assertThat(report.targets()).filteredOn((target) -> target.name().endsWith("submissions"))
            .hasSize(3).allMatch(Target::isReached);
        assertThat(report.text()).contains("loopback of this machine (as asked for)", "ucx_perftest ucp_get");
    }
}
