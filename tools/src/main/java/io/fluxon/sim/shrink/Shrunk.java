package io.fluxon.sim.shrink;

import io.fluxon.sim.cluster.ChoiceLog;
import io.fluxon.sim.run.RunResult;

/**
 * How far the shrinker came.
 *
 * @param choices       that are left.
 * @param result        of the run with them, which breaks the same rule.
 * @param choicesBefore number of choices of the run that was shrunk.
 * @param first         result of that run.
 * @param runs          that were tried.
 * @param isMinimal     true when no step made it smaller any more; false when the time or the runs were used up before.
 */
public record Shrunk(
    ChoiceLog choices, RunResult result, int choicesBefore, RunResult first, int runs, boolean isMinimal)
{
}
