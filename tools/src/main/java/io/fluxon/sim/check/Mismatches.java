package io.fluxon.sim.check;

import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.sim.cluster.FaultKind;

/**
 * A checksum only finds what is wrong (CRC-1): values that do not match are those that a transfer has torn, or whose
 * source was given up meanwhile.
 */
@Watches("CRC-1")
final class Mismatches implements Checker
{
    private final Checks checks;
    private long givenUp;

    Mismatches(final Checks checks)
    {
        this.checks = checks;
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        for (int i = 0; i < owner.changedCount(); i++)
        {
            givenUp += SlotState.COMMITTED == owner.stateBefore(owner.changed(i)) ? 1 : 0;
        }
    }

    @Override
    public void full()
    {
        long mismatches = 0;
        for (final OwnerWatch owner : checks.owners())
        {
            mismatches += owner.owner().get(OwnerCounter.CHECKSUM_MISMATCHES);
        }
        final long torn = checks.cluster().faults().get(FaultKind.TRANSFER_TORN);
        if (mismatches > torn + givenUp)
        {
            throw new Violation("CRC-1", mismatches + " values did not match their checksum; torn were " + torn +
                ", given up " + givenUp);
        }
    }
}
