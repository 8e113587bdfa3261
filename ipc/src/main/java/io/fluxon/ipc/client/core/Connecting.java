package io.fluxon.ipc.client.core;

import io.fluxon.codecs.control.ConnectResponseDecoder;
import io.fluxon.ipc.ErrorCode;

import java.util.concurrent.TimeUnit;

/**
 * The handshake with the owner: asks until an answer is there or the time is over, checks version, generation and
 * layout of the answer, and has the segment mapped.
 */
final class Connecting
{
    private static final int MIN_ARENA_BYTES = 64;

    private final ClientSession session;
    private final WorkerClientContext ctx;
    private final long correlationId;
    private final long startNs;
    private long nextSendNs;

    Connecting(final ClientSession session)
    {
        this.session = session;
        ctx = session.ctx;
        correlationId = session.requests.nextId();
        startNs = ctx.nanoClock().nanoTime();
        nextSendNs = startNs;
    }

    boolean isAnswer(final long id)
    {
        return id == correlationId;
    }

    int step()
    {
        if (session.nowNs - startNs >= ctx.connectTimeoutNs())
        {
            session.close(ErrorCode.TRANSPORT, WaitStage.CONNECT, "the owner did not answer within " +
                TimeUnit.NANOSECONDS.toMillis(ctx.connectTimeoutNs()) + " ms");
            return 1;
        }
        if (session.nowNs - nextSendNs < 0 || session.outbound.isBackPressured())
        {
            return 0;
        }
        nextSendNs = session.nowNs + ctx.retryNs();
        final int length = session.encoder.connect(session.scratch, correlationId, ctx);
        session.connecting(correlationId);
        session.outbound.send(session.scratch, 0, length);
        return 1;
    }

    void onResponse(final ConnectResponseDecoder response)
    {
        if (ErrorCode.OK != response.status())
        {
            response.skipSegmentPath();
            response.skipNodeId();
            session.refused(response.status(), "the owner refused: " + response.message());
        }
        else if (WorkerClientContext.PROTOCOL_VERSION != response.protocolVersion())
        {
            refuse(response, ErrorCode.PROTOCOL, "the owner speaks protocol version " + response.protocolVersion() +
                ", this client " + WorkerClientContext.PROTOCOL_VERSION);
        }
        else if (0 != ctx.expectedGeneration() && ctx.expectedGeneration() != response.generation())
        {
            refuse(response, ErrorCode.OWNER_GENERATION_MISMATCH, "the owner's generation is " +
                response.generation() + ", expected was " + ctx.expectedGeneration());
        }
        else if (!isLayoutValid(response))
        {
            refuse(response, ErrorCode.PROTOCOL, "the owner's answer names a segment or limits that cannot be");
        }
        else
        {
            map(response);
        }
    }

    /**
     * The request was refused by status alone.
     */
    void onStatus(final int status, final String message)
    {
        session.refused(ErrorCode.OK == status ? ErrorCode.PROTOCOL : status, "the owner refused: " + message);
    }

    private void map(final ConnectResponseDecoder response)
    {
        final String path = response.segmentPath();
        final String nodeId = response.nodeId();
        final long address = ctx.segmentMapper().map(path, response.generation(), response.mapOffset(),
            response.segmentLength() - response.mapOffset());
        if (SegmentMapper.NOT_MAPPED == address)
        {
            refuse(response, ErrorCode.TRANSPORT, "the owner's segment could not be mapped: " + path);
        }
        else
        {
            session.nodeId = nodeId;
            session.open(response, address);
        }
    }

    private void refuse(final ConnectResponseDecoder response, final int code, final String text)
    {
        session.refuse(response.generation(), response.sessionId(), code, text);
    }

    private static boolean isLayoutValid(final ConnectResponseDecoder response)
    {
        final long mapOffset = response.mapOffset();
        final long segmentLength = response.segmentLength();
        final long arenaOffset = response.arenaOffset();
        final long arenaLength = response.arenaLength();
        return mapOffset >= 0 && arenaOffset >= mapOffset && segmentLength > arenaOffset &&
            arenaLength >= MIN_ARENA_BYTES && arenaLength <= segmentLength - arenaOffset &&
            0 == ((arenaOffset - mapOffset) & (Long.BYTES - 1)) &&
            response.maxKeysPerBatch() > 0 && response.maxKeyBytes() > 0 && response.maxValueBytes() > 0 &&
            response.maxMessageBytes() > 0 && response.keepAliveIntervalNs() > 0 &&
            response.sessionTimeoutNs() > 0 && response.handleTtlNs() > 0;
    }
}
