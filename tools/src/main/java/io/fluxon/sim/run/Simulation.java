package io.fluxon.sim.run;

import io.fluxon.sim.cluster.Choices;
import io.fluxon.sim.cluster.VirtualCluster;
import java.util.function.Consumer;

/**
 * One run of a whole cluster: everything that happens in it follows from its choices.
 */
public final class Simulation
{
    private Simulation()
    {
    }

    /**
     * Runs a seed.
     *
     * @param seed of all choices.
     * @return what came of it; never throws.
     */
    public static RunResult run(final long seed)
    {
        return run(Choices.ofSeed(seed));
    }

    /**
     * Runs with given choices.
     *
     * @param choices fresh ones.
     * @return what came of it; never throws.
     */
    public static RunResult run(final Choices choices)
    {
        return run(choices, (cluster) -> {});
    }

    /**
     * Runs with given choices, watched.
     *
     * @param choices fresh ones.
     * @param watcher gets the cluster before anything has happened in it, to observe it.
     * @return what came of it; never throws.
     */
    public static RunResult run(final Choices choices, final Consumer<VirtualCluster> watcher)
    {
        return new Run(choices, watcher).run();
    }
}
