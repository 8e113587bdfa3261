package io.fluxon.tools.demo;

import io.fluxon.tools.replay.Disturbance;
import io.fluxon.tools.report.ChaosResult;

/**
 * A process that is killed or stopped in the middle of a run.
 */
interface ChaosEvent extends Disturbance
{
    /** Did the others go on while the process was away? */
    boolean haveOthersGoneOn();

    /** What happened. */
    ChaosResult result();
}
