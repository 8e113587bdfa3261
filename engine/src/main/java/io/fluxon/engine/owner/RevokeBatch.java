package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BatchGetRevokeRequestEncoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.engine.protocol.OperationIds;
import org.agrona.collections.IntArrayList;
import org.agrona.collections.LongArrayList;

/**
 * Gets whose sources the master has leased and that are to end without a value: it is told of all of them with one
 * message (contract G8), whichever batch get starts they come from.
 */
final class RevokeBatch
{
    /** Index that names all gets of a batch get start. */
    static final int WHOLE_OPERATION = -1;

    private final OwnerCore core;
    private final LongArrayList startOperationIds = new LongArrayList();
    private final IntArrayList indices = new IntArrayList();
    private final IntArrayList mismatches = new IntArrayList();
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final BatchGetRevokeRequestEncoder request = new BatchGetRevokeRequestEncoder();

    RevokeBatch(final OwnerCore core)
    {
        this.core = core;
    }

    boolean isEmpty()
    {
        return indices.isEmpty();
    }

    /** One get; its bytes may have come as others than its source published (contract CRC-1). */
    void add(final long startOperationId, final int index, final boolean isMismatch)
    {
        startOperationIds.addLong(startOperationId);
        indices.addInt(index);
        mismatches.addInt(isMismatch ? 1 : 0);
    }

    /** Hands all on to another batch. */
    void moveTo(final RevokeBatch other)
    {
        for (int i = 0, size = indices.size(); i < size; i++)
        {
            other.add(startOperationIds.getLong(i), indices.getInt(i), 0 != mismatches.getInt(i));
        }
        clear();
    }

    /** Tells the master; false when no operation id is free: nothing was sent. */
    boolean send()
    {
        final MasterOperation revoke = core.flights.takeRevoke();
        if (OperationIds.NONE == core.master.open(revoke))
        {
            core.flights.free(revoke);
            return false;
        }

        final int count = indices.size();
        final BatchGetRevokeRequestEncoder.ItemsEncoder encoder = request
            .wrapAndApplyHeader(revoke.buffer, 0, header)
            .generation(core.context.generation())
            .correlationId(revoke.operationId)
            .itemsCount(count);
        int gets = 0;
        for (int i = 0; i < count; i++)
        {
            final int index = indices.getInt(i);
            gets += WHOLE_OPERATION == index ? 0 : 1;
            encoder.next()
                .startOperationId(startOperationIds.getLong(i))
                .index(index)
                .mismatch((short)mismatches.getInt(i));
        }
        revoke.length = MessageHeaderEncoder.ENCODED_LENGTH + request.encodedLength();
        core.counters.add(OwnerCounter.GETS_REVOKED, gets);
        clear();
        core.master.send(revoke, Long.MAX_VALUE);

        return true;
    }

    private void clear()
    {
        startOperationIds.clear();
        indices.clear();
        mismatches.clear();
    }
}
