package io.fluxon.sim;

import io.fluxon.sim.shrink.Regressions;
import io.fluxon.sim.shrink.ScenarioException;
import io.fluxon.sim.teeth.TeethException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code scripts/sim}: runs seeds of the simulator, shrinks what breaks a rule, replays, runs the regressions, and
 * plants faults.
 */
@Command(
    name = "scripts/sim",
    description =
        "Runs whole clusters of production code in virtual time under faults, one seed a run, and checks the rules " +
        "of the contract all along. A run that breaks a rule is shrunk to the few choices that it takes.%n" +
        "Exit code: 0 every rule held, 1 one was broken, 2 wrong usage.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class SimCommand implements Callable<Integer>
{
    private static final int DEFAULT_SECONDS = 60;
    private static final int MAX_SECONDS = 1_000_000;
    private static final int MAX_SEEDS = 1_000_000_000;
    private static final int MAX_THREADS = 1_024;
    private static final int REPEATED = 8;
    private static final long NS_OF_SECOND = 1_000_000_000L;

    @Option(names = "--seed", paramLabel = "S", converter = SeedConverter.class,
        description = "Runs this one seed: a decimal number, or 0x and hexadecimal digits.")
    private Long seed;

    @Option(names = "--scenario", paramLabel = "FILE", description = "Runs the scenario of this file.")
    private Path scenario;

    @Option(names = "--trace", paramLabel = "FILE",
        description = "With --seed or --scenario: writes down every message, fault and call of the run.")
    private Path trace;

    @Option(names = "--first", paramLabel = "S", converter = SeedConverter.class,
        description = "First of the seeds; the others follow it one by one. Default: 1.")
    private Long first;

    @Option(names = "--seeds", paramLabel = "N",
        description = "Number of seeds. Default: as many as there is time for.")
    private Integer seeds;

    @Option(names = "--seconds", paramLabel = "T",
        description = "No seed is begun after this time. Default: " + DEFAULT_SECONDS + ", with --seeds no limit.")
    private Integer seconds;

    @Option(names = "--threads", paramLabel = "N", description = "Threads. Default: one for each processor.")
    private Integer threads;

    @Option(names = "--shrink-seconds", paramLabel = "T", defaultValue = "60",
        description = "Time to shrink the first seed that broke a rule, for each rule; 0 = do not. " +
            "Default: ${DEFAULT-VALUE}.")
    private int shrinkSeconds;

    @Option(names = "--regressions",
        description = "Runs the scenarios in " + Regressions.FOLDER + "; then seeds, if --seeds or --seconds is given.")
    private boolean isRegressions;

    @Option(names = "--teeth",
        description = "Plants faults in the production code, and shows that the rules they break are found broken.")
    private boolean isTeeth;

    @Option(names = "--fault", paramLabel = "NAME",
        description = "With --teeth: plants only the fault of this name; may be given several times.")
    private List<String> faults;

    @Option(names = "--json", paramLabel = "FILE",
        description = "Writes the report as JSON, also if a rule was broken.")
    private Path json;

    @Spec
    private CommandSpec spec;

    private SimCommand()
    {
    }

    /**
     * Runs the command and exits with its code: 0 every rule held, 1 one was broken, 2 wrong usage.
     *
     * @param args of the command line.
     */
    public static void main(final String[] args)
    {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine()
    {
        return new CommandLine(new SimCommand());
    }

    @Override
    public Integer call() throws IOException
    {
        validate();
        final int lanes = null == threads ? Runtime.getRuntime().availableProcessors() : threads;
        final SimSettings settings = new SimSettings(
            plan(lanes),
            scenario,
            isRegressions,
            isTeeth,
            null == faults ? Set.of() : Set.copyOf(faults),
            trace,
            json,
            shrinkSeconds,
            lanes,
            Path.of(System.getProperty("fluxon.root", "")));
        try
        {
            return new Sim(settings, System.out, System.err).run() ? 0 : 1;
        }
        catch (final ScenarioException | TeethException ex)
        {
            throw error(ex.getMessage());
        }
    }

    private SeedPlan plan(final int lanes)
    {
        if (null != seed)
        {
            return new SeedPlan(seed, 1, 0, 1, 1);
        }
        if (null != scenario || isTeeth || isRegressions && null == seeds && null == seconds)
        {
            return null;
        }
        final int limit = null != seconds ? seconds : null != seeds ? 0 : DEFAULT_SECONDS;
        return new SeedPlan(
            null == first ? 1 : first, null == seeds ? 0 : seeds, limit * NS_OF_SECOND, REPEATED, lanes);
    }

    private void validate()
    {
        range("--seeds", seeds, 1, MAX_SEEDS);
        range("--seconds", seconds, 1, MAX_SECONDS);
        range("--threads", threads, 1, MAX_THREADS);
        range("--shrink-seconds", shrinkSeconds, 0, MAX_SECONDS);
        final boolean isMany = null != first || null != seeds || null != seconds;
        final int kinds = (null != seed ? 1 : 0) + (null != scenario ? 1 : 0) + (isTeeth ? 1 : 0) +
            (isMany || isRegressions ? 1 : 0);
        if (kinds > 1)
        {
            throw error("--seed, --scenario, --teeth, and --regressions with --first, --seeds and --seconds, " +
                "exclude each other");
        }
        if (isRegressions && null != first && null == seeds && null == seconds)
        {
            throw error("--regressions with --first needs --seeds or --seconds");
        }
        if (null != faults && !isTeeth)
        {
            throw error("--fault needs --teeth");
        }
        if (null != trace && null == seed && null == scenario)
        {
            throw error("--trace needs one run: --seed or --scenario");
        }
        if (null != json && (null != scenario || isRegressions && null == seeds && null == seconds))
        {
            throw error("--json is for seeds and --teeth");
        }
        if (null != scenario && !Files.isReadable(scenario))
        {
            throw error("--scenario: " + scenario + (Files.exists(scenario) ? " cannot be read" : ": no such file"));
        }
        writable("--trace", trace);
        writable("--json", json);
    }

    private void range(final String option, final Integer value, final int least, final int most)
    {
        if (null != value && (value < least || value > most))
        {
            throw error(option + " must be from " + least + " to " + most + ", is " + value);
        }
    }

    private void writable(final String option, final Path file)
    {
        if (null != file)
        {
            final Path parent = file.toAbsolutePath().getParent();
            if (!(Files.exists(file) ? Files.isRegularFile(file) && Files.isWritable(file) :
                null != parent && Files.isWritable(parent)))
            {
                throw error(option + ": " + file + " cannot be written");
            }
        }
    }

    private ParameterException error(final String message)
    {
        return new ParameterException(spec.commandLine(), message);
    }
}
