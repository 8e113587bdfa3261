package io.fluxon.sim.check;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import java.util.HashMap;
import java.util.Map;

/**
 * Nothing is freed on a guess (T1, A2): the slots of a publish or get-done that was sent stay what they are until its
 * answer has come, and no operation of a living owner is left without one (LIFE-4).
 */
@Watches({"A2", "T1", "LIFE-4"})
final class OpenOperations implements Checker
{
    private final Map<OwnerWatch, Map<Integer, Held>> heldBy = new HashMap<>();
    private final OperationBook book;
    private final Checks checks;

    OpenOperations(final Checks checks, final OperationBook book)
    {
        this.checks = checks;
        this.book = book;
    }

    /** A slot that an operation without an answer speaks of. */
    private record Held(Operation operation, Operation.Entry entry)
    {
    }

    private static boolean holdsSlots(final int templateId)
    {
        return PublishRequestDecoder.TEMPLATE_ID == templateId || BatchGetDoneRequestDecoder.TEMPLATE_ID == templateId;
    }

    @Override
    public void onSent(final Message message)
    {
        if (message.isToMaster() && holdsSlots(message.templateId()))
        {
            final Operation operation = book.of(message);
            if (!operation.isOver)
            {
                final Map<Integer, Held> held = heldBy.computeIfAbsent(operation.owner, (key) -> new HashMap<>());
                for (final Operation.Entry entry : operation.entries)
                {
                    held.put(entry.slotId(), new Held(operation, entry));
                }
            }
        }
    }

    @Override
    public void onDelivered(final Message message)
    {
        if (message.isFromMaster() && OperationBook.isAnswer(message.templateId()))
        {
            final Operation operation = book.of(message);
            if (null != operation && operation.isOver && holdsSlots(operation.templateId))
            {
                final Map<Integer, Held> held = heldBy.get(operation.owner);
                // the answer may be a copy that comes when another operation has the slot
                held.values().removeIf((slot) -> operation == slot.operation);
            }
        }
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        final Map<Integer, Held> held = heldBy.get(owner);
        for (int i = 0; null != held && i < owner.changedCount(); i++)
        {
            final Held slot = held.get(owner.changed(i));
            if (null != slot)
            {
                check(owner, owner.changed(i), slot);
            }
        }
    }

    @Override
    public void atQuiet()
    {
        for (final OwnerWatch owner : checks.owners())
        {
            final Map<Integer, Held> held = heldBy.get(owner);
            if (null != held && !held.isEmpty() && checks.cluster().owners().contains(owner.owner()))
            {
                throw new Violation("LIFE-4", held.values().iterator().next().operation + ": has never had an answer");
            }
        }
    }

    private static void check(final OwnerWatch owner, final int slotId, final Held held)
    {
        final SlotTable table = owner.table();
        final boolean isPublish = PublishRequestDecoder.TEMPLATE_ID == held.operation.templateId;
        final SlotState expected = isPublish ? SlotState.PENDING_LOCAL_VISIBLE : SlotState.PENDING;
        if (table.useCounter(slotId) != held.entry.use() || table.state(slotId) != expected)
        {
            throw new Violation(isPublish ? "A2" : "T1", owner.describe(slotId) + ": is of use " + held.entry.use() +
                " for " + held.operation + ", which has no answer");
        }
    }
}
