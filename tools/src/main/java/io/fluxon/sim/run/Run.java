package io.fluxon.sim.run;

import io.fluxon.sim.check.Checks;
import io.fluxon.sim.check.QuietCheck;
import io.fluxon.sim.check.RouteCheck;
import io.fluxon.sim.check.Violation;
import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.cluster.VirtualCluster;
import io.fluxon.sim.cluster.VirtualOwner;
import io.fluxon.sim.cluster.VirtualProcess;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The course of one run: work under faults; then the faults stop, a part of the processes is healed, and what is
 * outstanding there must come to an end; then all are healed, everything must come to its end, and nothing may be left.
 */
final class Run
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long LONGEST_NS = 120 * SECOND_NS;
    private static final long MOST_STEPS = 300_000;
    private static final int FULL_CHECK_EVERY = 128;
    private static final long CORE_DEADLINE_NS = 30 * SECOND_NS;
    private static final long DEADLINE_NS = 60 * SECOND_NS;

    private final List<WorkerLoad> loads = new ArrayList<>();
    private final Choices choices;
    private final Consumer<VirtualCluster> watcher;
    private final Swarm swarm;
    private VirtualCluster cluster;
    private Checks checks;
    private RunState state;
    private Weather weather;
    private Mishaps mishaps;
    private Rudeness rudeness;
    private Closes closes;
    private int workersStarted;

    Run(final Choices choices, final Consumer<VirtualCluster> watcher)
    {
        this.choices = choices;
        this.watcher = watcher;
        swarm = new Swarm(choices);
    }

    RunResult run()
    {
        Throwable failure = null;
        cluster = new VirtualCluster(swarm.options, this::watch);
        try (VirtualCluster closing = cluster)
        {
            try
            {
                begin();
                work();
                healCore();
                healAll();
                end();
            }
            catch (final Exception | AssertionError ex)
            {
                failure = ex;
            }
            return new RunResult(
                failure,
                closing.finalDigest(),
                state.operations(),
                1 + closing.allOwners().size() + workersStarted,
                closing.steps(),
                closing.clock().nanoTime(),
                closing.faults(),
                Branches.of(closing));
        }
    }

    private void watch(final VirtualCluster started)
    {
        checks = new Checks(started, FULL_CHECK_EVERY);
        watcher.accept(started);
    }

    private void begin()
    {
        state = new RunState(swarm, cluster, checks);
        weather = new Weather(cluster, swarm.faultRate);
        rudeness = new Rudeness(cluster, swarm.rudeRate);
        mishaps = new Mishaps(cluster, swarm.mishaps, swarm.mishapNs);
        closes = new Closes(cluster);
        for (final VirtualWorker worker : cluster.workers())
        {
            loads.add(new WorkerLoad(worker, state));
            workersStarted++;
        }
    }

    private void work()
    {
        final long deadlineNs = state.nowNs() + LONGEST_NS;
        while (state.mayBegin() && state.nowNs() < deadlineNs && cluster.steps() < MOST_STEPS)
        {
            weather.tend();
            mishaps.tend();
            rudeness.tend();
            closes.tend(loads);
            replaceWorkers();
            cluster.step(Math.min(mishaps.nextNs(), closes.nextNs()));
        }
        state.stop();
    }

    /** Faults stop; some processes may stay away. What the others can end by themselves must end. */
    private void healCore()
    {
        weather.end();
        final Choices.Stream stream = choices.stream("core");
        final List<VirtualProcess> core = new ArrayList<>();
        final List<VirtualProcess> all = new ArrayList<>(cluster.owners());
        all.addAll(cluster.workers());
        all.add(cluster.master());
        for (final VirtualProcess process : all)
        {
            if (!stream.chance(0.3))
            {
                core.add(process);
            }
        }
        mishaps.heal(core);
        await(CORE_DEADLINE_NS, "with some processes away", () -> loads.stream()
            .filter((load) -> isServed(load))
            .allMatch((load) -> load.isQuiet(true)));
    }

    private static boolean isServed(final WorkerLoad load)
    {
        final VirtualOwner owner = load.worker.owner();
        return !load.worker.isDead() && !load.worker.isPaused() && !owner.isDead() && !owner.isPaused();
    }

    private void healAll()
    {
        final List<VirtualProcess> all = new ArrayList<>(cluster.allOwners());
        all.addAll(cluster.workers());
        all.add(cluster.master());
        mishaps.heal(all);
        await(DEADLINE_NS, "with all processes there", () -> loads.stream().allMatch((load) ->
            load.isQuiet(false)));
    }

    private void end()
    {
        closes.killUntold();
        rest();
        await(DEADLINE_NS, "after a rest", () -> loads.stream().allMatch((load) -> load.isQuiet(false)));
        new Comeback(state).check();
        closes.end(loads);
        QuietCheck.check(cluster);
        RouteCheck.check(cluster);
        checks.atQuiet();
    }

    /** Time passes until nothing lives that ends by time; who has lost its owner notices, and comes again. */
    private void rest()
    {
        final long endNs = state.nowNs() + Swarm.LONGEST_TTL_NS;
        while (state.nowNs() < endNs)
        {
            replaceWorkers();
            cluster.step(endNs);
        }
    }

    private void await(final long timeoutNs, final String when, final BooleanSupplier isQuiet)
    {
        final long deadlineNs = state.nowNs() + timeoutNs;
        while (!isQuiet.getAsBoolean())
        {
            Violation.unless(state.nowNs() < deadlineNs, "LIFE-1", "%s, after %d s still: %s",
                when, timeoutNs / SECOND_NS,
                loads.stream().map(WorkerLoad::describe).collect(Collectors.joining("; ")));
            replaceWorkers();
            cluster.step(deadlineNs);
        }
    }

    /** Others come in the place of workers whose session or process has ended, and of those that hang. */
    private void replaceWorkers()
    {
        for (int i = 0; i < loads.size(); i++)
        {
            final WorkerLoad load = loads.get(i);
            final VirtualOwner owner = cluster.owner(i % cluster.owners().size());
            if (load.isHung())
            {
                load.worker.kill();
            }
            if (!owner.isDead() && closes.isReplaced(load))
            {
                loads.set(i, new WorkerLoad(closes.replace(load, i, owner), state));
                workersStarted++;
            }
        }
    }
}
