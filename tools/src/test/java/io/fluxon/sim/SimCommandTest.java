package io.fluxon.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.fluxon.sim.cluster.ChoiceLog;
import io.fluxon.sim.shrink.Scenario;
import io.fluxon.sim.shrink.ScenarioWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SimCommandTest
{
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--seed x|'x' is not a seed: a number from 0 to 18446744073709551615, or 0x and up to 16 digits",
        "--seed -1|'-1' is not a seed",
        "--first 0x10000000000000000|'0x10000000000000000' is not a seed",
        "--seeds 0|--seeds must be from 1 to 1000000000, is 0",
        "--seeds x|'x' is not an int",
        "--seconds 0|--seconds must be from 1 to 1000000, is 0",
        "--threads 0|--threads must be from 1 to 1024, is 0",
        "--shrink-seconds -1|--shrink-seconds must be from 0 to 1000000, is -1",
        "--trace x|--trace needs one run: --seed or --scenario",
        "--seed 1 --trace /no/such/folder/x|--trace: /no/such/folder/x cannot be written",
        "--json /no/such/folder/x|--json: /no/such/folder/x cannot be written",
        "--scenario /no/such/file|--scenario: /no/such/file: no such file",
        "--seed 1 --seeds 2|exclude each other",
        "--seed 1 --regressions|exclude each other",
        "--teeth --seconds 3|exclude each other",
        "--fault x|--fault needs --teeth",
        "--teeth --fault x|there is no fault of the name x in",
        "--regressions --json x|--json is for seeds and --teeth",
        "--regressions --first 3|--regressions with --first needs --seeds or --seconds",
        "--nothing|Unknown option: '--nothing'",
        "seed|Unmatched argument"
    })
    void shouldRefuseWrongUsageWithCodeTwo(final String arguments, final String message)
    {
        final StringWriter err = new StringWriter();

        assertThat(execute(err, arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(message);
    }

    @Test
    void shouldRefuseAFileThatIsNoScenario() throws IOException
    {
        final Path file = Files.writeString(directory.resolve("x.scenario"), "rubbish\n");
        final StringWriter err = new StringWriter();

        assertThat(execute(err, "--scenario", file.toString())).isEqualTo(2);
        assertThat(err.toString()).contains(file + ":1: is 'rubbish', allowed: 'fluxon-scenario 1'");
    }

    @Test
    void shouldWriteTheSameReportForTheSameSeedsWithAnyNumberOfThreads() throws IOException
    {
        final Map<String, String> one = run("--seeds", "3", "--first", "0x10", "--threads", "1");
        final Map<String, String> two = run("--seeds", "3", "--first", "16", "--threads", "2");

        assertThat(two).isEqualTo(one);
        assertThat(one).containsKeys(
            "seeds", "operations", "median_operations", "steps", "virtual_seconds", "violations", "faults", "branches",
            "digest", "message_lost", "clock_jump", "owner_joins");
        assertThat(one).containsEntry("seeds", "3").containsEntry("violations", "0");
    }

    @Test
    void shouldBeTheSameRunInAnotherProcess() throws IOException, InterruptedException
    {
        final Path json = directory.resolve("other.json");
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "@" + Path.of(System.getProperty("fluxon.root", ".."), "config", "jvm.flags"),
            "-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=4", "-Xmx512m",
            "-cp", System.getProperty("java.class.path"), SimCommand.class.getName()));
        final String[] seeds = {"--seeds", "2", "--first", "5", "--threads", "1"};
        command.addAll(List.of(seeds));
        command.addAll(List.of("--json", json.toString()));

        final Process process = new ProcessBuilder(command)
            .redirectErrorStream(true).redirectOutput(directory.resolve("out").toFile()).start();

        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(read(json)).isEqualTo(run(seeds));
    }

    @Test
    void shouldWriteATraceOfASeedAndOfAScenario() throws IOException
    {
        final Path trace = directory.resolve("trace");
        assertThat(execute(new StringWriter(), "--seed", "2", "--trace", trace.toString())).isZero();
        assertHolds(trace, " sent  owner-1.1000 > master RegisterRequest ");
        assertHolds(trace, " got   master > owner-1.1000 RegisterResponse ");
        assertHolds(trace, " call  put of worker-0 ");
        assertHolds(trace, " good: every rule held");

        final ChoiceLog choices = ChoiceLog.of(List.of(new ChoiceLog.Choice("swarm", 1, 1)));
        final Scenario scenario = new Scenario("A1", 1, "x", choices);
        final Path file = directory.resolve(scenario.fileName());
        ScenarioWriter.write(scenario, file);
        assertThat(execute(
            new StringWriter(), "--scenario", file.toString(), "--trace", trace.toString())).isZero();
        assertHolds(trace, " sent  owner-2.1001 > master RegisterRequest ");
        assertHolds(trace, " good: every rule held");
    }

    private static void assertHolds(final Path trace, final String text) throws IOException
    {
        try (Stream<String> lines = Files.lines(trace))
        {
            assertThat(lines.anyMatch((line) -> line.contains(text))).as("%s", text).isTrue();
        }
    }

    private Map<String, String> run(final String... seeds) throws IOException
    {
        final Path json = directory.resolve("run.json");
        final List<String> arguments = new ArrayList<>(List.of(seeds));
        arguments.addAll(List.of("--json", json.toString()));
        final StringWriter err = new StringWriter();
        assertThat(execute(err, arguments.toArray(new String[0]))).as("%s", err).isZero();
        return read(json);
    }

    private static Map<String, String> read(final Path json) throws IOException
    {
        final Map<String, String> fields = new LinkedHashMap<>();
        try (JsonParser parser = new JsonFactory().createParser(json.toFile()))
        {
            while (null != parser.nextToken())
            {
                if (JsonToken.FIELD_NAME == parser.currentToken())
                {
                    final String name = parser.currentName();
                    fields.put(name, parser.nextToken().isScalarValue() ? parser.getText() : "");
                }
            }
        }
        return fields;
    }

    private static int execute(final StringWriter err, final String... arguments)
    {
        final CommandLine commandLine = SimCommand.commandLine();
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }
}
