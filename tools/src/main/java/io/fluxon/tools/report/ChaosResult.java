package io.fluxon.tools.report;

/**
 * What happened around a process that was killed during the run.
 *
 * @param killed        processes that were killed.
 * @param rejoined      of them: processes that were started again and served a request.
 * @param secondsToZero from the kill until all temporary state was seen at zero; negative if it was not.
 * @param limitSeconds  that this may take, by the liveness timeouts of the cluster.
 */
public record ChaosResult(int killed, int rejoined, double secondsToZero, double limitSeconds)
{
    /**
     * Did everything heal?
     *
     * @return true if it did.
     */
    public boolean isHealed()
    {
        return killed == rejoined && secondsToZero >= 0 && secondsToZero <= limitSeconds;
    }
}
