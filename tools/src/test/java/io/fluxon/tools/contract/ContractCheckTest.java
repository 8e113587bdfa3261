package io.fluxon.tools.contract;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ContractCheckTest
{
    @TempDir
    private Path root;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Map<String, List<String>> checkers =
        new TreeMap<>(Map.of("V1", List.of("LocalReady", "IndexEntries")));

    @BeforeEach
    void writeContract() throws IOException
    {
        write(
            "docs/contract.md",
            "# Contract",
            "**V1** visible (V2 says more).",
            "  **X9** is no rule here",
            "API-3: fails.");
        write("docs/contract-not-yet.txt", "# rule  reason", "API-3  errors come later");
    }

    @Test
    void shouldPassWhenEveryRuleIsTestedOrWaits() throws IOException
    {
        write("engine/target/contract/1.tsv", "V1\tPutTest.shouldHit\tpassed\t12");

        assertThat(check()).isZero();
        assertThat(lines()).containsExactly(
            "V1       passed",
            "         passed      12 ms  engine PutTest.shouldHit",
            "         watched by LocalReady, IndexEntries",
            "API-3    not yet: errors come later",
            "contract: 2 rules, 1 tested, 1 not yet, 0 missing, 1 watched by 2 checkers");
    }

    @Test
    void shouldFailWhenARuleHasNoTest() throws IOException
    {
        assertThat(check("--brief")).isOne();
        assertThat(lines()).containsExactly(
            "V1       MISSING",
            "         watched by LocalReady, IndexEntries",
            "contract: 2 rules, 0 tested, 1 not yet, 1 missing, 1 watched by 2 checkers");
    }

    @Test
    void shouldFailWhenARuleHasOnlySkippedTests() throws IOException
    {
        write("engine/target/contract/1.tsv", "V1\tPutTest.shouldHit\tskipped\t0");

        assertThat(check()).isOne();
        assertThat(lines()).last().isEqualTo(
            "contract: 2 rules, 0 tested, 1 not yet, 1 missing, 1 watched by 2 checkers");
    }

    @Test
    void shouldFailWhenATaggedTestFailed() throws IOException
    {
        write("engine/target/contract/1.tsv", "V1\tPutTest.shouldHit\tpassed\t1");
        write("ipc/target/contract/1.tsv", "V1\tViewTest.shouldSee\tfailed\t1");

        assertThat(check("--brief")).isOne();
        assertThat(lines()).containsExactly(
            "fault: V1 is broken: ipc ViewTest.shouldSee failed",
            "contract: 2 rules, 1 tested, 1 not yet, 0 missing, 1 watched by 2 checkers");
    }

    @Test
    void shouldSayWhenAWaitingRuleIsTestedEarly() throws IOException
    {
        write(
            "engine/target/contract/1.tsv",
            "V1\tPutTest.shouldHit\tpassed\t1",
            "API-3\tPutTest.shouldFail\tpassed\t1",
            "slow\tPutTest.shouldFail\tpassed\t1");

        assertThat(check()).isZero();
        assertThat(lines()).contains(
            "API-3    passed (tested early)",
            "contract: 2 rules, 2 tested, 0 not yet, 0 missing, 1 watched by 2 checkers");
    }

    @Test
    void shouldFailOnNamesThatTheContractDoesNotKnow() throws IOException
    {
        write("engine/target/contract/1.tsv", "V1\tPutTest.shouldHit\tpassed\t1", "V7\tPutTest.shouldHit\tpassed\t1");
        write("docs/contract-not-yet.txt", "API-3  later", "API-33  later");

        assertThat(check("--brief")).isOne();
        assertThat(lines()).containsExactly(
            "fault: engine PutTest.shouldHit is tagged with an unknown rule V7",
            "fault: the list of rules without a test yet names an unknown rule API-33",
            "contract: 2 rules, 1 tested, 1 not yet, 0 missing, 1 watched by 2 checkers");
    }

    @Test
    void shouldFailWhenACheckerWatchesARuleThatTheContractDoesNotKnow() throws IOException
    {
        write("engine/target/contract/1.tsv", "V1\tPutTest.shouldHit\tpassed\t1");
        checkers.put("V8", List.of("LocalReady"));

        assertThat(check("--brief")).isOne();
        assertThat(lines()).contains("fault: checkers LocalReady watch an unknown rule V8");
    }

    @Test
    void shouldKnowTheCheckersOfTheSimulator()
    {
        assertThat(ContractCheck.checkers().get("V3")).contains("Confirmations");
        assertThat(ContractCheck.checkers()).hasSizeGreaterThan(30);
    }

    @Test
    void shouldRefuseARuleStatedTwice() throws IOException
    {
        write("docs/contract.md", "**V1** visible.", "**V1** not visible.");

        assertThatThrownBy(this::check).hasMessageContaining("states rule V1 twice");
    }

    @Test
    void shouldRefuseWrongUsage() throws IOException
    {
        assertThat(ContractCheck.run(List.of("--brief"), checkers, stream(), stream())).isEqualTo(2);
    }

    private int check(final String... options) throws IOException
    {
        final List<String> args = new ArrayList<>(List.of(options));
        args.add(root.toString());
        return ContractCheck.run(args, checkers, stream(), stream());
    }

    private PrintStream stream()
    {
        return new PrintStream(out, true, StandardCharsets.UTF_8);
    }

    private List<String> lines()
    {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    private void write(final String path, final String... lines) throws IOException
    {
        final Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, List.of(lines));
    }
}
