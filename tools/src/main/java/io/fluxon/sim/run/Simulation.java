package io.fluxon.sim.run;

import io.fluxon.sim.cluster.Choices;

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
        return new Run(choices).run();
    }
}
