package io.fluxon.sim.check;

import io.fluxon.codecs.control.BatchGetDoneResponseDecoder;
import io.fluxon.codecs.control.PublishResponseDecoder;
import io.fluxon.codecs.control.PutIdDecoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.ipc.ErrorCode;
import java.util.HashMap;
import java.util.Map;

/**
 * A slot is COMMITTED only after the master has confirmed exactly this use of it (V3), and carries the put id that the
 * master says is canonical (PUT-1).
 */
@Watches({"V3", "PUT-1"})
final class Confirmations implements Checker
{
    private final PublishResponseDecoder published = new PublishResponseDecoder();
    private final BatchGetDoneResponseDecoder done = new BatchGetDoneResponseDecoder();
    private final Map<OwnerWatch, Map<Integer, Confirmed>> confirmedBy = new HashMap<>();
    private final OperationBook book;

    Confirmations(final OperationBook book)
    {
        this.book = book;
    }

    /** A use of a slot that the master has confirmed. */
    private record Confirmed(long use, int putOwnerId, long putGeneration, long putSequence)
    {
    }

    @Override
    public void onDelivered(final Message message)
    {
        if (!message.isFromMaster() || !book.isAccepted(message))
        {
            return;
        }
        final Operation operation = book.of(message);
        if (null == operation)
        {
            return;
        }
        if (PublishResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            published.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            int index = 0;
            for (final PublishResponseDecoder.ResultsDecoder result : published.results())
            {
                confirm(operation, index++, result.code(), result.canonical());
            }
        }
        else if (BatchGetDoneResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            done.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            int index = 0;
            for (final BatchGetDoneResponseDecoder.ItemsDecoder item : done.items())
            {
                confirm(operation, index++, item.code(), item.canonical());
            }
        }
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        for (int i = 0; i < owner.changedCount(); i++)
        {
            final int slotId = owner.changed(i);
            if (SlotState.COMMITTED == owner.table().state(slotId))
            {
                check(owner, slotId);
            }
        }
    }

    private void confirm(final Operation operation, final int index, final int code, final PutIdDecoder canonical)
    {
        if (ErrorCode.OK == code)
        {
            final Operation.Entry entry = operation.entries.get(index);
            confirmedBy.computeIfAbsent(operation.owner, (key) -> new HashMap<>()).put(entry.slotId(), new Confirmed(
                entry.use(), canonical.ownerId(), canonical.generation(), canonical.sequence()));
        }
    }

    private void check(final OwnerWatch owner, final int slotId)
    {
        final Map<Integer, Confirmed> ofOwner = confirmedBy.get(owner);
        final Confirmed confirmed = null == ofOwner ? null : ofOwner.get(slotId);
        if (null == confirmed || confirmed.use != owner.table().useCounter(slotId))
        {
            throw new Violation("V3", owner.describe(slotId) + ": the master has not confirmed it: " + confirmed);
        }
        if (!owner.table().putIdEquals(
            slotId, confirmed.putOwnerId, confirmed.putGeneration, confirmed.putSequence))
        {
            throw new Violation("PUT-1", owner.describe(slotId) + ": has not the put id of its route: " + confirmed);
        }
    }
}
