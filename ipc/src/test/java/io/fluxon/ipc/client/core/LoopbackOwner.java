package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.ConnectRequestDecoder;
import io.fluxon.codecs.control.ConnectResponseEncoder;
import io.fluxon.codecs.control.ExistsRequestDecoder;
import io.fluxon.codecs.control.ExistsResponseEncoder;
import io.fluxon.codecs.control.GetCancelRequestDecoder;
import io.fluxon.codecs.control.GetKind;
import io.fluxon.codecs.control.GetStartRequestDecoder;
import io.fluxon.codecs.control.GetStartResponseEncoder;
import io.fluxon.codecs.control.GetTransferRequestDecoder;
import io.fluxon.codecs.control.GetTransferResponseEncoder;
import io.fluxon.codecs.control.KeepAliveDecoder;
import io.fluxon.codecs.control.KeepAliveEncoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PutAbortRequestDecoder;
import io.fluxon.codecs.control.PutCommitLocalEncoder;
import io.fluxon.codecs.control.PutCommitRequestDecoder;
import io.fluxon.codecs.control.PutCommitResultEncoder;
import io.fluxon.codecs.control.PutStartRequestDecoder;
import io.fluxon.codecs.control.PutStartResponseEncoder;
import io.fluxon.codecs.control.ReleaseHoldingsDecoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.codecs.control.StatusResponseEncoder;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.MessageSource;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.ExpandableRingBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.LongHashSet;

/**
 * An owner that has every key and answers at once, without allocating: first get of a session remote, the next inline,
 * in turn. Counts what it gave out, so that a test can see that everything came back.
 */
final class LoopbackOwner implements ControlChannel, MessageSource
{
    final LongHashSet holdings = new LongHashSet();
    final LongHashSet handles = new LongHashSet();
    final LongHashSet plans = new LongHashSet();
    long wrongReleases;

    private final ExpandableRingBuffer answers = new ExpandableRingBuffer();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(64 * 1024);
    private final ExpandableRingBuffer.MessageConsumer consumer = this::handOver;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final MessageHeaderEncoder answerHeader = new MessageHeaderEncoder();
    private final PutStartRequestDecoder putStart = new PutStartRequestDecoder();
    private final PutCommitRequestDecoder putCommit = new PutCommitRequestDecoder();
    private final PutAbortRequestDecoder putAbort = new PutAbortRequestDecoder();
    private final GetStartRequestDecoder getStart = new GetStartRequestDecoder();
    private final GetTransferRequestDecoder getTransfer = new GetTransferRequestDecoder();
    private final GetCancelRequestDecoder getCancel = new GetCancelRequestDecoder();
    private final ExistsRequestDecoder exists = new ExistsRequestDecoder();
    private final ReleaseHoldingsDecoder release = new ReleaseHoldingsDecoder();
    private final ConnectResponseEncoder connectResponse = new ConnectResponseEncoder();
    private final PutStartResponseEncoder putStartResponse = new PutStartResponseEncoder();
    private final PutCommitLocalEncoder commitLocal = new PutCommitLocalEncoder();
    private final PutCommitResultEncoder commitResult = new PutCommitResultEncoder();
    private final GetStartResponseEncoder getStartResponse = new GetStartResponseEncoder();
    private final GetTransferResponseEncoder transferResponse = new GetTransferResponseEncoder();
    private final ExistsResponseEncoder existsResponse = new ExistsResponseEncoder();
    private final StatusResponseEncoder statusResponse = new StatusResponseEncoder();
    private final KeepAliveEncoder keepAlive = new KeepAliveEncoder();
    private final byte[] noText = new byte[0];
    private MessageHandler handler;
    private long lastId = 1_000;
    private int lastKeyCount;
    private boolean isRemote;

    @Override
    public long offer(final DirectBuffer message, final int offset, final int length)
    {
        header.wrap(message, offset);
        final long correlationId = message.getLong(offset + header.encodedLength() + 2 * Long.BYTES);
        switch (header.templateId())
        {
            case ConnectRequestDecoder.TEMPLATE_ID -> onConnect(correlationId);
            case PutStartRequestDecoder.TEMPLATE_ID -> onPutStart(message, offset);
            case PutCommitRequestDecoder.TEMPLATE_ID -> onPutCommit(message, offset);
            case PutAbortRequestDecoder.TEMPLATE_ID ->
            {
                plans.remove(putAbort.wrapAndApplyHeader(message, offset, header).planId());
                answerStatus(correlationId);
            }
            case GetStartRequestDecoder.TEMPLATE_ID -> onGetStart(message, offset);
            case GetTransferRequestDecoder.TEMPLATE_ID -> onGetTransfer(message, offset);
            case GetCancelRequestDecoder.TEMPLATE_ID ->
            {
                handles.remove(getCancel.wrapAndApplyHeader(message, offset, header).handle());
                answerStatus(correlationId);
            }
            case ExistsRequestDecoder.TEMPLATE_ID -> onExists(message, offset);
            case ReleaseHoldingsDecoder.TEMPLATE_ID -> onRelease(message, offset);
            case KeepAliveDecoder.TEMPLATE_ID -> onKeepAlive();
            default ->
            {
            }
        }
        return 1;
    }

    @Override
    public int maxMessageLength()
    {
        return 1024 * 1024;
    }

    @Override
    public boolean isConnected()
    {
        return true;
    }

    @Override
    public void close()
    {
        answers.reset(0);
    }

    @Override
    public int poll(final MessageHandler messageHandler, final int limit)
    {
        handler = messageHandler;
        return answers.isEmpty() ? 0 : answers.consume(consumer, limit);
    }

    private boolean handOver(
        final MutableDirectBuffer ring, final int offset, final int length, final int headOffset)
    {
        handler.onMessage(1, ring, offset, length);
        return true;
    }

    private void onConnect(final long correlationId)
    {
        connectResponse.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(ScriptedOwner.GENERATION).sessionId(ScriptedOwner.SESSION_ID).correlationId(correlationId)
            .status(0).protocolVersion(1).ownerId(3)
            .segmentLength(ScriptedOwner.SEGMENT_LENGTH).arenaOffset(ScriptedOwner.ARENA_OFFSET)
            .arenaLength(ScriptedOwner.ARENA_LENGTH).mapOffset(ScriptedOwner.MAP_OFFSET)
            .maxKeysPerBatch(64).maxKeyBytes(512).maxValueBytes(512L << 20).maxMessageBytes(8 << 20)
            .keepAliveIntervalNs(ScriptedOwner.KEEP_ALIVE_NS).sessionTimeoutNs(ScriptedOwner.SESSION_TIMEOUT_NS)
            .handleTtlNs(ScriptedOwner.HANDLE_TTL_NS)
            .segmentPath("/segment").nodeId("node0").message("");
        answer(connectResponse.encodedLength());
    }

    private void onPutStart(final DirectBuffer message, final int offset)
    {
        putStart.wrapAndApplyHeader(message, offset, header);
        final PutStartRequestDecoder.AtomicGroupsDecoder groups = putStart.atomicGroups();
        while (groups.hasNext())
        {
            groups.next();
        }
        lastKeyCount = putStart.keys().count();
        final long planId = ++lastId;
        plans.add(planId);
        putStartResponse.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(ScriptedOwner.GENERATION).sessionId(ScriptedOwner.SESSION_ID)
            .correlationId(putStart.correlationId()).status(0).stage(Stage.NONE).planId(planId);
        final PutStartResponseEncoder.SlotsEncoder slots = putStartResponse.slotsCount(lastKeyCount);
        for (int i = 0; i < lastKeyCount; i++)
        {
            slots.next().offset(ScriptedOwner.slot(i));
        }
        putStartResponse.putMessage(noText, 0, 0);
        answer(putStartResponse.encodedLength());
    }

    private void onPutCommit(final DirectBuffer message, final int offset)
    {
        putCommit.wrapAndApplyHeader(message, offset, header);
        plans.remove(putCommit.planId());
        commitLocal.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(ScriptedOwner.GENERATION).sessionId(ScriptedOwner.SESSION_ID)
            .correlationId(putCommit.correlationId()).planId(putCommit.planId()).status(0)
            .putMessage(noText, 0, 0);
        answer(commitLocal.encodedLength());
        commitResult.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(ScriptedOwner.GENERATION).sessionId(ScriptedOwner.SESSION_ID)
            .correlationId(putCommit.correlationId()).planId(putCommit.planId());
        final PutCommitResultEncoder.ResultsEncoder results = commitResult.resultsCount(lastKeyCount);
        for (int i = 0; i < lastKeyCount; i++)
        {
            results.next().code(0);
        }
        answer(commitResult.encodedLength());
    }

    private void onGetStart(final DirectBuffer message, final int offset)
    {
        getStart.wrapAndApplyHeader(message, offset, header);
        final GetStartRequestDecoder.AtomicGroupsDecoder groups = getStart.atomicGroups();
        while (groups.hasNext())
        {
            groups.next();
        }
        final int count = getStart.keys().count();
        isRemote = !isRemote;
        final long handle = isRemote ? ++lastId : 0;
        if (isRemote)
        {
            handles.add(handle);
        }
        getStartResponse.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(ScriptedOwner.GENERATION).sessionId(ScriptedOwner.SESSION_ID)
            .correlationId(getStart.correlationId()).status(0).stage(Stage.NONE)
            .kind(isRemote ? GetKind.REMOTE : GetKind.INLINE).handle(handle)
            .rawPrefixHitLen(count).transferableLen(count).prefixHitGroups(1)
            .firstMissIndex(-1).firstMissGroupIndex(-1).remoteHits(isRemote ? count : 0);
        final int inlineCount = isRemote ? 0 : count;
        final GetStartResponseEncoder.HoldingsEncoder encoder = getStartResponse.holdingsCount(inlineCount);
        for (int i = 0; i < inlineCount; i++)
        {
            encoder.next().offset(ScriptedOwner.slot(i)).length(4096).holdingId(newHolding());
        }
        getStartResponse.putMessage(noText, 0, 0);
        answer(getStartResponse.encodedLength());
    }

    private void onGetTransfer(final DirectBuffer message, final int offset)
    {
        getTransfer.wrapAndApplyHeader(message, offset, header);
        handles.remove(getTransfer.handle());
        transferResponse.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(ScriptedOwner.GENERATION).sessionId(ScriptedOwner.SESSION_ID)
            .correlationId(getTransfer.correlationId()).status(0).stage(Stage.NONE).handle(getTransfer.handle());
        final int count = getTransfer.consumePrefixLen();
        final GetTransferResponseEncoder.HoldingsEncoder encoder = transferResponse.holdingsCount(count);
        for (int i = 0; i < count; i++)
        {
            encoder.next().offset(ScriptedOwner.slot(i)).length(4096).holdingId(newHolding());
        }
        transferResponse.putMessage(noText, 0, 0);
        answer(transferResponse.encodedLength());
    }

    private void onExists(final DirectBuffer message, final int offset)
    {
        exists.wrapAndApplyHeader(message, offset, header);
        final int count = exists.keys().count();
        existsResponse.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(ScriptedOwner.GENERATION).sessionId(ScriptedOwner.SESSION_ID)
            .correlationId(exists.correlationId()).status(0).leadingCount(count);
        final ExistsResponseEncoder.FlagsEncoder flags = existsResponse.flagsCount(count);
        for (int i = 0; i < count; i++)
        {
            flags.next().present((short)1);
        }
        existsResponse.putMessage(noText, 0, 0);
        answer(existsResponse.encodedLength());
    }

    private void onRelease(final DirectBuffer message, final int offset)
    {
        release.wrapAndApplyHeader(message, offset, header);
        final ReleaseHoldingsDecoder.HoldingsDecoder ids = release.holdings();
        while (ids.hasNext())
        {
            if (!holdings.remove(ids.next().holdingId()))
            {
                wrongReleases++;
            }
        }
        answerStatus(release.correlationId());
    }

    private void onKeepAlive()
    {
        keepAlive.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(ScriptedOwner.GENERATION).sessionId(ScriptedOwner.SESSION_ID).correlationId(0);
        keepAlive.unansweredCount(0);
        keepAlive.unfinishedCount(0);
        answer(keepAlive.encodedLength());
    }

    private void answerStatus(final long correlationId)
    {
        statusResponse.wrapAndApplyHeader(buffer, 0, answerHeader)
            .generation(ScriptedOwner.GENERATION).sessionId(ScriptedOwner.SESSION_ID).correlationId(correlationId)
            .status(0).putMessage(noText, 0, 0);
        answer(statusResponse.encodedLength());
    }

    private long newHolding()
    {
        holdings.add(++lastId);
        return lastId;
    }

    private void answer(final int bodyLength)
    {
        if (!answers.append(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + bodyLength))
        {
            throw new IllegalStateException("too many answers wait");
        }
    }
}
