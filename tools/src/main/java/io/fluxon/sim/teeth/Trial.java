package io.fluxon.sim.teeth;

import io.fluxon.sim.check.Violation;
import io.fluxon.sim.run.Simulation;

import java.util.Map;
import java.util.function.LongFunction;

/**
 * Runs seeds of the simulator with the classes of its own loader. What it says is made of classes that all loaders
 * share.
 */
public final class Trial implements LongFunction<Map.Entry<String, String>>
{
    /** For the loader. */
    public Trial()
    {
    }

    /**
     * Runs a seed.
     *
     * @param seed of the run.
     * @return null when all is well, else the rule that was broken (for failures that name none, the kind of the
     * failure) and what was seen.
     */
    @Override
    public Map.Entry<String, String> apply(final long seed)
    {
        final Throwable failure = failure(seed);
        return switch (failure)
        {
            case null -> null;
            case final Violation violation -> Map.entry(violation.rule(), violation.getMessage());
            default -> Map.entry(failure.getClass().getSimpleName(), String.valueOf(failure.getMessage()));
        };
    }

    private static Throwable failure(final long seed)
    {
        try
        {
            return Simulation.run(seed).failure();
        }
        catch (final RuntimeException | Error ex)
        {
            return ex;
        }
    }

    /**
     * Makes one whose classes are partly changed.
     *
     * @param changed bytes of the changed classes by name.
     * @return the trial.
     */
    @SuppressWarnings("unchecked")
    static LongFunction<Map.Entry<String, String>> with(final Map<String, byte[]> changed)
    {
        try
        {
            return (LongFunction<Map.Entry<String, String>>)new PlantedLoader(changed)
                .loadClass(Trial.class.getName()).getConstructor().newInstance();
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new TeethException("planted classes cannot be loaded: " + ex);
        }
    }
}
