package io.fluxon.engine.master;

import io.fluxon.codecs.control.BackingDecoder;
import io.fluxon.codecs.control.PutIdDecoder;
import io.fluxon.codecs.control.ReportRequestDecoder;
import io.fluxon.codecs.control.ReportResponseEncoder;
import io.fluxon.ipc.ErrorCode;
import org.agrona.concurrent.UnsafeBuffer;

import static io.fluxon.codecs.control.MessageHeaderDecoder.ENCODED_LENGTH;
import static io.fluxon.engine.master.LineSlab.NONE;
import static io.fluxon.engine.master.MasterCounter.DELETED_REFUSED;
import static io.fluxon.engine.master.MasterCounter.REPORTS;
import static io.fluxon.engine.master.MasterCounter.VALUES_DROPPED;
import static io.fluxon.engine.master.MasterCounter.VALUES_REPORTED;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Executes the parts of reports: routes come back from the values that owners have (contract LIFE-4). A key that is
 * reported under two put ids keeps that of its first route; the owner that came later drops its value. So does one
 * whose value was deleted while it was not heard.
 */
final class ReportOperations
{
    private static final int ITEM_LENGTH = ReportResponseEncoder.ResultsEncoder.sbeBlockLength();

    private static final long NO_GROUP_ID = Long.MIN_VALUE;

    private final BackingDecoder backing = new BackingDecoder();
    private final PutIdDecoder putId = new PutIdDecoder();
    private final MasterState state;
    private final MasterCounters counters;
    private final PutOperations puts;

    ReportOperations(final MasterState state, final MasterCounters counters, final PutOperations puts)
    {
        this.state = state;
        this.counters = counters;
        this.puts = puts;
    }

    /** An operation is over; a part that was not carried out may come again. */
    void ended(final Operation operation)
    {
        if (ReportRequestDecoder.TEMPLATE_ID == operation.templateId && Operation.Stage.DONE != operation.stage)
        {
            operation.owner.partPending(0);
        }
    }

    int report(final Operation operation, final int budget)
    {
        if (!puts.isTurnFree())
        {
            return 0;
        }

        int used = 0;
        while (used < budget && operation.index < operation.count)
        {
            state.lookAhead.look(operation, budget - used, state.routes);
            final int code = reportValue(operation);
            operation.answer.putInt(
                Answers.REPORT_ITEMS + operation.index * ITEM_LENGTH +
                    ReportResponseEncoder.ResultsEncoder.codeEncodingOffset(),
                code,
                LITTLE_ENDIAN);
            counters.increment(ErrorCode.OK == code ? VALUES_REPORTED : VALUES_DROPPED);
            operation.advanceKey();
            used++;
        }

        if (operation.index == operation.count)
        {
            finish(operation);
        }

        return Math.max(1, used);
    }

    private void finish(final Operation operation)
    {
        final boolean isLast =
            0 != operation.message.getByte(ENCODED_LENGTH + ReportRequestDecoder.isLastEncodingOffset());
        operation.answer.putByte(
            ENCODED_LENGTH + ReportResponseEncoder.isCompleteEncodingOffset(), (byte)(isLast ? 1 : 0));
        operation.stage = Operation.Stage.DONE;
        Entries.sessionId(operation.answer, operation.owner.sessionId());
        operation.owner.reported(operation.operationId, isLast, operation.answer);
        counters.add(REPORTS, isLast ? 1 : 0);
    }

    private int reportValue(final Operation operation)
    {
        final UnsafeBuffer message = operation.message;
        final int position = operation.position;
        final RouteTable routes = state.routes;
        final long valueLength = Entries.getLong(
            message, position + ReportRequestDecoder.ValuesDecoder.valueLengthEncodingOffset());
        putId.wrap(message, position + ReportRequestDecoder.ValuesDecoder.versionEncodingOffset());
        backing.wrap(message, position + ReportRequestDecoder.ValuesDecoder.backingEncodingOffset());
        if (!routes.hasRoom(1))
        {
            return ErrorCode.NO_SPACE;
        }

        if (state.deleted.contains(putId.ownerId(), putId.generation(), putId.sequence(), state.nowMs()))
        {
            counters.increment(DELETED_REFUSED);
            return ErrorCode.STALE_GET_PLAN;
        }

        int route = routes.findLive(message, operation.keyOffset(), operation.keyLength());
        if (NONE == route)
        {
            route = routes.create(message, operation.keyOffset(), operation.keyLength(),
                putId.ownerId(), putId.generation(), putId.sequence(), (int)valueLength);
            group(operation, route);
        }
        else if (!routes.hasPutId(route, putId.ownerId(), putId.generation(), putId.sequence()) ||
            valueLength != routes.valueLength(route))
        {
            return ErrorCode.STALE_GET_PLAN;
        }
        else if (operation.owner.ownerId() == putId.ownerId())
        {
            group(operation, route);
        }

        final int own = routes.liveReplicaOf(route, operation.owner.ownerId());
        if (NONE != own)
        {
            return routes.hasBacking(own, backing) ? ErrorCode.OK : ErrorCode.STALE_GET_PLAN;
        }
        routes.addReplica(route, operation.owner.tenure(), backing, (int)Entries.getLong(
            message, position + ReportRequestDecoder.ValuesDecoder.checksumEncodingOffset()));

        return ErrorCode.OK;
    }

    /** Group ids of reports are negative, so that none is that of a group which is being published. */
    private void group(final Operation operation, final int route)
    {
        final UnsafeBuffer message = operation.message;
        final int position = operation.position;
        final long groupId = Entries.getLong(
            message, position + ReportRequestDecoder.ValuesDecoder.groupIdEncodingOffset());
        state.routes.group(
            route,
            0 == groupId ? NO_GROUP_ID : -groupId,
            Entries.getInt(message, position + ReportRequestDecoder.ValuesDecoder.groupLengthEncodingOffset()),
            Entries.getLong(message, position + ReportRequestDecoder.ValuesDecoder.cohortIdEncodingOffset()),
            Entries.getInt(message, position + ReportRequestDecoder.ValuesDecoder.cohortRankEncodingOffset()),
            Entries.getInt(message, position + ReportRequestDecoder.ValuesDecoder.cohortSizeEncodingOffset()));
    }
}
