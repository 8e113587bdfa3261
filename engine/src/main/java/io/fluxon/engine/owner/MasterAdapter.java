package io.fluxon.engine.owner;

import io.fluxon.codecs.control.CopiedElsewhereDecoder;
import io.fluxon.codecs.control.HeartbeatAckDecoder;
import io.fluxon.codecs.control.PeerUpdateDecoder;
import io.fluxon.codecs.control.PrepareRemovalDecoder;
import io.fluxon.codecs.control.PullReplicaDecoder;
import io.fluxon.codecs.control.RecheckDecoder;
import io.fluxon.codecs.control.RegisterResponseDecoder;
import io.fluxon.codecs.control.ReplicaEndDecoder;
import io.fluxon.codecs.control.ReportResponseDecoder;
import io.fluxon.codecs.control.SessionRefusedDecoder;
import io.fluxon.ipc.channel.MessageCheck;
import io.fluxon.ipc.channel.MessageHandler;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentTerminationException;

/**
 * Reads the master's messages: checks each wholly, ignores those of an older epoch, and calls whoever acts on it.
 */
final class MasterAdapter implements MessageHandler
{
    private static final int BLOCK_OFFSET = MasterOperation.BLOCK_OFFSET;

    private final OwnerCore core;
    private final OwnerCounters counters;
    private final MessageCheck check = new MessageCheck();
    private final RegisterResponseDecoder registerResponse = new RegisterResponseDecoder();
    private final PeerUpdateDecoder peerUpdate = new PeerUpdateDecoder();
    private final CopiedElsewhereDecoder copiedElsewhere = new CopiedElsewhereDecoder();
    private final RecheckDecoder recheck = new RecheckDecoder();
    private final ReplicaEndDecoder replicaEnd = new ReplicaEndDecoder();
    private final PrepareRemovalDecoder prepareRemoval = new PrepareRemovalDecoder();

    MasterAdapter(final OwnerCore core)
    {
        this.core = core;
        counters = core.counters;
    }

    /** {@inheritDoc} */
    @Override
    public void onMessage(final long connectionId, final DirectBuffer buffer, final int offset, final int length)
    {
        counters.increment(OwnerCounter.MASTER_MESSAGES);
        if (!check.isValid(buffer, offset, length))
        {
            counters.increment(OwnerCounter.MESSAGES_MALFORMED);
            return;
        }

        if (!core.master.onHeard(check.generation()))
        {
            return;
        }

        try
        {
            dispatch(check.message());
        }
        catch (final AgentTerminationException ex)
        {
            throw ex;
        }
        catch (final RuntimeException ex)
        {
            counters.increment(OwnerCounter.EXCEPTIONS);
            core.context.errorHandler().onError(ex);
        }
    }

    private void dispatch(final DirectBuffer message)
    {
        switch (check.templateId())
        {
            case RegisterResponseDecoder.TEMPLATE_ID -> core.master.onRegisterResponse(registerResponse.wrap(
                message, BLOCK_OFFSET, RegisterResponseDecoder.BLOCK_LENGTH, RegisterResponseDecoder.SCHEMA_VERSION));
            case HeartbeatAckDecoder.TEMPLATE_ID ->
            {
            }
            case PeerUpdateDecoder.TEMPLATE_ID -> core.master.onPeerUpdate(check.sessionId(), peerUpdate.wrap(
                message, BLOCK_OFFSET, PeerUpdateDecoder.BLOCK_LENGTH, PeerUpdateDecoder.SCHEMA_VERSION));
            case RecheckDecoder.TEMPLATE_ID -> core.master.onRecheck(check.sessionId(), recheck.wrap(
                message, BLOCK_OFFSET, RecheckDecoder.BLOCK_LENGTH, RecheckDecoder.SCHEMA_VERSION));
            case PrepareRemovalDecoder.TEMPLATE_ID -> core.master.onPrepareRemoval(
                check.sessionId(), prepareRemoval.wrap(message, BLOCK_OFFSET,
                PrepareRemovalDecoder.BLOCK_LENGTH, PrepareRemovalDecoder.SCHEMA_VERSION));
            case SessionRefusedDecoder.TEMPLATE_ID -> core.master.onSessionRefused(check.sessionId());
            case ReportResponseDecoder.TEMPLATE_ID -> core.master.onReportResponse(
                check.sessionId(), check.correlationId(), message);
            case PullReplicaDecoder.TEMPLATE_ID, ReplicaEndDecoder.TEMPLATE_ID,
                CopiedElsewhereDecoder.TEMPLATE_ID -> onReplica(message);
            default -> core.master.onAnswer(
                check.templateId(), check.sessionId(), check.correlationId(), message);
        }
    }

    /** What the master says of replicas on its own; what it said in another session has ended with that. */
    private void onReplica(final DirectBuffer message)
    {
        if (!core.master.isRegistered() || core.master.sessionId() != check.sessionId())
        {
            return;
        }

        switch (check.templateId())
        {
            case PullReplicaDecoder.TEMPLATE_ID -> core.pulls.onPull(check.correlationId(), message);
            case CopiedElsewhereDecoder.TEMPLATE_ID -> core.evictions.copied().onCopied(copiedElsewhere.wrap(
                message, BLOCK_OFFSET, CopiedElsewhereDecoder.BLOCK_LENGTH, CopiedElsewhereDecoder.SCHEMA_VERSION));
            default -> core.replicas.onEnd(check.correlationId(), replicaEnd.wrap(
                message, BLOCK_OFFSET, ReplicaEndDecoder.BLOCK_LENGTH, ReplicaEndDecoder.SCHEMA_VERSION).code());
        }
    }
}
