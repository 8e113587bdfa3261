package io.fluxon.sim.check;

import io.fluxon.codecs.control.SessionCloseDecoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import java.util.ArrayList;
import java.util.List;

/**
 * As long as a worker's kernel can write to a slot, it is that put's and nobody else's (SLOT-7): from the start of a
 * put until its worker commits or gives up, closes its session, or its process is gone.
 */
@Watches("SLOT-7")
final class WritablePages implements Checker
{
    private final Checks checks;
    private final List<PutAttempt> writing = new ArrayList<>();

    WritablePages(final Checks checks)
    {
        this.checks = checks;
    }

    @Override
    public void onPutStarted(final PutAttempt put)
    {
        writing.add(put);
        check(checks.of(put.owner), put);
    }

    @Override
    public void onWritten(final PutAttempt put)
    {
        if (writing.remove(put))
        {
            check(checks.of(put.owner), put);
        }
    }

    @Override
    public void onSent(final Message message)
    {
        if (message.isFromWorker() && SessionCloseDecoder.TEMPLATE_ID == message.templateId())
        {
            writing.removeIf((put) -> put.worker == message.from());
        }
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        for (int i = 0; i < writing.size() && owner.changedCount() > 0; i++)
        {
            check(owner, writing.get(i));
        }
    }

    @Override
    public void full()
    {
        writing.removeIf((put) -> put.worker.isDead() || put.owner.isDead());
    }

    private static void check(final OwnerWatch owner, final PutAttempt put)
    {
        if (owner.owner() != put.owner || put.owner.isDead() || put.worker.isDead())
        {
            return;
        }
        for (int i = 0; i < put.count(); i++)
        {
            final int slotId = put.slots[i];
            if (SlotTable.NONE == slotId)
            {
                throw new Violation("SLOT-7", put + ": page " + i + " is no slot of its owner");
            }
            final SlotState state = owner.table().state(slotId);
            if (owner.table().useCounter(slotId) != put.uses[i] ||
                SlotState.PREPARED != state && SlotState.QUARANTINED != state)
            {
                throw new Violation("SLOT-7", owner.describe(slotId) + ": is being written in use " + put.uses[i] +
                    " by " + put);
            }
        }
    }
}
