package io.fluxon.engine.owner;

import io.fluxon.codecs.control.BatchGetRevokeRequestDecoder;
import org.agrona.DirectBuffer;

/**
 * Ends a batch get revoke when the master has acknowledged it. One for a whole operation settles the id of the batch
 * get start that had no answer (contract T1).
 */
final class RevokeListener implements OperationListener
{
    private final OwnerCore core;
    private final BatchGetRevokeRequestDecoder request = new BatchGetRevokeRequestDecoder();

    RevokeListener(final OwnerCore core)
    {
        this.core = core;
    }

    /** {@inheritDoc} */
    @Override
    public void onAnswer(final MasterOperation operation, final int templateId, final DirectBuffer message)
    {
        if (MasterLink.NOT_AN_ANSWER == core.master.ackStatus(templateId, message))
        {
            return;
        }

        final BatchGetRevokeRequestDecoder.ItemsDecoder item = request.wrap(
            operation.buffer,
            MasterOperation.BLOCK_OFFSET,
            BatchGetRevokeRequestDecoder.BLOCK_LENGTH,
            BatchGetRevokeRequestDecoder.SCHEMA_VERSION).items().next();
        final long startOperationId = item.startOperationId();
        final boolean isWhole = RevokeBatch.WHOLE_OPERATION == item.index();
        core.master.close(operation);
        core.flights.free(operation);
        if (isWhole)
        {
            core.master.complete(startOperationId);
        }
    }

    /** {@inheritDoc} */
    @Override
    public void onGivenUp(final MasterOperation operation)
    {
        core.flights.free(operation);
    }
}
