package io.fluxon.tools.bench.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fluxon.engine.config.IdleStrategyName;
import io.fluxon.engine.transfer.ucx.UcxLibrary;
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
    void shouldMeasureFetchesThatNeedNoMoreSubmissionsThanPeers() throws Exception
    {
        final TransferReport report = TransferBench.run(
            new TransferBenchSettings(1, 7, 100_001, PEERS, IdleStrategyName.BACKOFF, true),
            new PrintStream(OutputStream.nullOutputStream()));
        final Path json = directory.resolve("report.json");
        report.writeJson(json);

        final JsonNode rows = new ObjectMapper().readTree(json.toFile()).get("rows");
        assertThat(rows).hasSize(5).allSatisfy((row) ->
        {
            assertThat(row.get("mib_per_second").asDouble()).isPositive();
            assertThat(row.get("of_ucp_get").asDouble()).isPositive();
        });
        assertThat(rows).filteredOn((row) -> "fetch".equals(row.get("op").asText())).hasSize(2).allSatisfy((row) ->
            assertThat(row.get("submissions").asLong()).isBetween(1L, (long) PEERS));
        assertThat(report.text()).contains("loopback of this machine (as asked for)", "ucx_perftest ucp_get");
    }
}
