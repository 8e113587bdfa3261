package io.fluxon.sim.shrink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxon.sim.cluster.ChoiceLog;
import io.fluxon.sim.run.Simulation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

class RegressionsTest
{
    private static final Path ROOT = Path.of(System.getProperty("fluxon.root", ".."));

    @TempDir
    private Path directory;

    @TestFactory
    Stream<DynamicTest> shouldKeepTheRulesThatWereOnceBroken()
    {
        return Regressions.files(ROOT.resolve(Regressions.FOLDER)).stream().map((file) ->
            DynamicTest.dynamicTest(file.getFileName().toString(), () -> shouldKeepTheRules(file)));
    }

    private static void shouldKeepTheRules(final Path file)
    {
        final Regressions.Outcome outcome = Regressions.run(file, Simulation::run);

        assertThat(outcome.result().failure()).as("%s", file).isNull();
        assertThat(outcome.staleness()).isEmpty();
    }

    @Test
    void shouldRefuseAScenarioWhoseRunComesToFewOfItsChoices() throws IOException
    {
        final Scenario scenario = new Scenario("A1", 1, "x", ChoiceLog.of(List.of(
            new ChoiceLog.Choice("swarm", 0, 1),
            new ChoiceLog.Choice("a stream that no run has", 0, 1),
            new ChoiceLog.Choice("a stream that no run has", 1, 1))));
        final Path file = directory.resolve(scenario.fileName());
        ScenarioWriter.write(scenario, file);

        assertThat(Regressions.run(file, Simulation::run).staleness()).get().asString()
            .contains(scenario.fileName(), "1 of its 3 choices", "find the case anew");
        assertThatThrownBy(() -> shouldKeepTheRules(file)).isInstanceOf(AssertionError.class)
            .hasMessageContaining("find the case anew");
    }

    @Test
    void shouldSayHowManyOfItsChoicesARunComesTo() throws IOException
    {
        final Scenario scenario = new Scenario("A1", 1, "x", ChoiceLog.of(List.of(
            new ChoiceLog.Choice("swarm", 0, 1), new ChoiceLog.Choice("a stream that no run has", 0, 1))));
        final Path file = directory.resolve(scenario.fileName());
        ScenarioWriter.write(scenario, file);

        final Regressions.Outcome outcome = Regressions.run(file, Simulation::run);

        assertThat(outcome.result().failure()).isNull();
        assertThat(outcome.share()).isEqualTo(0.5);
        assertThat(outcome.staleness()).isEmpty();
        assertThat(Regressions.files(directory)).containsExactly(file);
    }
}
