package io.fluxon.engine.owner;

import io.fluxon.codecs.control.GetKind;
import io.fluxon.codecs.control.GetStartResponseEncoder;
import io.fluxon.codecs.control.GetTransferResponseEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.ipc.ErrorCode;
import org.agrona.ExpandableArrayBuffer;

/**
 * The answers of one read, encoded key by key, and the holdings that go with them: a holding is in the session's books
 * before the answer leaves (contract GET-1).
 */
final class ReadAnswer
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
    private RequestLog.Entry entry;
    private long firstHoldingId;
    private boolean isComplete;

    ReadAnswer(final OwnerCore core)
    {
        this.core = core;
    }

    /** Answers a start with a handle. */
    void startRemote(
        final WorkerSession ofSession,
        final long requestId,
        final long handle,
        final PrefixPlanner planner,
        final int remoteHits)
    {
        begin(ofSession, requestId);
        encodeStart(requestId, GetKind.REMOTE, handle, planner, remoteHits).holdingsCount(0);
        startResponse.message("");
        ofSession.outbound.send(buffer, 0, HEADER_LENGTH + startResponse.encodedLength());
        logStart(handle, planner, remoteHits);
    }

    /** Begins the answer to a start whose prefix is wholly local. */
    void beginInline(
        final WorkerSession ofSession, final long requestId, final PrefixPlanner planner, final int holdings)
    {
        begin(ofSession, requestId);
        firstHoldingId = core.nextHoldingIds(holdings);
        startHoldings = encodeStart(requestId, GetKind.INLINE, 0, planner, 0).holdingsCount(holdings);
        transferHoldings = null;
        logStart(0, planner, 0);
        logHoldings(holdings);
    }

    /** Begins the answer to a transfer. */
    void beginTransfer(
        final WorkerSession ofSession, final long requestId, final long handle, final int holdings)
    {
        begin(ofSession, requestId);
        firstHoldingId = core.nextHoldingIds(holdings);
        transferHoldings = transferResponse.wrapAndApplyHeader(buffer, 0, header)
            .generation(core.context.generation())
            .sessionId(session.sessionId)
            .correlationId(requestId)
            .status(ErrorCode.OK)
            .stage(Stage.NONE)
            .handle(handle)
            .holdingsCount(holdings);
        startHoldings = null;
        if (null != entry)
        {
            entry.objectId = handle;
        }
        logHoldings(holdings);
    }

    /** Makes a key's holder a holding of the session. */
    void export(final int index, final int slotId)
    {
        final long holdingId = firstHoldingId + index;
        final long offset = core.pool.offset(slotId);
        final long length = core.table.valueLength(slotId);
        session.holdings.put(holdingId, slotId);
        core.counters.opened(OwnerCounter.HOLDINGS, OwnerCounter.HOLDINGS_OPENED);
        if (null != startHoldings)
        {
            startHoldings.next().offset(offset).length(length).holdingId(holdingId);
        }
        else
        {
            transferHoldings.next().offset(offset).length(length).holdingId(holdingId);
        }
    }

    /** Sends the complete answer to a start; false when the worker's queue does not take it now: the job is parked. */
    boolean sendInline(final Job job)
    {
        if (!isComplete)
        {
            isComplete = true;
            startResponse.message("");
        }

        return sent(job, HEADER_LENGTH + startResponse.encodedLength());
    }

    /** Sends the complete answer to a transfer; false when the queue does not take it now: the job is parked. */
    boolean sendTransfer(final Job job)
    {
        if (!isComplete)
        {
            isComplete = true;
            transferResponse.message("");
        }

        return sent(job, HEADER_LENGTH + transferResponse.encodedLength());
    }

    private void begin(final WorkerSession ofSession, final long requestId)
    {
        session = ofSession;
        entry = ofSession.requests.entryOf(requestId);
        isComplete = false;
    }

    private boolean sent(final Job job, final int length)
    {
        if (!session.sendOrPark(job, buffer, length))
        {
            return false;
        }

        if (null != entry)
        {
            entry.isAnswered = true;
        }
        session = null;
        entry = null;

        return true;
    }

    private GetStartResponseEncoder encodeStart(
        final long requestId,
        final GetKind kind,
        final long handle,
        final PrefixPlanner planner,
        final int remoteHits)
    {
        return startResponse.wrapAndApplyHeader(buffer, 0, header)
            .generation(core.context.generation())
            .sessionId(session.sessionId)
            .correlationId(requestId)
            .status(ErrorCode.OK)
            .stage(Stage.NONE)
            .kind(kind)
            .handle(handle)
            .rawPrefixHitLen(planner.rawPrefixHitLen())
            .transferableLen(planner.transferableLen())
            .prefixHitGroups(planner.prefixHitGroups())
            .firstMissIndex(planner.firstMissIndex())
            .firstMissGroupIndex(planner.firstMissGroupIndex())
            .remoteHits(remoteHits);
    }

    private void logStart(final long handle, final PrefixPlanner planner, final int remoteHits)
    {
        if (null != entry)
        {
            entry.objectId = handle;
            entry.rawPrefixHitLen = planner.rawPrefixHitLen();
            entry.transferableLen = planner.transferableLen();
            entry.prefixHitGroups = planner.prefixHitGroups();
            entry.firstMissIndex = planner.firstMissIndex();
            entry.firstMissGroupIndex = planner.firstMissGroupIndex();
            entry.remoteHits = remoteHits;
            entry.isAnswered = 0 != handle;
        }
    }

    private void logHoldings(final int holdings)
    {
        if (null != entry)
        {
            entry.firstHoldingId = firstHoldingId;
            entry.holdingCount = holdings;
        }
    }
}
