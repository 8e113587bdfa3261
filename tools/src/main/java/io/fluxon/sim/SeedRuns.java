package io.fluxon.sim;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.fluxon.sim.cluster.ChoiceLog;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.run.RunResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs many seeds, each on one thread. Every seed that was begun is run to its end; one that does not come to it is a
 * failure, too.
 */
final class SeedRuns
{
    private static final long PROGRESS_MS = 5_000;
    private static final long HANG_NS = 600_000_000_000L;

    private final SimTotals totals = new SimTotals();
    private final AtomicLong begun = new AtomicLong();
    private final List<Lane> lanes = new ArrayList<>();
    private final Function<Choices, RunResult> simulation;
    private final SeedPlan plan;
    private final CountDownLatch running;
    private final long startNs = System.nanoTime();
    private volatile boolean isStopped;

    /** One thread and what it runs now. */
    private final class Lane
    {
        private volatile long seed;
        private volatile long seedStartNs;
        private volatile boolean isBusy;

        void run()
        {
            long number = next();
            while (number >= 0)
            {
                seed = plan.firstSeed() + number;
                seedStartNs = System.nanoTime();
                isBusy = true;
                guarded(seed, number < plan.repeated());
                isBusy = false;
                number = next();
            }
            running.countDown();
        }

        boolean isHung()
        {
            return isBusy && System.nanoTime() - seedStartNs > HANG_NS;
        }
    }

    SeedRuns(final Function<Choices, RunResult> simulation, final SeedPlan plan)
    {
        this.simulation = simulation;
        this.plan = plan;
        running = new CountDownLatch(plan.threads());
    }

    /**
     * Runs the seeds.
     *
     * @param progress is told every few seconds what there is so far.
     * @return what came of all.
     */
    SimTotals run(final Consumer<SimTotals> progress)
    {
        for (int i = 0; i < plan.threads(); i++)
        {
            final Lane lane = new Lane();
            lanes.add(lane);
            Thread.ofPlatform().name("sim-" + i).daemon().start(lane::run);
        }
        while (!isOver())
        {
            progress.accept(totals);
        }
        return totals;
    }

    /** Time since the beginning, in nanoseconds. */
    long elapsedNs()
    {
        return System.nanoTime() - startNs;
    }

    private boolean isOver()
    {
        try
        {
            final boolean isOver = running.await(PROGRESS_MS, MILLISECONDS);
            final List<Lane> hung = lanes.stream().filter(Lane::isHung).toList();
            hung.forEach((lane) -> totals.add(new FailedSeed(
                lane.seed, FailedSeed.HANG, "the run did not end within " + HANG_NS / 1_000_000_000L + " s")));
            isStopped |= !hung.isEmpty();
            return isOver || !hung.isEmpty();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            isStopped = true;
            return true;
        }
    }

    private long next()
    {
        if (isStopped || plan.maxNs() > 0 && elapsedNs() >= plan.maxNs())
        {
            return -1;
        }
        final long number = begun.getAndIncrement();
        return 0 == plan.seeds() || number < plan.seeds() ? number : -1;
    }

    /** An error that the simulation does not take for a failure of the run, as want of memory, ends no thread. */
    private void guarded(final long seed, final boolean isRepeated)
    {
        try
        {
            runSeed(seed, isRepeated);
        }
        catch (final Throwable ex)
        {
            totals.add(new FailedSeed(seed, ex.getClass().getSimpleName(), String.valueOf(ex.getMessage())));
        }
    }

    private void runSeed(final long seed, final boolean isRepeated)
    {
        if (!isRepeated)
        {
            totals.add(seed, simulation.apply(Choices.ofSeed(seed)));
            return;
        }
        final ChoiceLog log = new ChoiceLog();
        final RunResult result = simulation.apply(Choices.ofSeed(seed, log));
        final RunResult again = simulation.apply(Choices.ofSeed(seed));
        final RunResult replayed = simulation.apply(Choices.of(log));
        totals.add(seed, result);
        if (result.digest() == again.digest() && result.digest() == replayed.digest())
        {
            totals.addRepeated();
        }
        else
        {
            totals.add(new FailedSeed(seed, FailedSeed.SAME_RUN, String.format(
                "digests of the seed, of the seed again, and of its choices: %016x, %016x, %016x",
                result.digest(), again.digest(), replayed.digest())));
        }
    }
}
