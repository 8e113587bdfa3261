package io.fluxon.sim.shrink;

import io.fluxon.sim.cluster.ChoiceLog;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.run.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The runs that once broke a rule.
 */
public final class Regressions
{
    /** Where they are, from the root of the project. */
    public static final String FOLDER = "tools/src/test/resources/io/fluxon/sim/regressions";

    private static final double LEAST_SHARE = 0.5;

    /**
     * What came of one of them.
     *
     * @param file     with the scenario.
     * @param scenario in it.
     * @param result   of its run.
     * @param made     number of its choices that the run came to.
     */
    public record Outcome(Path file, Scenario scenario, RunResult result, int made)
    {
        /**
         * Share of the choices that the run came to: how much the scenario still says.
         *
         * @return 0 to 1.
         */
        public double share()
        {
            final int all = scenario.choices().choices().size();
            return 0 == all ? 1 : (double)made / all;
        }

        /**
         * A run that comes to fewer than half of the choices is hardly the one that once broke a rule.
         *
         * @return what is to be done, empty while the scenario says enough.
         */
        public Optional<String> staleness()
        {
            return share() >= LEAST_SHARE ? Optional.empty() : Optional.of(String.format(
                "%s is stale: its run comes to %d of its %d choices. Take the mending of %s back for a moment, run " +
                "scripts/sim to find the case anew, put its scenario in the place of this one, or delete this one if " +
                "another test holds the case.",
                file.getFileName(), made, scenario.choices().choices().size(), scenario.rule()));
        }
    }

    private Regressions()
    {
    }

    /**
     * Scenario files of a folder.
     *
     * @param folder to look in.
     * @return the files, by name.
     * @throws ScenarioException if the folder cannot be read.
     */
    public static List<Path> files(final Path folder)
    {
        try (Stream<Path> files = Files.list(folder))
        {
            return files.filter((file) -> file.toString().endsWith(Scenario.SUFFIX)).sorted().toList();
        }
        catch (final IOException ex)
        {
            throw new ScenarioException(folder + " cannot be read: " + ex);
        }
    }

    /**
     * Runs a scenario.
     *
     * @param file       with it.
     * @param simulation runs choices.
     * @return what came of it.
     * @throws ScenarioException if the file is no scenario.
     */
    public static Outcome run(final Path file, final Function<Choices, RunResult> simulation)
    {
        final Scenario scenario = ScenarioReader.read(file);
        final ChoiceLog made = new ChoiceLog();
        final RunResult result = simulation.apply(Choices.of(scenario.choices(), made));
        return new Outcome(file, scenario, result, made.choices().size());
    }
}
