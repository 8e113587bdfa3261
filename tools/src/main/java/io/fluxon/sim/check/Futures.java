package io.fluxon.sim.check;

/**
 * Every call has an end (API-8): when all is quiet, each put of a worker that lives has its results or has failed,
 * once.
 */
@Watches("API-8")
final class Futures implements Checker
{
    private final Checks checks;

    Futures(final Checks checks)
    {
        this.checks = checks;
    }

    @Override
    public void atQuiet()
    {
        long attempt = 0;
        for (PutAttempt put = checks.ledger().putOf(0); null != put; put = checks.ledger().putOf(attempt))
        {
            if (!put.worker.isDead() && !put.worker.client().isReleased() && PutAttempt.Stage.ENDED != put.stage &&
                PutAttempt.Stage.ABANDONED != put.stage && !put.plan.isReusable())
            {
                throw new Violation("API-8", put + ": has no end");
            }
            attempt = put.first + put.count();
        }
    }
}
