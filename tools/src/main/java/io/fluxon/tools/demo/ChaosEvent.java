package io.fluxon.tools.demo;

import io.fluxon.tools.replay.Disturbance;
import io.fluxon.tools.report.ChaosResult;

/**
 * A process that is killed or stopped in the middle of a run.
 */
interface ChaosEvent extends Disturbance
{
    /** Requests of others that ended well while the process was away. */
    int survived();

    /** What happened. */
    ChaosResult result();
}
