package io.fluxon.sim.check;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartResponseDecoder;
import io.fluxon.engine.memory.SlotState;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.engine.owner.OwnerCounter;
import io.fluxon.ipc.ErrorCode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;

/**
 * A checksum only finds what is wrong (CRC-1): at each owner, values that do not match are those that one of its own
 * transfers has torn, or whose source was given up between the master's answer that named it and the owner's word that
 * it has the value, or wants it no more.
 */
@Watches("CRC-1")
final class Mismatches implements Checker
{
    private static final int WHOLE_OPERATION = -1;

    private final BatchGetStartResponseDecoder started = new BatchGetStartResponseDecoder();
    private final BatchGetDoneRequestDecoder done = new BatchGetDoneRequestDecoder();
    private final BatchGetRevokeRequestDecoder revoke = new BatchGetRevokeRequestDecoder();
    private final Map<OwnerWatch, Fetches> fetchesOf = new HashMap<>();
    private final Checks checks;

    Mismatches(final Checks checks)
    {
        this.checks = checks;
    }

    /** One key of a get. */
    private record Request(long operationId, int index)
    {
    }

    /** Where its value comes from. */
    private record Source(OwnerWatch owner, int slotId, long use)
    {
        private boolean isThere()
        {
            return use == owner.table().useCounter(slotId) && SlotState.FREE != owner.table().state(slotId);
        }
    }

    /** What one owner fetches. */
    private static final class Fetches
    {
        private final Map<Request, Source> sources = new HashMap<>();
        private final Set<Request> ended = new HashSet<>();
        private long givenUp;

        private void end(final long operationId, final int index)
        {
            if (WHOLE_OPERATION == index)
            {
                sources.keySet().removeIf((request) -> request.operationId == operationId);
            }
            else
            {
                sources.remove(new Request(operationId, index));
            }
            ended.add(new Request(operationId, index));
        }

        private boolean isEnded(final Request request)
        {
            return ended.contains(request) || ended.contains(new Request(request.operationId, WHOLE_OPERATION));
        }
    }

    @Override
    public void onOwner(final OwnerWatch owner)
    {
        fetchesOf.put(owner, new Fetches());
    }

    @Override
    public void onSent(final Message message)
    {
        if (message.isFromMaster() && BatchGetStartResponseDecoder.TEMPLATE_ID == message.templateId())
        {
            readSources(fetchesOf.get(checks.of(message.owner())), message);
        }
        else if (message.isToMaster() && BatchGetDoneRequestDecoder.TEMPLATE_ID == message.templateId())
        {
            done.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            for (final BatchGetDoneRequestDecoder.ItemsDecoder item : done.items())
            {
                fetchesOf.get(checks.of(message.owner())).end(item.startOperationId(), item.index());
            }
        }
        else if (message.isToMaster() && BatchGetRevokeRequestDecoder.TEMPLATE_ID == message.templateId())
        {
            revoke.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
            for (final BatchGetRevokeRequestDecoder.ItemsDecoder item : revoke.items())
            {
                fetchesOf.get(checks.of(message.owner())).end(item.startOperationId(), item.index());
            }
        }
    }

    private void readSources(final Fetches fetches, final Message message)
    {
        started.wrap(message.buffer(), Message.BLOCK_OFFSET, message.blockLength(), message.version());
        int index = 0;
        for (final BatchGetStartResponseDecoder.ItemsDecoder item : started.items())
        {
            final Request request = new Request(message.correlationId(), index++);
            final OwnerWatch owner =
                ErrorCode.OK == item.code() ? checks.of(item.sourceOwnerId(), item.sourceGeneration()) : null;
            final int slotId = null == owner ? SlotTable.NONE : owner.slotAt(item.sourceOffset());
            if (SlotTable.NONE != slotId && !fetches.isEnded(request))
            {
                fetches.sources.putIfAbsent(
                    request, new Source(owner, slotId, owner.table().useCounter(slotId)));
            }
        }
    }

    @Override
    public void afterOwner(final OwnerWatch owner)
    {
        if (owner.changedCount() > 0)
        {
            fetchesOf.values().forEach((fetches) -> giveUp(fetches, owner));
        }
        final long mismatches = owner.owner().get(OwnerCounter.CHECKSUM_MISMATCHES);
        final long torn = owner.owner().transfers().torn();
        final long givenUp = fetchesOf.get(owner).givenUp;
        if (mismatches > torn + givenUp)
        {
            throw new Violation("CRC-1", owner + ": " + mismatches + " values do not match their checksum; torn were " +
                torn + ", given up " + givenUp);
        }
    }

    private static void giveUp(final Fetches fetches, final OwnerWatch owner)
    {
        final Iterator<Source> sources = fetches.sources.values().iterator();
        while (sources.hasNext())
        {
            final Source source = sources.next();
            if (source.owner == owner && !source.isThere())
            {
                sources.remove();
                fetches.givenUp++;
            }
        }
    }
}
