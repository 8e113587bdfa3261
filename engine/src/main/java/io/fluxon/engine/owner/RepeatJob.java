package io.fluxon.engine.owner;

import io.fluxon.codecs.control.GetKind;
import io.fluxon.codecs.control.GetStartResponseEncoder;
import io.fluxon.codecs.control.GetTransferResponseEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.engine.memory.SlotTable;
import io.fluxon.ipc.ErrorCode;
import org.agrona.ExpandableArrayBuffer;

/**
 * Answers a read once more with what is recorded of it (contract API-4), slice by slice. A holding that is missing says
 * that the worker has had the answer: then there is none. Pooled.
 */
final class RepeatJob extends Job
{
    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;

    private final OwnerCore core;
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(512);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final GetStartResponseEncoder startResponse = new GetStartResponseEncoder();
    private final GetTransferResponseEncoder transferResponse = new GetTransferResponseEncoder();
    private GetStartResponseEncoder.HoldingsEncoder startHoldings;
    private GetTransferResponseEncoder.HoldingsEncoder transferHoldings;
    private WorkerSession session;
    private long requestId;
    private long firstHoldingId;
    private int count;
    private int cursor;

    RepeatJob(final OwnerCore core)
    {
        this.core = core;
    }

    void repeatStart(final WorkerSession ofSession, final RequestLog.Entry entry)
    {
        begin(ofSession, entry);
        startHoldings = startResponse
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(core.context.generation())
            .sessionId(session.sessionId)
            .correlationId(requestId)
            .status(ErrorCode.OK)
            .stage(Stage.NONE)
            .kind(0 == entry.objectId ? GetKind.INLINE : GetKind.REMOTE)
            .handle(entry.objectId)
            .rawPrefixHitLen(entry.rawPrefixHitLen)
            .transferableLen(entry.transferableLen)
            .prefixHitGroups(entry.prefixHitGroups)
            .firstMissIndex(entry.firstMissIndex)
            .firstMissGroupIndex(entry.firstMissGroupIndex)
            .remoteHits(entry.remoteHits)
            .holdingsCount(count);
        core.jobs.start(this, core.nowNs());
    }

    void repeatTransfer(final WorkerSession ofSession, final RequestLog.Entry entry)
    {
        begin(ofSession, entry);
        transferHoldings = transferResponse
            .wrapAndApplyHeader(buffer, 0, header)
            .generation(core.context.generation())
            .sessionId(session.sessionId)
            .correlationId(requestId)
            .status(ErrorCode.OK)
            .stage(Stage.NONE)
            .handle(entry.objectId)
            .holdingsCount(count);
        core.jobs.start(this, core.nowNs());
    }

    /** {@inheritDoc} */
    @Override
    boolean step(final long nowNs)
    {
        if (null == session)
        {
            return false;
        }

        final int end = core.sliceEnd(cursor, count);
        boolean isWanted = session.isReachable();
        while (isWanted && cursor < end)
        {
            isWanted = repeatHolding(firstHoldingId + cursor);
            cursor++;
        }

        if (isWanted && end < count)
        {
            return true;
        }

        if (isWanted)
        {
            send();
        }
        end();

        return false;
    }

    /** {@inheritDoc} */
    @Override
    void onException(final RuntimeException cause)
    {
        end();
    }

    private void begin(final WorkerSession ofSession, final RequestLog.Entry entry)
    {
        session = ofSession;
        requestId = entry.requestId;
        firstHoldingId = entry.firstHoldingId;
        count = entry.holdingCount;
        cursor = 0;
        startHoldings = null;
        transferHoldings = null;
        entry.isBeingRepeated = true;
    }

    private boolean repeatHolding(final long holdingId)
    {
        final int slotId = (int)session.holdings.get(holdingId);
        if (SlotTable.NONE == slotId)
        {
            return false;
        }

        final long offset = core.pool.offset(slotId);
        final long length = core.table.valueLength(slotId);
        if (null != startHoldings)
        {
            startHoldings.next().offset(offset).length(length).holdingId(holdingId);
        }
        else
        {
            transferHoldings.next().offset(offset).length(length).holdingId(holdingId);
        }

        return true;
    }

    private void send()
    {
        if (null != startHoldings)
        {
            startResponse.message("");
            session.outbound.send(buffer, 0, HEADER_LENGTH + startResponse.encodedLength());
        }
        else
        {
            transferResponse.message("");
            session.outbound.send(buffer, 0, HEADER_LENGTH + transferResponse.encodedLength());
        }
    }

    private void end()
    {
        final RequestLog.Entry entry = session.requests.entryOf(requestId);
        if (null != entry)
        {
            entry.isBeingRepeated = false;
        }
        session = null;
        core.gets.free(this);
    }
}
