package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.ConnectResponseEncoder;
import io.fluxon.codecs.control.DeleteResponseEncoder;
import io.fluxon.codecs.control.ExistsResponseEncoder;
import io.fluxon.codecs.control.GetKind;
import io.fluxon.codecs.control.GetStartResponseEncoder;
import io.fluxon.codecs.control.GetTransferResponseEncoder;
import io.fluxon.codecs.control.KeepAliveEncoder;
import io.fluxon.codecs.control.MessageHeaderDecoder;
import io.fluxon.codecs.control.MessageHeaderEncoder;
import io.fluxon.codecs.control.PutCommitLocalEncoder;
import io.fluxon.codecs.control.PutCommitResultEncoder;
import io.fluxon.codecs.control.PutStartResponseEncoder;
import io.fluxon.codecs.control.ReleaseHoldingsDecoder;
import io.fluxon.codecs.control.SessionCloseEncoder;
import io.fluxon.codecs.control.Stage;
import io.fluxon.codecs.control.StatusResponseEncoder;
import io.fluxon.ipc.channel.ControlChannel;
import io.fluxon.ipc.channel.MessageHandler;
import io.fluxon.ipc.channel.MessageSource;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Far side of the channel: keeps what the client sent, sends what the test says.
 */
final class ScriptedOwner implements ControlChannel, MessageSource
{
    static final long GENERATION = 77;
    static final long SESSION_ID = 5;
    static final int MAP_OFFSET = 4096;
    static final int ARENA_OFFSET = 8192;
    static final int ARENA_LENGTH = 4096;
    static final int GRANTS_OFFSET = 16384;
    static final int SEGMENT_LENGTH = GRANTS_OFFSET + 64 * 4096;
    static final long KEEP_ALIVE_NS = 1_000_000_000L;
    static final long SESSION_TIMEOUT_NS = 10_000_000_000L;
    static final long HANDLE_TTL_NS = 60_000_000_000L;

    private static final int CORRELATION_ID_OFFSET = MessageHeaderDecoder.ENCODED_LENGTH + 2 * Long.BYTES;

    final ArrayDeque<UnsafeBuffer> received = new ArrayDeque<>();
    final ArrayDeque<UnsafeBuffer> toSend = new ArrayDeque<>();
    final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    long generation = GENERATION;
    long sessionId = SESSION_ID;
    long offerResult = 1;
    int protocolVersion = 1;
    int maxKeysPerBatch = 64;
    int arenaLength = ARENA_LENGTH;
    boolean isClosed;

    private final MessageHeaderEncoder header = new MessageHeaderEncoder();

    @Override
    public long offer(final DirectBuffer message, final int offset, final int length)
    {
        if (offerResult > 0)
        {
            received.add(copyOf(message, offset, length));
        }
        return offerResult;
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
        isClosed = true;
    }

    @Override
    public int poll(final MessageHandler handler, final int limit)
    {
        int count = 0;
        while (count < limit && !toSend.isEmpty())
        {
            final UnsafeBuffer message = toSend.poll();
            handler.onMessage(1, message, 0, message.capacity());
            count++;
        }
        return count;
    }

    /**
     * The next message of a kind; those before it are dropped.
     */
    UnsafeBuffer take(final int templateId)
    {
        while (!received.isEmpty())
        {
            final UnsafeBuffer message = received.poll();
            if (templateId == templateOf(message))
            {
                return message;
            }
        }
        throw new AssertionError("the client did not send a message of template " + templateId);
    }

    long takeId(final int templateId)
    {
        return correlationId(take(templateId));
    }

    int count(final int templateId)
    {
        int count = 0;
        for (final UnsafeBuffer message : received)
        {
            count += templateId == templateOf(message) ? 1 : 0;
        }
        return count;
    }

    /**
     * Ids that the client has released so far; the messages are taken and acknowledged.
     */
    List<Long> takeReleases()
    {
        final List<Long> ids = new ArrayList<>();
        final ReleaseHoldingsDecoder decoder = new ReleaseHoldingsDecoder();
        for (final UnsafeBuffer message : received)
        {
            if (ReleaseHoldingsDecoder.TEMPLATE_ID == templateOf(message))
            {
                decoder.wrapAndApplyHeader(message, 0, new MessageHeaderDecoder());
                status(decoder.correlationId(), 0, "");
                for (final ReleaseHoldingsDecoder.HoldingsDecoder holding : decoder.holdings())
                {
                    ids.add(holding.holdingId());
                }
            }
        }
        received.removeIf((message) -> ReleaseHoldingsDecoder.TEMPLATE_ID == templateOf(message));
        return ids;
    }

    static int templateOf(final DirectBuffer message)
    {
        return message.getShort(Short.BYTES, ByteOrder.LITTLE_ENDIAN);
    }

    static long correlationId(final DirectBuffer message)
    {
        return message.getLong(CORRELATION_ID_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    void connectResponse(final long correlationId, final int status, final String message)
    {
        final ConnectResponseEncoder encoder = new ConnectResponseEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(correlationId)
            .status(status).protocolVersion(protocolVersion).ownerId(3)
            .segmentLength(SEGMENT_LENGTH).arenaOffset(ARENA_OFFSET).arenaLength(arenaLength).mapOffset(MAP_OFFSET)
            .maxKeysPerBatch(maxKeysPerBatch).maxKeyBytes(512).maxValueBytes(512L << 20).maxMessageBytes(8 << 20)
            .keepAliveIntervalNs(KEEP_ALIVE_NS).sessionTimeoutNs(SESSION_TIMEOUT_NS).handleTtlNs(HANDLE_TTL_NS)
            .segmentPath("/segment").nodeId("node0").message(message);
        queue(encoder.encodedLength());
    }

    void keepAlive()
    {
        final KeepAliveEncoder encoder = new KeepAliveEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(0);
        encoder.unansweredCount(0);
        encoder.unfinishedCount(0);
        queue(encoder.encodedLength());
    }

    void sessionClose(final int status)
    {
        final SessionCloseEncoder encoder = new SessionCloseEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(0).status(status);
        queue(encoder.encodedLength());
    }

    void status(final long correlationId, final int status, final String message)
    {
        final StatusResponseEncoder encoder = new StatusResponseEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(correlationId)
            .status(status).message(message);
        queue(encoder.encodedLength());
    }

    void putStart(
        final long correlationId, final int status, final Stage stage, final long planId, final long... offsets)
    {
        final PutStartResponseEncoder encoder = new PutStartResponseEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(correlationId)
            .status(status).stage(stage).planId(planId);
        final PutStartResponseEncoder.SlotsEncoder slots = encoder.slotsCount(offsets.length);
        for (final long offset : offsets)
        {
            slots.next().offset(offset);
        }
        encoder.message(0 == status ? "" : "owner says " + status);
        queue(encoder.encodedLength());
    }

    void commitLocal(final long correlationId, final long planId, final int status)
    {
        final PutCommitLocalEncoder encoder = new PutCommitLocalEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(correlationId)
            .planId(planId).status(status).message(0 == status ? "" : "owner says " + status);
        queue(encoder.encodedLength());
    }

    void commitResult(final long correlationId, final long planId, final int... codes)
    {
        final PutCommitResultEncoder encoder = new PutCommitResultEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(correlationId).planId(planId);
        final PutCommitResultEncoder.ResultsEncoder results = encoder.resultsCount(codes.length);
        for (final int code : codes)
        {
            results.next().code(code);
        }
        queue(encoder.encodedLength());
    }

    /**
     * A wholly local answer; holding i has id firstHolding + i and lies in slot i.
     */
    void getStartInline(final long correlationId, final int raw, final int transferable, final long firstHolding)
    {
        final long[] offsets = new long[transferable];
        for (int i = 0; i < transferable; i++)
        {
            offsets[i] = slot(i);
        }
        getStart(correlationId, 0, GetKind.INLINE, 0, raw, transferable, firstHolding, offsets);
    }

    void getStartRemote(final long correlationId, final long handle, final int raw, final int transferable)
    {
        getStart(correlationId, 0, GetKind.REMOTE, handle, raw, transferable, 0);
    }

    void getStart(
        final long correlationId,
        final int status,
        final GetKind kind,
        final long handle,
        final int raw,
        final int transferable,
        final long firstHolding,
        final long... offsets)
    {
        final GetStartResponseEncoder encoder = new GetStartResponseEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(correlationId)
            .status(status).stage(0 == status ? Stage.NONE : Stage.GET_START).kind(kind).handle(handle)
            .rawPrefixHitLen(raw).transferableLen(transferable).prefixHitGroups(transferable)
            .firstMissIndex(raw).firstMissGroupIndex(raw).remoteHits(GetKind.REMOTE == kind ? transferable : 0);
        final GetStartResponseEncoder.HoldingsEncoder holdings = encoder.holdingsCount(offsets.length);
        for (int i = 0; i < offsets.length; i++)
        {
            holdings.next().offset(offsets[i]).length(100 + i).holdingId(firstHolding + i);
        }
        encoder.message(0 == status ? "" : "owner says " + status);
        queue(encoder.encodedLength());
    }

    void getTransfer(
        final long correlationId,
        final int status,
        final Stage stage,
        final long handle,
        final long firstHolding,
        final long... offsets)
    {
        final GetTransferResponseEncoder encoder = new GetTransferResponseEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(correlationId)
            .status(status).stage(stage).handle(handle);
        final GetTransferResponseEncoder.HoldingsEncoder holdings = encoder.holdingsCount(offsets.length);
        for (int i = 0; i < offsets.length; i++)
        {
            holdings.next().offset(offsets[i]).length(100 + i).holdingId(firstHolding + i);
        }
        encoder.message(0 == status ? "" : "owner says " + status);
        queue(encoder.encodedLength());
    }

    void exists(final long correlationId, final int status, final int leadingCount, final int... flags)
    {
        final ExistsResponseEncoder encoder = new ExistsResponseEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(correlationId)
            .status(status).leadingCount(leadingCount);
        final ExistsResponseEncoder.FlagsEncoder encoded = encoder.flagsCount(flags.length);
        for (final int flag : flags)
        {
            encoded.next().present((short)flag);
        }
        encoder.message("");
        queue(encoder.encodedLength());
    }

    void deleted(final long correlationId, final int status, final Stage stage, final int... codes)
    {
        final DeleteResponseEncoder encoder = new DeleteResponseEncoder();
        encoder.wrapAndApplyHeader(buffer, 0, header)
            .generation(generation).sessionId(sessionId).correlationId(correlationId).status(status).stage(stage);
        final DeleteResponseEncoder.ResultsEncoder encoded = encoder.resultsCount(codes.length);
        for (final int code : codes)
        {
            encoded.next().code(code);
        }
        encoder.message("");
        queue(encoder.encodedLength());
    }

    static long slot(final int index)
    {
        return GRANTS_OFFSET + 4096L * index;
    }

    UnsafeBuffer lastQueued()
    {
        assertThat(toSend).isNotEmpty();
        return toSend.peekLast();
    }

    private void queue(final int bodyLength)
    {
        toSend.add(copyOf(buffer, 0, MessageHeaderEncoder.ENCODED_LENGTH + bodyLength));
    }

    private static UnsafeBuffer copyOf(final DirectBuffer source, final int offset, final int length)
    {
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
        copy.putBytes(0, source, offset, length);
        return copy;
    }
}
