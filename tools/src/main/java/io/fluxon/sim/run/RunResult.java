package io.fluxon.sim.run;

import io.fluxon.sim.check.Violation;
import io.fluxon.sim.cluster.FaultTally;
import java.util.Map;

/**
 * What came of one run.
 *
 * @param failure    null when every rule held; a {@link Violation}, or what else ended the run.
 * @param digest     of everything that happened, in order.
 * @param operations puts, gets and other calls that workers began.
 * @param processes  master, owners and workers, all generations.
 * @param steps      duty cycles of all processes.
 * @param virtualNs  time that passed in the run, in nanoseconds.
 * @param faults     what was done to the cluster.
 * @param branches   how often each rare branch was reached, by name.
 */
public record RunResult(
    Throwable failure,
    long digest,
    int operations,
    int processes,
    long steps,
    long virtualNs,
    FaultTally faults,
    Map<String, Long> branches)
{
    /**
     * Did every rule hold?
     *
     * @return true when there was no failure.
     */
    public boolean isGood()
    {
        return null == failure;
    }

    /**
     * The rule that did not hold.
     *
     * @return its name in the contract, or the name of the exception that ended the run; null when the run was good.
     */
    public String rule()
    {
        return switch (failure)
        {
            case null -> null;
            case Violation violation -> violation.rule();
            default -> failure.getClass().getSimpleName();
        };
    }
}
