package io.fluxon.sim.check;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.codecs.control.GetStartResponseDecoder;
import io.fluxon.codecs.control.GetTransferResponseDecoder;
import io.fluxon.codecs.control.ReleaseHoldingsDecoder;
import io.fluxon.codecs.control.SessionCloseDecoder;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.sim.cluster.VirtualWorker;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Holding ids are not 0, rise within an answer and are never given out twice (GET-2); a holding that a worker was told
 * of stays what it is until the worker releases it by its id, closes its session, resumes it without it, or its process
 * is gone, and not by time (GET-3).
 */
@Watches({"GET-2", "GET-3"})
final class Holdings implements Checker
{
    private final GetStartResponseDecoder started = new GetStartResponseDecoder();
    private final GetTransferResponseDecoder transferred = new GetTransferResponseDecoder();
    private final ReleaseHoldingsDecoder released = new ReleaseHoldingsDecoder();
    private final Map<OwnerWatch, Exports> exportsOf = new HashMap<>();
    private final Checks checks;

    Holdings(final Checks checks)
    {
        this.checks = checks;
    }

    /** One holding that a worker was told of. */
    private record Holding(VirtualWorker worker, long sessionId, long requestId, long id, int slotId, long use)
    {
    }

    /** All holdings of one owner. */
    private static final class Exports
    {
        private final Map<Long, Long> requestOf = new HashMap<>();
        private final Map<Long, Holding> open = new LinkedHashMap<>();
    }

    @Override
    public void onSent(final Message message)
    {
        if (!message.isToWorker())
        {
            return;
        }
        if (GetStartResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            started.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            long last = 0;
            for (final GetStartResponseDecoder.HoldingsDecoder holding : started.holdings())
            {
                last = export(message, last, holding.holdingId(), holding.offset());
            }
        }
        else if (GetTransferResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            transferred.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            long last = 0;
            for (final GetTransferResponseDecoder.HoldingsDecoder holding : transferred.holdings())
            {
                last = export(message, last, holding.holdingId(), holding.offset());
            }
        }
    }

    @Override
    public void onDelivered(final Message message)
    {
        if (!message.isFromWorker())
        {
            return;
        }
        final Exports exports = exportsOf.get(checks.of(message.owner()));
        if (null == exports)
        {
            return;
        }
        switch (message.templateId())
        {
            case ReleaseHoldingsDecoder.TEMPLATE_ID -> release(exports, message);
            case SessionCloseDecoder.TEMPLATE_ID ->
                exports.open.values().removeIf((holding) -> holding.sessionId == message.sessionId());
            case ConnectRequestDecoder.TEMPLATE_ID -> resume(exports, message);
            default ->
            {
            }
        }
    }

    @Override
    public void full(final OwnerWatch owner)
    {
        final Exports exports = exportsOf.get(owner);
        if (null == exports || exports.open.isEmpty())
        {
            return;
        }
        exports.open.values().removeIf((holding) -> holding.worker.isDead());
        for (final Holding holding : exports.open.values())
        {
            final int slotId = owner.view().holding(holding.sessionId, holding.id);
            if (slotId != holding.slotId || holding.use != owner.table().useCounter(slotId))
            {
                throw new Violation("GET-3", owner + ": of holding " + holding + " is left " +
                    (SlotTable.NONE == slotId ? "nothing" : owner.describe(slotId)));
            }
        }
    }

    private long export(final Message message, final long last, final long id, final long offset)
    {
        final OwnerWatch owner = checks.of(message.owner());
        final Exports exports = exportsOf.computeIfAbsent(owner, (key) -> new Exports());
        if (id <= last)
        {
            throw new Violation("GET-2", owner + ": holding id " + id + " follows " + last + ": " + message);
        }
        final Long other = exports.requestOf.putIfAbsent(id, message.correlationId());
        if (null != other && other != message.correlationId())
        {
            throw new Violation("GET-2", owner + ": holding id " + id + " of request " + other +
                " is given out again: " + message);
        }
        if (null == other)
        {
            final int slotId = owner.view().holding(message.sessionId(), id);
            if (SlotTable.NONE != slotId)
            {
                checkPlace(owner, slotId, offset, message);
                exports.open.put(id, new Holding((VirtualWorker)message.to(), message.sessionId(),
                    message.correlationId(), id, slotId, owner.table().useCounter(slotId)));
            }
        }
        return id;
    }

    private static void checkPlace(
        final OwnerWatch owner, final int slotId, final long offset, final Message message)
    {
        if (slotId != owner.slotAt(offset))
        {
            throw new Violation("GET-2", owner.describe(slotId) + ": is held, and offset " + offset + " is named: " +
                message);
        }
    }

    private void release(final Exports exports, final Message message)
    {
        released.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        for (final ReleaseHoldingsDecoder.HoldingsDecoder holding : released.holdings())
        {
            final Holding open = exports.open.get(holding.holdingId());
            if (null != open && open.sessionId == message.sessionId())
            {
                exports.open.remove(open.id);
            }
        }
    }

    /** What a resume does not name may go. */
    private static void resume(final Exports exports, final Message message)
    {
        final ResumeNames names = ResumeNames.of(message);
        exports.open.values().removeIf((holding) -> holding.sessionId == names.sessionId() &&
            !names.holdings().contains(holding.id) && !names.requests().contains(holding.requestId));
    }
}
