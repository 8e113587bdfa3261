package io.fluxon.sim.check;

import io.fluxon.engine.owner.RegistrationRefusedException;

/**
 * A core never reports a broken invariant: any transition or release that is not allowed is a bug (SLOT-2).
 */
@Watches("SLOT-2")
final class OwnerErrors implements Checker
{
    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        if (owner.owner().errors().isEmpty())
        {
            return;
        }
        for (final Throwable error : owner.owner().errors())
        {
            if (!(error instanceof RegistrationRefusedException))
            {
                final Violation violation = new Violation("SLOT-2", owner + " reports " + error);
                violation.initCause(error);
                throw violation;
            }
        }
    }
}
