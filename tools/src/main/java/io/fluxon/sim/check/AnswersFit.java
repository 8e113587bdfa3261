package io.fluxon.sim.check;

import io.fluxon.sim.cluster.VirtualWorker;

/**
 * No client has reason to refuse what its owner answers: results fit the batch and its groups, values lie in the
 * segment (API-6).
 */
@Watches("API-6")
final class AnswersFit implements Checker
{
    @Override
    public void afterWorker(final VirtualWorker worker)
    {
        if (worker.client().protocolErrors() > 0)
        {
            throw new Violation("API-6", worker + ": an answer of " + worker.owner() + " does not fit what was asked");
        }
    }
}
