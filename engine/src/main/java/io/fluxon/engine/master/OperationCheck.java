package io.fluxon.engine.master;

import io.fluxon.codecs.control.BatchGetDoneRequestDecoder;
import io.fluxon.codecs.control.BatchGetRevokeRequestDecoder;
import io.fluxon.codecs.control.BatchGetStartRequestDecoder;
import io.fluxon.codecs.control.EvictSourceRequestDecoder;
import io.fluxon.codecs.control.PublishRequestDecoder;
import io.fluxon.codecs.control.ReplicaStartRequestDecoder;
import io.fluxon.codecs.control.ReportRequestDecoder;
import io.fluxon.codecs.control.ReserveRequestDecoder;
import io.fluxon.codecs.control.RouteDeleteRequestDecoder;
import io.fluxon.codecs.control.RouteExistsRequestDecoder;
import io.fluxon.ipc.ErrorCode;
import io.fluxon.ipc.channel.MessageCheck;
import org.agrona.DirectBuffer;

/**
 * Judges the values of an operation before anything is changed by it: block lengths, keys, indexes, value lengths, and
 * that the groups cover the entries. What is not right makes the whole operation malformed.
 */
final class OperationCheck
{
    private static final int NO_ENTRIES = -1;

    private final MasterContext context;

    OperationCheck(final MasterContext context)
    {
        this.context = context;
    }

    /**
     * Finds the entries of a message.
     *
     * @return false when its groups are not of this protocol.
     */
    boolean locate(final Operation operation, final DirectBuffer message)
    {
        final int expectedBlockLength = blockLength(operation.templateId);
        if (NO_ENTRIES == expectedBlockLength)
        {
            operation.count = 0;
            operation.entriesOffset = message.capacity();
            operation.blockLength = 0;
            return true;
        }

        int group = Entries.firstGroup(message);
        if (PublishRequestDecoder.TEMPLATE_ID == operation.templateId)
        {
            final int groupBlockLength = Entries.groupBlockLength(message, group);
            if (PublishRequestDecoder.AtomicGroupsDecoder.sbeBlockLength() != groupBlockLength)
            {
                return false;
            }
            operation.groupsOffset = group + Entries.GROUP_HEADER_LENGTH;
            operation.groupCount = Entries.groupCount(message, group);
            group = operation.groupsOffset + operation.groupCount * groupBlockLength;
        }

        operation.blockLength = Entries.groupBlockLength(message, group);
        operation.count = Entries.groupCount(message, group);
        operation.entriesOffset = group + Entries.GROUP_HEADER_LENGTH;

        return expectedBlockLength == operation.blockLength && operation.groupCount <= context.maxKeysPerBatch() &&
            (operation.count > 0 || !isCohort(operation.templateId));
    }

    /** Is the operation about one cohort or group, which has at least one member? */
    private static boolean isCohort(final int templateId)
    {
        return EvictSourceRequestDecoder.TEMPLATE_ID == templateId ||
            ReplicaStartRequestDecoder.TEMPLATE_ID == templateId;
    }

    /**
     * Checks on.
     *
     * @param budget of entries.
     * @return entries checked; after the last one the operation is at its first again, to be executed, or refused.
     */
    int step(final Operation operation, final int budget)
    {
        final int templateId = operation.templateId;
        int used = 0;
        while (used < budget && operation.index < operation.count)
        {
            if (!isEntryValid(operation, templateId))
            {
                operation.refuse(ErrorCode.PROTOCOL);
                return used + 1;
            }

            if (isKeyed(templateId))
            {
                operation.advanceKey();
            }
            else
            {
                operation.advanceFixed();
            }
            used++;
        }

        if (operation.index == operation.count)
        {
            if (PublishRequestDecoder.TEMPLATE_ID == templateId && !areGroupsValid(operation))
            {
                operation.refuse(ErrorCode.PROTOCOL);
            }
            else
            {
                operation.stage = Operation.Stage.EXECUTE;
                operation.rewind();
            }
        }

        return used;
    }

    private boolean isEntryValid(final Operation operation, final int templateId)
    {
        return switch (templateId)
        {
            case BatchGetDoneRequestDecoder.TEMPLATE_ID -> 0 <= Entries.getInt(
                operation.message,
                operation.position + BatchGetDoneRequestDecoder.ItemsDecoder.indexEncodingOffset());
            case BatchGetRevokeRequestDecoder.TEMPLATE_ID -> -1 <= Entries.getInt(
                operation.message,
                operation.position + BatchGetRevokeRequestDecoder.ItemsDecoder.indexEncodingOffset());
            case PublishRequestDecoder.TEMPLATE_ID -> isKeyValid(operation) && isValueLengthValid(
                operation, PublishRequestDecoder.EntriesDecoder.valueLengthEncodingOffset());
            case ReportRequestDecoder.TEMPLATE_ID -> isKeyValid(operation) && isValueLengthValid(
                operation, ReportRequestDecoder.ValuesDecoder.valueLengthEncodingOffset());
            default -> isKeyValid(operation);
        };
    }

    private boolean isKeyValid(final Operation operation)
    {
        return MessageCheck.isKey(
            operation.message, operation.keyOffset(), operation.keyLength(), context.maxKeyBytes());
    }

    private boolean isValueLengthValid(final Operation operation, final int fieldOffset)
    {
        final long valueLength = Entries.getLong(operation.message, operation.position + fieldOffset);
        return valueLength > 0 && valueLength <= context.maxValueBytes();
    }

    private static boolean areGroupsValid(final Operation operation)
    {
        long sum = 0;
        for (int i = 0; i < operation.groupCount; i++)
        {
            final int offset = operation.groupsOffset +
                i * PublishRequestDecoder.AtomicGroupsDecoder.sbeBlockLength();
            final int keyCount = Entries.getInt(
                operation.message, offset + PublishRequestDecoder.AtomicGroupsDecoder.keyCountEncodingOffset());
            final int mergedCount = Entries.getInt(
                operation.message, offset + PublishRequestDecoder.AtomicGroupsDecoder.mergedCountEncodingOffset());
            if (keyCount < 0 || mergedCount < 0)
            {
                return false;
            }
            sum += keyCount;
        }

        return 0 == operation.groupCount || sum == operation.count;
    }

    private static boolean isKeyed(final int templateId)
    {
        return BatchGetDoneRequestDecoder.TEMPLATE_ID != templateId &&
            BatchGetRevokeRequestDecoder.TEMPLATE_ID != templateId;
    }

    private static int blockLength(final int templateId)
    {
        return switch (templateId)
        {
            case ReserveRequestDecoder.TEMPLATE_ID -> ReserveRequestDecoder.KeysDecoder.sbeBlockLength();
            case PublishRequestDecoder.TEMPLATE_ID -> PublishRequestDecoder.EntriesDecoder.sbeBlockLength();
            case BatchGetStartRequestDecoder.TEMPLATE_ID -> BatchGetStartRequestDecoder.KeysDecoder.sbeBlockLength();
            case BatchGetDoneRequestDecoder.TEMPLATE_ID -> BatchGetDoneRequestDecoder.ItemsDecoder.sbeBlockLength();
            case BatchGetRevokeRequestDecoder.TEMPLATE_ID ->
                BatchGetRevokeRequestDecoder.ItemsDecoder.sbeBlockLength();
            case RouteExistsRequestDecoder.TEMPLATE_ID -> RouteExistsRequestDecoder.KeysDecoder.sbeBlockLength();
            case RouteDeleteRequestDecoder.TEMPLATE_ID -> RouteDeleteRequestDecoder.KeysDecoder.sbeBlockLength();
            case EvictSourceRequestDecoder.TEMPLATE_ID -> EvictSourceRequestDecoder.MembersDecoder.sbeBlockLength();
            case ReplicaStartRequestDecoder.TEMPLATE_ID -> ReplicaStartRequestDecoder.MembersDecoder.sbeBlockLength();
            case ReportRequestDecoder.TEMPLATE_ID -> ReportRequestDecoder.ValuesDecoder.sbeBlockLength();
            default -> NO_ENTRIES;
        };
    }
}
