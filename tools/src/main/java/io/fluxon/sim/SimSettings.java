package io.fluxon.sim;

import io.fluxon.sim.shrink.Regressions;
import java.nio.file.Path;
import java.util.Set;

/**
 * What the command line asks for.
 *
 * @param plan          seeds to run, null = none.
 * @param scenario      file to run, null = none.
 * @param isRegressions run all that once broke a rule?
 * @param isTeeth       plant faults, and see that they are found?
 * @param faults        names of those to plant, empty = all.
 * @param trace         file for the trace of the one run, null = none.
 * @param json          file for the report, null = none.
 * @param shrinkSeconds for the first seed that broke a rule, for each rule; 0 = none.
 * @param threads       that run seeds.
 * @param root          folder of the project.
 */
record SimSettings(
    SeedPlan plan,
    Path scenario,
    boolean isRegressions,
    boolean isTeeth,
    Set<String> faults,
    Path trace,
    Path json,
    int shrinkSeconds,
    int threads,
    Path root)
{
    Path regressions()
    {
        return root.resolve(Regressions.FOLDER);
    }
}
