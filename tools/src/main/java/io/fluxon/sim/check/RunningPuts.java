package io.fluxon.sim.check;

import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import org.agrona.collections.MutableLong;

/**
 * A put start that is refused leaves nothing (API-3): every slot that is being written, and every key that stands in
 * the way of others as being written, is one of a put that runs.
 */
@Watches("API-3")
final class RunningPuts implements Checker
{
    @Override
    public void full(final OwnerWatch owner)
    {
        final SlotTable table = owner.table();
        final MutableLong running = new MutableLong();
        owner.view().holders((kind, id, slotId) ->
        {
            final SlotState state = table.state(slotId);
            running.addAndGet(SlotState.PREPARED == state || SlotState.QUARANTINED == state ? 1 : 0);
        });
        final long entered = owner.view().inflightPuts();
        final long written = owner.pool().count(SlotState.PREPARED) + owner.pool().count(SlotState.QUARANTINED);
        if (entered != written || written != running.get())
        {
            throw new Violation("API-3", owner + ": " + written + " slots are being written, puts that run have " +
                running + ", and " + entered + " keys are refused as being written");
        }
    }
}
