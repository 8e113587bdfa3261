package io.fluxon.sim;

import static java.util.Locale.ROOT;

import io.fluxon.sim.cluster.ChoiceLog;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.run.RunResult;
import io.fluxon.sim.run.Simulation;
import io.fluxon.sim.shrink.Regressions;
import io.fluxon.sim.shrink.Scenario;
import io.fluxon.sim.shrink.ScenarioReader;
import io.fluxon.sim.shrink.ScenarioWriter;
import io.fluxon.sim.shrink.ShrinkLimits;
import io.fluxon.sim.shrink.Shrinker;
import io.fluxon.sim.shrink.Shrunk;
import io.fluxon.sim.teeth.Teeth;
import io.fluxon.sim.teeth.TeethOptions;
import io.fluxon.sim.teeth.TeethReport;
import io.fluxon.sim.trace.RunTrace;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Does what {@link SimSettings} ask for.
 */
final class Sim
{
    private static final int MAX_RUNS = 1_000_000;
    private static final int TRACE_LINES = 60;
    private static final Pattern BEATS = Pattern.compile(" (KeepAlive|Heartbeat|HeartbeatAck) ");
    private static final int PERCENT = 100;
    private static final double NS_OF_SECOND = 1e9;

    private final Function<Choices, RunResult> simulation = Simulation::run;
    private final SimSettings settings;
    private final PrintStream out;
    private final PrintStream progress;

    Sim(final SimSettings settings, final PrintStream out, final PrintStream progress)
    {
        this.settings = settings;
        this.out = out;
        this.progress = progress;
    }

    /**
     * Does it.
     *
     * @return whether every rule held.
     * @throws IOException if a file cannot be written.
     */
    boolean run() throws IOException
    {
        boolean isGood = true;
        if (settings.isRegressions())
        {
            isGood &= runRegressions();
        }
        if (null != settings.scenario())
        {
            isGood &= runScenario();
        }
        if (null != settings.plan())
        {
            isGood &= runSeeds();
        }
        if (settings.isTeeth())
        {
            isGood &= runTeeth();
        }
        return isGood;
    }

    private boolean runSeeds() throws IOException
    {
        final SeedPlan plan = settings.plan();
        if (null != settings.trace())
        {
            trace(Choices.ofSeed(plan.firstSeed()));
        }
        final SeedRuns runs = new SeedRuns(simulation, plan);
        final Set<Long> told = new HashSet<>();
        final SimTotals totals = runs.run((sofar) ->
        {
            sofar.failed().stream().filter((failed) -> told.add(failed.seed())).map(SimReport::line)
                .forEach(progress::println);
            progress.println(SimReport.progress(sofar, runs.elapsedNs()));
        });
        final SimReport report = new SimReport(totals, runs.elapsedNs());
        out.print(report.text());
        if (null != settings.json())
        {
            report.writeJson(settings.json());
        }
        final Set<String> rules = new HashSet<>();
        for (final FailedSeed failed : totals.failed())
        {
            if (rules.add(failed.rule()) && failed.isReplayable() && settings.shrinkSeconds() > 0)
            {
                shrink(failed);
            }
        }
        return totals.failed().isEmpty();
    }

    private void shrink(final FailedSeed failed) throws IOException
    {
        final String seed = Long.toUnsignedString(failed.seed());
        out.printf("%nseed %s broke %s; to see it: scripts/sim --seed %s --trace FILE%n", seed, failed.rule(), seed);
        out.printf("shrinking it, for %d s at most ...%n", settings.shrinkSeconds());
        final ChoiceLog log = new ChoiceLog();
        simulation.apply(Choices.ofSeed(failed.seed(), log));
        final ShrinkLimits limits = new ShrinkLimits(
            settings.threads(), MAX_RUNS, (long)(settings.shrinkSeconds() * NS_OF_SECOND));
        final long startNs = System.nanoTime();
        try
        {
            final Shrunk shrunk = new Shrinker(simulation, log, failed.rule(), limits).shrink();
            keep(failed, shrunk, (System.nanoTime() - startNs) / NS_OF_SECOND);
        }
        catch (final IllegalArgumentException ex)
        {
            out.println("cannot be shrunk: " + ex.getMessage());
        }
    }

    private void keep(final FailedSeed failed, final Shrunk shrunk, final double seconds) throws IOException
    {
        out.printf(ROOT, "choices %,d -> %,d, operations %,d -> %,d, steps %,d -> %,d; %,d runs in %.1f s, %s%n",
            shrunk.choicesBefore(), shrunk.choices().choices().size(),
            shrunk.first().operations(), shrunk.result().operations(),
            shrunk.first().steps(), shrunk.result().steps(),
            shrunk.runs(), seconds,
            shrunk.isMinimal() ? "no step makes it smaller" : "the time was up");
        final Scenario scenario = new Scenario(
            shrunk.result().rule(), failed.seed(), shrunk.result().failure().getMessage(), shrunk.choices());
        final Path file = Path.of(scenario.fileName());
        ScenarioWriter.write(scenario, file);
        out.printf("written: %s; move it to %s, and every build runs it%n", file, Regressions.FOLDER);
        final List<String> lines = RunTrace.linesOf(Choices.of(scenario.choices()));
        lines.removeIf((line) -> BEATS.matcher(line).find());
        out.printf(ROOT, "the end of its trace, without beats; all of it: scripts/sim --scenario %s --trace FILE%n",
            file);
        lines.stream().skip(Math.max(0, lines.size() - TRACE_LINES)).forEach((line) -> out.println("  " + line));
    }

    private boolean runScenario() throws IOException
    {
        if (null != settings.trace())
        {
            trace(Choices.of(ScenarioReader.read(settings.scenario()).choices()));
        }
        return run(settings.scenario());
    }

    private boolean runRegressions()
    {
        final List<Path> files = Regressions.files(settings.regressions());
        int bad = 0;
        for (final Path file : files)
        {
            bad += run(file) ? 0 : 1;
        }
        out.printf(ROOT, "%,d regressions, %,d violations%n", files.size(), bad);
        return 0 == bad;
    }

    private boolean run(final Path file)
    {
        final Regressions.Outcome outcome = Regressions.run(file, simulation);
        final RunResult result = outcome.result();
        out.printf(ROOT, "%s: %s; %,d operations, %,d steps, came to %.0f %% of its choices; once: %s%n",
            file.getFileName(),
            result.isGood() ? "good" : "BROKE " + result.rule() + ": " + result.failure().getMessage(),
            result.operations(), result.steps(), PERCENT * outcome.share(), outcome.scenario().shows());
        outcome.staleness().ifPresent(out::println);
        return result.isGood() && outcome.staleness().isEmpty();
    }

    private boolean runTeeth() throws IOException
    {
        final TeethReport report = Teeth.run(TeethOptions.of(settings.root()).only(settings.faults()), out);
        out.println();
        out.print(report.table());
        if (null != settings.json())
        {
            report.writeJson(settings.json());
        }
        return report.isGood();
    }

    private void trace(final Choices choices) throws IOException
    {
        try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(settings.trace())))
        {
            RunTrace.write(choices, writer::println);
        }
        out.println("trace written: " + settings.trace());
    }
}
