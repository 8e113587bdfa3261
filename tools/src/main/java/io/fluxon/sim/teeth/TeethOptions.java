package io.fluxon.sim.teeth;

import java.nio.file.Path;
import java.util.Set;

/**
 * What is to be planted and how long it may take.
 *
 * @param root         of the project, with the sources.
 * @param catalogue    directory with the faults.
 * @param only         names of the faults to plant, empty = all.
 * @param seeds        at most, of each fault, from 1.
 * @param probeSeeds   at least, of the run that counts how often the places of the faults are reached; it goes on to
 *                     {@code seeds} while one is not reached.
 * @param faultSeconds at most, of each fault, wall clock.
 * @param threads      that run faults.
 */
public record TeethOptions(
    Path root, Path catalogue, Set<String> only, int seeds, int probeSeeds, int faultSeconds, int threads)
{
    /** Where the faults are, from the root of the project. */
    public static final String CATALOGUE = "tools/src/test/teeth";
    private static final int SEEDS = 2_000;
    private static final int PROBE_SEEDS = 200;
    private static final int FAULT_SECONDS = 600;

    /**
     * Everything, as the build asks for it.
     *
     * @param root of the project.
     * @return the options.
     */
    public static TeethOptions of(final Path root)
    {
        return new TeethOptions(root, root.resolve(CATALOGUE), Set.of(), SEEDS, PROBE_SEEDS, FAULT_SECONDS,
            Runtime.getRuntime().availableProcessors());
    }

    /**
     * With some faults only.
     *
     * @param names of the faults.
     * @return changed options.
     */
    public TeethOptions only(final Set<String> names)
    {
        return new TeethOptions(root, catalogue, names, seeds, probeSeeds, faultSeconds, threads);
    }

    /**
     * With another number of seeds.
     *
     * @param newSeeds      at most, of each fault.
     * @param newProbeSeeds at least, of the run that counts.
     * @return changed options.
     */
    public TeethOptions seeds(final int newSeeds, final int newProbeSeeds)
    {
        return new TeethOptions(root, catalogue, only, newSeeds, newProbeSeeds, faultSeconds, threads);
    }
}
