package io.fluxon.sim.check;

import io.fluxon.codecs.control.SessionCloseDecoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import java.util.ArrayList;
import java.util.List;

/**
 * As long as a worker can read a page, its slot stays in its use and its bytes stay where they are (S2, SLOT-7),
 * however long that takes (GET-3): until the worker gives its views back, closes its session, or its process is gone.
 */
@Watches({"GET-3", "S2", "SLOT-7", "ID-1"})
final class ReadablePages implements Checker
{
    private final Checks checks;
    private final List<ReadAttempt> reading = new ArrayList<>();

    ReadablePages(final Checks checks)
    {
        this.checks = checks;
    }

    @Override
    public void onReadable(final ReadAttempt get)
    {
        final OwnerWatch owner = checks.of(get.owner);
        get.slots = new int[get.get.count()];
        get.uses = new long[get.slots.length];
        for (int i = 0; i < get.slots.length; i++)
        {
            final long offset = get.get.valueAddress(i) - get.owner.segment().addressOffset();
            get.slots[i] = owner.slotAt(offset);
            get.uses[i] = SlotTable.NONE == get.slots[i] ? 0 : owner.table().useCounter(get.slots[i]);
        }
        reading.add(get);
        check(owner, get);
    }

    @Override
    public void onViewsGone(final ReadAttempt get)
    {
        check(checks.of(get.owner), get);
        reading.remove(get);
    }

    @Override
    public void onSent(final Message message)
    {
        if (message.isFromWorker() && SessionCloseDecoder.TEMPLATE_ID == message.templateId())
        {
            reading.removeIf((get) -> get.worker == message.from());
        }
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        for (int i = 0; i < reading.size() && owner.changedCount() > 0; i++)
        {
            check(owner, reading.get(i));
        }
    }

    @Override
    public void full()
    {
        reading.removeIf((get) -> get.worker.isDead() || get.owner.isDead());
    }

    private static void check(final OwnerWatch owner, final ReadAttempt get)
    {
        if (owner.owner() != get.owner || get.owner.isDead() || get.worker.isDead())
        {
            return;
        }
        for (int i = 0; i < get.slots.length; i++)
        {
            final int slotId = get.slots[i];
            if (SlotTable.NONE == slotId)
            {
                throw new Violation("S2", get + ": page " + i + " is no slot of its owner");
            }
            final SlotState state = owner.table().state(slotId);
            if (owner.table().useCounter(slotId) != get.uses[i] || 0 == owner.table().holderCount(slotId))
            {
                throw new Violation("GET-3", owner.describe(slotId) + ": is being read in use " + get.uses[i] + " by " +
                    get);
            }
            if (SlotState.PENDING_LOCAL_VISIBLE != state && SlotState.COMMITTED != state)
            {
                throw new Violation("S2", owner.describe(slotId) + ": is being read by " + get);
            }
            if (!get.names[i].equals(owner.key(slotId)))
            {
                throw new Violation("ID-1", owner.describe(slotId) + ": is read as " + get.names[i] + " by " + get);
            }
        }
    }
}
